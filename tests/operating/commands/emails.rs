//! `guildhall user email` (decision 72).

use std::fs;

use crate::place::{Place, outcome, refused};
use crate::support::{Client, json, mail};

#[test]
fn decision_72_the_operator_adds_addresses_beside_a_server() {
    let place = Place::new();
    let server = place.serve();
    let token = fs::read_to_string(place.dir().join("admin-token")).expect("a token");
    let admin = Client::new(&server.base, Some(token.trim()));
    for login in ["nina", "max"] {
        let account = json!({ "login": login, "email": format!("{login}@example.com") });
        admin.post("/admin/users", account).expect(201);
    }
    let email = |arguments: &[&str]| place.run(&[&["user", "email"], arguments].concat());
    assert_eq!(
        outcome(&email(&["Nina", "nina@example.net", "--verified"])),
        (0, String::new(), "nina@example.net is a verified e-mail address of Nina\n".into())
    );
    let why = "The account max has verified the e-mail address MAX@example.com";
    refused(&email(&["nina", "MAX@example.com", "--verified"]), 1, why);
    refused(&email(&["nobody", "a@example.com"]), 1, "no person has the login nobody");
    refused(&email(&["nina", "nothing"]), 1, "This is not a valid e-mail address");
    let asked = outcome(&email(&["nina", "new@example.org"]));
    assert_eq!((asked.0, asked.2.contains("nina opens its link")), (0, true), "{}", asked.2);
    // Two e-mails: what the primary address is told, and the link.
    let mails = mail::until(&place.dir().join("mail"), |mails| mails.len() == 2);
    let mut to: Vec<String> = mails.iter().map(mail::Mail::to).collect();
    to.sort();
    assert_eq!(to, ["new@example.org", "nina@example.com"]);
    let created = outcome(&place.run(&["token", "create", "--user", "nina", "--scopes", "user:email"]));
    let nina = Client::new(&server.base, Some(created.1.trim()));
    let listed = nina.get("/user/emails");
    assert_eq!(listed.each("email"), [json!("nina@example.com"), json!("nina@example.net"), json!("new@example.org")]);
    assert_eq!(listed.each("verified"), [json!(true), json!(true), json!(false)]);
    assert_eq!(listed.each("primary"), [json!(true), json!(false), json!(false)]);
    place.must_be_well();
}
