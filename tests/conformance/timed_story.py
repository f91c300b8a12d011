"""How long a refresh by Terraform and a run of peribolos take, and how much of it is spent in the server.

Usage: timed_story.py terraform PROVIDER
       timed_story.py peribolos PROGRAM SAMPLE     after the sample was imported
Reads the variables of world.py. The judge takes the times from the marks and from the server's log.
"""
import sys

from parts import run

# Half of the resources are teams, half are people on them.
LARGE = """
resource "github_team" "many" {
  count   = 250
  name    = "Team ${count.index}"
  privacy = "closed"
}

resource "github_team_membership" "many" {
  count    = 250
  team_id  = github_team.many[count.index].id
  username = "max"
}
"""


def terraform():
    from terraform_story import Configuration
    configuration = Configuration("teams")
    (configuration.folder / "main.tf").write_text(LARGE)

    def create():
        configuration.apply()

    def refresh():
        configuration.nothing_to_do()

    create.__name__, refresh.__name__ = "Terraform creates 500 resources", "Terraform refreshes 500 resources"
    return create, refresh


def peribolos():
    from peribolos_story import BASE, FIX, FOLDER, NAME, SAMPLE, peribolos as program, sign_in
    from world import Caller

    def make():
        program(f"--config-path={SAMPLE}", *FIX, "--confirm")

    def look():
        program(f"--config-path={SAMPLE}", *FIX)

    sign_in()
    owner = Caller(BASE, (FOLDER / "token").read_text())
    # The people and the repositories stay.
    while found := owner("GET", f"/orgs/{NAME}/teams?per_page=100"):
        for team in found:
            if team["parent"] is None:
                owner("DELETE", f"/orgs/{NAME}/teams/{team['slug']}")
    make.__name__, look.__name__ = "peribolos makes all teams", "peribolos compares the organization"
    return make, look


if __name__ == "__main__":
    # Both stories read their own arguments.
    which = {"terraform": terraform, "peribolos": peribolos}[sys.argv.pop(1)]
    run(*which())
