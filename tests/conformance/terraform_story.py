"""An unmodified Terraform with its provider for GitHub goes through the life of some configurations.

Usage: terraform_story.py PROVIDER NAME..., with the names of folders in tests/conformance/terraform. Reads the variables of
world.py. Each configuration is applied, leaves nothing to do, is changed, imported, repaired after somebody else has
changed something, and destroyed.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from checks import mark
from parts import BASE, ORG, equal, run
from world import Caller

HERE = pathlib.Path(__file__).resolve().parent / "terraform"
PROVIDER = pathlib.Path(sys.argv[1]).resolve()
# The provider adds /api/v3 itself.
SETTINGS = f"""
terraform {{
  required_providers {{
    github = {{ source = "integrations/github" }}
  }}
}}

provider "github" {{
  base_url       = "{BASE.removesuffix("/api/v3")}/"
  owner          = "{ORG}"
  write_delay_ms = 1
}}

variable "description" {{
  default = "first"
}}
"""
# Terraform asks no registry for a provider that is overridden.
OVERRIDE = """provider_installation {{
  dev_overrides {{ "integrations/github" = "{folder}" }}
  direct {{}}
}}
"""
owner = Caller(BASE, os.environ["GUILDHALL_TOKEN"], mark)
# What is imported again, by configuration: the resource, and its ID. What somebody else changes: a call.
IMPORTED = {
    "teams": [("github_team.parent", "parent"), ("github_team_repository.parent", "parent:site")],
    "people": [("github_membership.nina", f"{ORG}:nina")],
    "organization": [("github_organization_settings.acme", ORG)],
    "repositories": [("github_repository.tools", "tools"), ("github_repository_topics.engine", "engine")],
    "roles": [("github_team.guards", "guards")],
    "review": [("github_team.reviewers", "reviewers")],
    "security": [("github_team.watch", "watch")],
    "groups": [("github_team.platform", "platform"), ("github_team_sync_group_mapping.platform", "platform")],
}
DRIFT = {
    "teams": ("DELETE", f"/orgs/{ORG}/teams/parent/memberships/eve", None),
    "people": ("PUT", f"/orgs/{ORG}/memberships/nina", {"role": "admin"}),
    "organization": ("PATCH", f"/orgs/{ORG}", {"description": "of somebody else"}),
    "repositories": ("PUT", f"/repos/{ORG}/engine/topics", {"names": ["other"]}),
    "roles": ("PATCH", f"/orgs/{ORG}/teams/guards", {"name": "Guards", "description": "of somebody else"}),
    "review": ("PATCH", f"/orgs/{ORG}/teams/reviewers", {"name": "Reviewers", "description": "of somebody else"}),
    "security": ("DELETE", f"/orgs/{ORG}/organization-roles/teams/watch/138", None),
    "groups": ("PATCH", f"/orgs/{ORG}/teams/platform/team-sync/group-mappings", {"groups": []}),
}


class Configuration:
    def __init__(self, name):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        shutil.copytree(HERE / name, self.folder, dirs_exist_ok=True)
        (self.folder / "provider.tf").write_text(SETTINGS)
        # Terraform looks for a program of this name.
        (self.folder / "bin").mkdir()
        (self.folder / "bin/terraform-provider-github").symlink_to(PROVIDER)
        (self.folder / "terraform.rc").write_text(OVERRIDE.format(folder=self.folder / "bin"))

    def __call__(self, *words, wanted=0):
        environment = os.environ | {"TF_CLI_CONFIG_FILE": str(self.folder / "terraform.rc"), "TF_IN_AUTOMATION": "1",
                                    "GITHUB_TOKEN": os.environ["GUILDHALL_TOKEN"], "CHECKPOINT_DISABLE": "1"}
        done = subprocess.run(["terraform", *words, "-no-color"], cwd=self.folder, env=environment, capture_output=True,
                              text=True, timeout=600)
        if done.returncode != wanted:
            told = done.stderr[done.stderr.find("Error"):] or done.stdout[done.stdout.find("# "):]
            raise AssertionError(f"terraform {' '.join(words)}: {told}")
        return done.stdout

    def apply(self, *words):
        self("apply", "-auto-approve", "-input=false", *words)

    def changes(self, *words):
        """Whether there is something to do: Terraform ends with 2 then, and with 0 if there is not."""
        try:
            self("plan", "-detailed-exitcode", "-input=false", *words)
            return False
        except AssertionError:
            self("plan", "-detailed-exitcode", "-input=false", *words, wanted=2)
            return True

    def nothing_to_do(self, *words):
        self("plan", "-detailed-exitcode", "-input=false", *words)


def life_of(name):
    second = "-var=description=second"

    def part():
        terraform = Configuration(name)
        equal(terraform.changes(), True)
        terraform.apply()
        terraform.apply("-refresh-only")
        terraform.nothing_to_do()
        terraform.apply(second)
        terraform.nothing_to_do(second)
        for resource, identifier in IMPORTED[name]:
            terraform("state", "rm", resource)
            terraform("import", "-input=false", second, resource, identifier)
        terraform.apply(second)
        terraform.nothing_to_do(second)
        owner(*DRIFT[name])
        equal(terraform.changes(second), True)
        terraform.apply(second)
        terraform.nothing_to_do(second)
        if name == "teams":
            granted = json.loads(terraform("output", "-json"))["granted"]["value"]
            equal(sorted(granted), ["child maintain", "parent maintain"])
        if name == "repositories":
            equal(json.loads(terraform("output", "-json"))["private"]["value"], [f"{ORG}/engine", f"{ORG}/tools"])
        terraform("destroy", "-auto-approve", "-input=false", second)
        equal(terraform("state", "list").split(), [])

    part.__name__ = f"configuration {name}"
    return part


if __name__ == "__main__":
    run(*map(life_of, sys.argv[2:]))
