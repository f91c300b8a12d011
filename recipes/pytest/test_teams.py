import base64

import pytest


def slugs(org):
    return [team.slug for team in org.get_teams()]


@pytest.mark.parametrize("time", ["first", "second"])
def test_each_test_begins_with_the_seed(acme, time):
    assert slugs(acme) == ["core", "engineering", "security"]
    acme.get_team_by_slug("core").delete()
    assert slugs(acme) == ["engineering", "security"]


def test_pygithub_repeats_a_request_after_a_502(guildhall, acme):
    guildhall.fail(operation="teams.list", name="bad_gateway", count=1)
    assert slugs(acme) == ["core", "engineering", "security"]
    assert [r["status"] for r in guildhall.requests() if r["operation"] == "teams.list"] == [502, 200]


def test_an_invitation_expires_after_a_week(guildhall, connect, acme):
    acme.invite_user(connect("olivia-token").get_user("nina"))
    assert [invitation.login for invitation in acme.invitations()] == ["nina"]
    guildhall.advance("8d")
    assert list(acme.invitations()) == []


def let_join(github):
    """The automation that is tested: the people whom a file lists join Core, and a pull request is opened."""
    acme = github.get_organization("acme")
    engine, core = acme.get_repo("engine"), acme.get_team_by_slug("core")
    for login in engine.get_contents("join/core.txt").decoded_content.decode().split():
        core.add_membership(github.get_user(login))
    return engine.create_pull(base="main", head="joined", title="All have joined Core")


def test_automation_also_reads_a_file_and_opens_a_pull_request(guildhall, connect, acme):
    file = {"encoding": "base64", "content": base64.b64encode(b"tom eve").decode()}
    guildhall.set_faults(
        {"method": "GET", "path": "/repos/acme/engine/contents/join/core.txt", "body": file},
        {"method": "POST", "path": "/repos/acme/engine/pulls", "status": 201, "body": {"number": 7}},
    )
    assert let_join(connect("olivia-token")).number == 7
    assert [person.login for person in acme.get_team_by_slug("core").get_members()] == ["max", "tom", "eve"]
    assert [r["path"] for r in guildhall.requests() if r["method"] == "POST"] == ["/repos/acme/engine/pulls"]
