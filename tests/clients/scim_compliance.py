"""The compliance test of scim2-cli on a running server's SCIM endpoint.

Reads GUILDHALL_URL (base URL, with or without /api/v3), GUILDHALL_ORG, GUILDHALL_TOKEN (an owner's) and
GUILDHALL_ADMIN_TOKEN (a site administrator's, for the plan that offers provisioning). Runs the command `scim test`
as anybody would, and prints its checks. What the server does not have to offer, and says so, is skipped by the test
and counted as neither passed nor failed; nothing is skipped today, and a skipped check is told.
Ends with "N passed, N failed".
"""
import os
import pathlib
import re
import subprocess
import sys
import urllib.request

SCIM = pathlib.Path(sys.executable).parent / "scim"


def set_plan(base, org, token, plan):
    headers = {"Authorization": f"token {token}", "User-Agent": "scim-compliance"}
    body = f'{{"plan":"{plan}"}}'.encode()
    request = urllib.request.Request(f"{base}/admin/organizations/{org}", body, headers, method="PATCH")
    urllib.request.urlopen(request, timeout=120).close()


def main():
    base, org, token, admin = (os.environ[f"GUILDHALL_{name}"] for name in ("URL", "ORG", "TOKEN", "ADMIN_TOKEN"))
    set_plan(base, org, admin, "enterprise")
    variables = {key: value for key, value in os.environ.items() if not key.startswith("GUILDHALL_")}
    variables["SCIM_CLI_HEADERS"] = f"Authorization: Bearer {token}"
    command = [str(SCIM), "--url", f"{base}/scim/v2/organizations/{org}", "test"]
    done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=240, check=False)
    set_plan(base, org, admin, "free")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    print(plain)
    statuses = [line.split(" ", 1)[0] for line in plain.splitlines() if re.match(r"[A-Z]+ [a-z_]+$", line)]
    passed = statuses.count("SUCCESS")
    failed = len(statuses) - passed
    # A test that breaks off, or finds hardly anything to check, has not passed.
    if failed == 0 and (done.returncode != 0 or passed < 50):
        print(f"the test ended with status {done.returncode} after {passed} checks", file=sys.stderr)
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
