//! The limits of the device flow (decision 62).

use super::mail_invitations::world;
use super::sign_in::{code, newest, signed_in};
use crate::support::browser::{Browser, encoded};
use crate::support::device::{Device, GH, enter};
use crate::support::world::Settings;
use crate::support::{Answer, World};

/// A world in which requests name their network.
fn behind_a_proxy() -> World {
    World::with(Settings { delivers: true, trusted_proxies: vec!["127.0.0.1/32"], ..Settings::default() })
}

/// Asks for codes from a network.
fn asks(world: &World, peer: &str) -> Answer {
    let client = world.anonymous().with("Accept", "application/json").with("X-Forwarded-For", peer);
    client.send("POST", "/login/device/code", Some(encoded(&[("client_id", GH)])))
}

/// A browser in a network in which a person has signed in.
fn signed_in_from(world: &World, peer: &str, login: &str) -> Browser {
    let mut browser = Browser::open_as(world.anonymous().with("X-Forwarded-For", peer), "/login");
    let address = format!("{login}@example.com");
    browser.send(&[("email", &address)]);
    let sent = code(&newest(world, &address));
    browser.send(&[("code", &sent)]);
    browser
}

#[test]
fn decision_62_a_person_types_ten_wrong_codes_an_hour() {
    let world = world();
    let (mut browser, device) = (signed_in(&world, "nina"), Device::of(&world, GH, ""));
    for typed in 0..10 {
        let page = enter(&mut browser, "BBBB-BBBB");
        assert!(page.status == 422 && page.text.contains("No device waits with this code"), "{typed}: {}", page.text);
    }
    // From now on not even the right one counts, in no browser.
    let page = device.typed(&mut browser);
    assert_eq!((page.status, page.header("retry-after")), (429, Some("3600")), "{}", page.text);
    assert!(page.text.contains("That was too often"), "{}", page.text);
    assert_eq!(device.typed(&mut signed_in(&world, "nina")).status, 429);
    // Another person is not concerned.
    assert_eq!(device.typed(&mut signed_in(&world, "tom")).status, 200);
    world.advance(3600);
    let device = Device::of(&world, GH, "");
    device.answered(&mut browser, "allow");
    device.token(&world);
}

#[test]
fn decision_62_a_network_types_fifty_wrong_codes_an_hour() {
    let world = behind_a_proxy();
    for login in ["nina", "tom", "eve", "max", "ray"] {
        let mut browser = signed_in_from(&world, &format!("2001:db8:1:2::{}", login.len()), login);
        for _ in 0..10 {
            assert_eq!(enter(&mut browser, "BBBB-BBBB").status, 422);
        }
    }
    assert_eq!(enter(&mut signed_in_from(&world, "2001:db8:1:2:9::", "olivia"), "BBBB-BBBB").status, 429);
    assert_eq!(enter(&mut signed_in_from(&world, "2001:db8:1:3::", "olivia"), "BBBB-BBBB").status, 422);
}

#[test]
fn decision_62_a_network_asks_for_sixty_codes_an_hour() {
    let world = behind_a_proxy();
    for n in 0..60 {
        asks(&world, &format!("2001:db8:1:2::{n}")).expect(200);
    }
    let refused = asks(&world, "2001:db8:1:2:ffff::");
    assert_eq!((refused.expect(403).is_object(), refused.header("retry-after")), (true, Some("3600")));
    asks(&world, "192.0.2.1").expect(200);
    assert_eq!(world.rows::<(i64,)>("SELECT count(*) FROM devices"), [(61,)], "a refusal leaves nothing");
    world.advance(3600);
    asks(&world, "2001:db8:1:2::1").expect(200);
}

#[test]
fn decision_62_ten_thousand_devices_wait_at_a_time() {
    let world = behind_a_proxy();
    asks(&world, "192.0.2.1").expect(200);
    world.advance(600);
    let fill = world.db.write(|tx| {
        (0_i64..9_998).try_for_each(|n| {
            let code = n.to_be_bytes();
            tx.run(COPY, &[&code.as_slice(), &(n * 10)]).map(drop)
        })
    });
    world.block_on(fill).expect("devices");
    let last = Device::read(GH, &asks(&world, "192.0.2.2"));
    let refused = asks(&world, "192.0.2.3");
    assert_eq!((refused.expect(403).is_object(), refused.header("retry-after")), (true, Some("300")));
    // One that is answered makes room.
    last.answered(&mut signed_in(&world, "nina"), "deny");
    asks(&world, "192.0.2.3").expect(200);
    asks(&world, "192.0.2.3").expect(403);
    world.advance(300);
    asks(&world, "192.0.2.3").expect(200);
    asks(&world, "192.0.2.3").expect(403);
}

/// Copies the first device, to ten minutes later.
const COPY: &str = "
    INSERT INTO devices (application_id, hash, user_code, scopes, network, asked_at, delay)
    SELECT application_id, $1, $1, scopes, '192.0.2.9', asked_at + 600000000 + $2, delay
    FROM devices d WHERE d.network = '192.0.2.1'";
