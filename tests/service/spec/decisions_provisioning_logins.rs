//! The login that the account of a new person gets (decision 49).

use crate::spec::provider::{Provider, address};
use crate::support::{Value, World, json};

/// The logins of the people of `acme` who were not there from the beginning, in alphabetical order.
fn new_logins(world: &World) -> Vec<String> {
    let mut logins: Vec<String> = world
        .olivia()
        .get("/orgs/acme/members?per_page=100")
        .each("login")
        .into_iter()
        .map(|login| login.as_str().expect("a login").to_owned())
        .filter(|login| !["olivia", "max", "tom", "eve", "ray"].contains(&login.as_str()))
        .collect();
    logins.sort_unstable();
    logins
}

fn renames(provider: &Provider, user: &str, name: &str) {
    let rename = json!({ "op": "replace", "path": "userName", "value": name });
    assert_eq!(provider.patch(&format!("/Users/{user}"), rename).expect(200)["userName"], name);
}

#[test]
fn decision_49_a_login_in_use_gives_the_next_free_one_and_ties_nothing() {
    let world = World::new();
    let provider = Provider::of(&world);
    let tom = world.tom().get("/user").expect(200).clone();
    for name in ["tom", "TOM@idp.example", "nina", "acme@idp.example"] {
        provider.user(name, json!({}));
    }
    assert_eq!(new_logins(&world), ["TOM-3", "acme-2", "nina-2", "tom-2"]);
    assert_eq!(world.tom().get("/user").expect(200), &tom);
    assert_eq!(world.olivia().get("/orgs/acme/memberships/nina").status, 404);
}

#[test]
fn decision_49_a_former_login_gives_the_next_free_one() {
    let world = World::new();
    let provider = Provider::of(&world);
    world.sam().patch("/admin/users/nina", json!({ "login": "nina-new" })).expect(202);
    provider.user("nina", json!({}));
    assert_eq!(new_logins(&world), ["nina-2"]);
    world.olivia().get("/users/nina").expect(404);
}

#[test]
fn decision_49_equal_names_of_several_domains_and_organizations_are_several_accounts() {
    let world = World::new();
    let provider = Provider::of(&world);
    world.organization("globex", "nina", &[]);
    world.sam().patch("/admin/organizations/globex", json!({ "plan": "enterprise" })).expect(202);
    provider.user("john.smith@a.example", json!({}));
    provider.user("john.smith@b.example", json!({}));
    let elsewhere = json!({ "userName": "john.smith@other.example" });
    world.nina().post("/scim/v2/organizations/globex/Users", elsewhere).expect(201);
    assert_eq!(new_logins(&world), ["john.smith", "john.smith-2"]);
    world.nina().get("/orgs/globex/members/john.smith-3").expect(204);
    assert_eq!(world.nina().get("/orgs/globex/members").each("login"), ["nina", "john.smith-3"]);
}

#[test]
fn decision_49_many_equal_names_are_numbered_without_gaps() {
    let world = World::new();
    let provider = Provider::of(&world);
    for domain in 0..20 {
        provider.user(&format!("j@d{domain}.example"), json!({}));
    }
    let mut numbers: Vec<u32> = new_logins(&world)
        .iter()
        .map(|login| if login == "j" { 1 } else { login.strip_prefix("j-").expect(login).parse().expect(login) })
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
}

#[test]
fn decision_49_a_login_is_made_of_a_name_in_any_script() {
    let world = World::new();
    let provider = Provider::of(&world);
    for name in [
        "\u{418}\u{432}\u{430}\u{43d}.\u{41f}\u{435}\u{442}\u{440}\u{43e}\u{432}@idp",
        "\u{674e}\u{96f7}@idp",
        "J\u{fc}rgen.Gro\u{df}@idp",
    ] {
        provider.user(name, json!({}));
    }
    assert_eq!(new_logins(&world), ["Ivan.Petrov", "Jurgen.Gross", "Li-Lei"]);
    let long = "\u{436}".repeat(200);
    for domain in ["a", "b"] {
        provider.user(&format!("{long}@{domain}"), json!({}));
    }
    let long: Vec<String> = new_logins(&world).into_iter().filter(|login| login.starts_with("zh")).collect();
    assert_eq!(long, [format!("{}-2", "zh".repeat(49)), "zh".repeat(50)]);
}

#[test]
fn decision_49_a_name_of_which_nothing_is_left_gives_the_number_of_the_account() {
    let world = World::new();
    let provider = Provider::of(&world);
    let names = ["@idp", "\u{1F4A5}@idp", "..@idp"];
    let records = names.map(|name| provider.user(name, json!({})));
    let members = world.olivia().get("/orgs/acme/members?per_page=100").expect(200).clone();
    let unnamed: Vec<&Value> = members
        .as_array()
        .expect("a list")
        .iter()
        .filter(|member| member["login"].as_str().is_some_and(|login| login.starts_with("user-")))
        .collect();
    assert_eq!(unnamed.len(), names.len(), "{members}");
    for member in unnamed {
        assert_eq!(member["login"], format!("user-{}", member["id"]));
    }
    // No name follows from another such name.
    renames(&provider, &records[0], "\u{1F4A5}\u{1F4A5}@idp");
    assert_eq!(world.olivia().get("/orgs/acme/members?per_page=100").expect(200), &members);
}

#[test]
fn decision_49_a_changed_name_gives_the_next_free_login_too() {
    let world = World::new();
    let provider = Provider::of(&world);
    let [bert, _] = ["bert@a", "bert@b"].map(|name| provider.user(name, json!({})));
    renames(&provider, &bert, "tom@a");
    assert_eq!(new_logins(&world), ["bert-2", "tom-2"]);
    // Only the domain differs.
    renames(&provider, &bert, "tom@b");
    assert_eq!(new_logins(&world), ["bert-2", "tom-2"]);
    // A login that the account had is still its own.
    renames(&provider, &bert, "bert@a");
    assert_eq!(new_logins(&world), ["bert", "bert-2"]);
    world.tom().get("/user").expect(200);
}

#[test]
fn decision_49_the_account_of_a_deleted_record_belongs_to_the_next_record_of_that_name_alone() {
    let world = World::new();
    let provider = Provider::of(&world);
    let [a, b] = ["john@a.example", "john@b.example"].map(|name| provider.user(name, json!({})));
    let account = |login: &str| world.olivia().get(&format!("/users/{login}")).expect(200)["id"].clone();
    let ids = [account("john"), account("john-2")];
    for record in [&a, &b] {
        provider.delete(&format!("/Users/{record}")).expect(204);
    }
    assert_eq!(new_logins(&world), Vec::<String>::new());
    provider.user("john@c.example", json!({}));
    assert_eq!(new_logins(&world), ["john-3"]);
    world.client("john").get("/user").refused(403, "Sorry. Your account was suspended.");
    provider.user("JOHN@B.example", json!({}));
    provider.user("john@a.example", address("john"));
    assert_eq!(new_logins(&world), ["john", "john-2", "john-3"]);
    assert_eq!([account("john"), account("john-2")], ids);
    // A record that was tied to its account by consent leaves nothing behind.
    let tom = provider.tied(&world, "tom");
    provider.delete(&format!("/Users/{tom}")).expect(204);
    provider.user("tom@idp", json!({}));
    assert_eq!(new_logins(&world), ["john", "john-2", "john-3", "tom-2"]);
}
