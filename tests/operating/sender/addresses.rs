//! Addresses that are not public are refused, however they are spelled, unless the operator allows them.

use guildhall::sender::Rules;

use crate::sender::receiver::Receiver;
use crate::sender::{deliver, hook, local};
use crate::support::port::Port;

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

#[test]
fn this_machine_is_refused_however_it_is_spelled() {
    let receiver = Receiver::with(OK);
    let port = receiver.address.port();
    for host in [
        "127.0.0.1",
        "localhost",
        "LOCALHOST",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "0x7f.1",
        "0.0.0.0",
        "0",
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
    ] {
        let attempt = deliver(Rules::default(), &hook(&format!("http://{host}:{port}/")), "{}");
        assert!(!attempt.ok);
        assert_eq!((attempt.status.as_str(), attempt.status_code), ("refused: the address is not public", 0), "{host}");
    }
    receiver.got_nothing();
}

#[test]
fn networks_of_special_purposes_are_refused() {
    for host in [
        "10.0.0.1",
        "100.64.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "192.168.0.1",
        "198.18.0.1",
        "224.0.0.1",
        "255.255.255.255",
        "[fe80::1]",
        "[fc00::1]",
        "[ff02::1]",
        "[2001:db8::1]",
        "[64:ff9b::a00:1]",
        "[2002:a00:1::]",
    ] {
        let attempt = deliver(local(), &hook(&format!("http://{host}/")), "{}");
        assert_eq!(attempt.status, "refused: the address is not public", "{host}");
    }
}

#[test]
fn what_the_operator_allows_is_reached() {
    let receiver = Receiver::with(OK);
    let port = receiver.address.port();
    for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"] {
        let attempt = deliver(local(), &hook(&format!("http://{host}:{port}/")), "{}");
        assert!(attempt.ok, "{host}: {}", attempt.status);
        receiver.request();
    }
}

/// A name with an address that is allowed and one that is not leads to the one that is.
#[test]
fn of_the_addresses_of_a_name_only_those_that_are_allowed_are_tried() {
    // Nothing else can listen at the other address.
    let port = Port::take();
    let receiver = Receiver::at(&format!("[::1]:{}", port.address().port()), |_| panic!("it is not to be reached"));
    let rules = Rules { allow: vec!["127.0.0.0/8".parse().expect("a network")], ..Rules::default() };
    let attempt = deliver(rules, &hook(&format!("http://localhost:{}/", receiver.address.port())), "{}");
    assert_eq!(attempt.status, "failed to connect", "nothing listens at 127.0.0.1");
    receiver.got_nothing();
}
