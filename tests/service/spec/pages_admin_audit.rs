//! The audit log of the site, in the rooms of its administrators (decisions 47 and 61).

use super::mail_invitations::world;
use super::pages_admin_deliveries::administrator;
use super::pages_organization::sound;
use super::pages_team::{hidden, send, shows};
use super::sign_in::signed_in;
use super::sign_in_acting::stop;
use crate::support::json;

const AUDIT: &str = "/ui/admin/audit";

#[test]
fn decision_47_the_audit_log_of_the_site_is_a_page_in_words() {
    let world = world();
    let mut max = administrator(&world);
    max.visit("/ui/admin/users/tom?ask=suspend");
    let id = hidden(&max, "id");
    let fields = [("do", "suspend"), ("id", id.as_str()), ("reason", "Left <us>")];
    assert_eq!(send(&mut max, "/ui/admin/users/tom?ask=suspend", &fields), 200);
    shows(&max, &["href=\"/ui/admin/audit?user=tom\"", "href=\"/ui/admin/audit?user=tom&amp;kind=user\""], &[]);
    assert_eq!(max.visit(AUDIT).status, 200);
    sound(&max.page.text);
    let by_max = "<b><a href=\"/ui/admin/users/max\"><bdi>max</bdi></a></b>";
    let suspended = "suspended <a href=\"/ui/admin/users/tom\"><bdi>tom</bdi></a>";
    shows(
        &max,
        &[
            "aria-current=\"page\">Audit log</a>",
            &format!("{by_max} {suspended}"),
            "reason: Left &#60;us&#62;",
            "made <a href=\"/ui/admin/users/max\"><bdi>max</bdi></a> a site administrator",
            "from <bdi>127.0.0.1</bdi>",
        ],
        &["<us>"],
    );
    // What the room of a person leads to.
    max.visit(&format!("{AUDIT}?user=tom&kind=user"));
    shows(&max, &[suspended, "value=\"tom\"", "<option value=\"user\" selected>"], &["a site administrator"]);
    max.visit(&format!("{AUDIT}?kind=team"));
    shows(&max, &["<option value=\"\" selected>", suspended], &[]);
    let file = max.visit(&format!("{AUDIT}/export?user=tom&as=json"));
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"audit-log.json\""));
    let entries = file.json.as_array().expect("entries");
    assert!(entries.iter().all(|of| of["user"] == "tom") && !entries.is_empty(), "{entries:?}");
    for login in ["olivia", "nina"] {
        let mut other = signed_in(&world, login);
        for path in [AUDIT, "/ui/admin/audit/export?as=json", "/ui/admin/audit?org=acme"] {
            assert_eq!(other.visit(path).status, 404, "{login} {path}");
        }
    }
}

#[test]
fn decision_47_the_page_says_who_acts_for_whom_and_who_was_renamed() {
    let world = world();
    let mut max = administrator(&world);
    assert_eq!(send(&mut max, "/ui/admin/users/nina/act", &[]), 200);
    max.visit("/ui/settings");
    let mut sam = signed_in(&world, "max");
    world.sam().patch("/admin/users/tom", json!({ "login": "thomas" })).expect(202);
    sam.visit(AUDIT);
    shows(
        &sam,
        &[
            "began to act for <a href=\"/ui/admin/users/nina\"><bdi>nina</bdi></a>",
            "renamed <a href=\"/ui/admin/users/thomas\"><bdi>thomas</bdi></a>",
            ">login: tom → thomas</small>",
        ],
        &["_hash"],
    );
    stop(&mut max);
    sam.visit(&format!("{AUDIT}?kind=session"));
    let ended = "<bdi>max</bdi></b>, who acted for them) ended the session of the administrator";
    shows(&sam, &["began to act for", ended], &["renamed", "by: administrator"]);
}

#[test]
fn decision_73_the_page_has_the_log_of_an_organization_that_was_deleted() {
    let world = world();
    let mut max = administrator(&world);
    for unknown in ["acme", "nothing", "%3Cx%3E"] {
        assert_eq!(max.visit(&format!("{AUDIT}?org={unknown}")).status, 422, "{unknown}");
        shows(&max, &["No organization was deleted that had this login."], &["<x>"]);
    }
    world.olivia().put("/orgs/acme/teams/core/memberships/eve", json!({})).expect(200);
    world.olivia().delete("/orgs/acme").expect(202);
    world.settle();
    max.visit(AUDIT);
    shows(&max, &["deleted the organization <bdi>acme</bdi>"], &["login: acme"]);
    max.visit(&format!("{AUDIT}?org=acme&kind=team"));
    sound(&max.page.text);
    shows(
        &max,
        &["The log of <bdi>acme</bdi>", "added <a href=\"/ui/admin/users/eve\"><bdi>eve</bdi></a> to <bdi>core</bdi>"],
        &["/ui/orgs/acme/teams"],
    );
    // Owners have no such field.
    world.organization("other", "olivia", &[]);
    let mut olivia = signed_in(&world, "olivia");
    olivia.visit("/ui/orgs/other/audit?org=acme");
    shows(&olivia, &["Audit log"], &["Deleted organization", "The log of"]);
}
