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


def test_an_invitation_expires_after_a_week(guildhall, acme):
    acme.invite_user(guildhall.connect("olivia-token").get_user("nina"))
    assert [invitation.login for invitation in acme.invitations()] == ["nina"]
    guildhall.advance("8d")
    assert list(acme.invitations()) == []
