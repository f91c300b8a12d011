//! Receivers that refuse, hang, fail, talk without end, close early or redirect.

use std::io::Write;
use std::time::Duration;

use guildhall::sender::Attempt;

use crate::sender::receiver::{Receiver, drip, hang};
use crate::sender::{deliver, hook, local};
use crate::support::port::Port;

fn to(receiver: &Receiver) -> Attempt {
    let attempt = deliver(local(), &hook(&receiver.url()), "{}");
    receiver.request();
    attempt
}

#[test]
fn an_error_is_a_failure_and_its_answer_is_kept() {
    let attempt = to(&Receiver::with("HTTP/1.1 500 Whatever\r\nContent-Length: 4\r\n\r\nouch"));
    assert_eq!((attempt.ok, attempt.status_code), (false, 500));
    assert_eq!((attempt.status.as_str(), attempt.response_body.as_deref()), ("Internal Server Error", Some("ouch")));
}

#[test]
fn a_redirect_is_a_failure_and_not_followed() {
    let elsewhere = Receiver::with("HTTP/1.1 200 OK\r\n\r\n");
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let head = format!("HTTP/1.1 {status}\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", elsewhere.url());
        let attempt = to(&Receiver::new(move |stream| drop(stream.write_all(head.as_bytes()))));
        assert_eq!((attempt.ok, attempt.status_code.to_string()), (false, status[..3].to_owned()));
    }
    elsewhere.got_nothing();
}

#[test]
fn a_receiver_that_refuses_is_a_failure() {
    let port = Port::take();
    let attempt = deliver(local(), &hook(&format!("http://{}/", port.address())), "{}");
    assert_eq!((attempt.ok, attempt.status.as_str(), attempt.status_code), (false, "failed to connect", 0));
    assert_eq!((attempt.response_headers, attempt.response_body), (None, None));
    let attempt = deliver(local(), &hook("http://name.invalid/"), "{}");
    assert_eq!((attempt.ok, attempt.status.as_str()), (false, "failed to resolve the host"));
}

#[test]
fn a_receiver_that_hangs_is_given_up_after_10_seconds() {
    let attempt = to(&Receiver::new(hang));
    assert_eq!((attempt.ok, attempt.status.as_str(), attempt.status_code), (false, "timed out", 0));
    assert!(attempt.duration >= Duration::from_secs(10));
}

#[test]
fn a_receiver_that_drips_its_head_is_given_up_after_10_seconds() {
    let attempt = to(&Receiver::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\nX-Long: "));
        drip(stream, b"x", Duration::from_millis(50));
    }));
    assert_eq!((attempt.ok, attempt.status.as_str(), attempt.status_code), (false, "timed out", 0));
}

#[test]
fn a_receiver_that_drips_its_body_is_given_up_after_10_seconds() {
    let attempt = to(&Receiver::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n"));
        drip(stream, b"x", Duration::from_millis(50));
    }));
    assert_eq!((attempt.ok, attempt.status.as_str(), attempt.status_code), (false, "timed out", 200));
    assert!(attempt.response_body.is_some_and(|body| !body.is_empty() && body.len() < 400));
}

#[test]
fn of_an_endless_body_the_beginning_is_kept() {
    let attempt = to(&Receiver::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n"));
        drip(stream, &[b'x'; 10_000], Duration::ZERO);
    }));
    assert!(attempt.ok, "it has accepted the delivery");
    assert_eq!((attempt.status.as_str(), attempt.status_code), ("OK", 200), "it does not end by a timeout");
    assert_eq!(attempt.response_body.map(|body| body.len()), Some(65_536));
}

#[test]
fn an_endless_head_is_a_failure() {
    let attempt = to(&Receiver::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\n"));
        drip(stream, b"X-More: and more and more and more\r\n", Duration::ZERO);
    }));
    assert_eq!((attempt.ok, attempt.status_code), (false, 0));
    assert_eq!(attempt.status, "the connection was closed");
}

#[test]
fn a_receiver_that_closes_early_is_a_failure() {
    for (answer, code) in [
        ("", 0),
        ("HTTP/1.1 200", 0),
        ("SSH-2.0-OpenSSH_9.6\r\n", 0),
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", 200),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf", 200),
    ] {
        let attempt = to(&Receiver::with(answer));
        assert_eq!((attempt.ok, attempt.status_code), (false, code), "{answer}");
        assert_eq!(attempt.status, "the connection was closed");
    }
}

#[test]
fn what_is_no_text_is_kept_as_text_that_a_database_can_hold() {
    let attempt = to(&Receiver::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\nX-Odd: \xff\r\nContent-Length: 4\r\n\r\na\0\xffb"));
    }));
    assert_eq!(attempt.response_body.as_deref(), Some("a\u{fffd}\u{fffd}b"));
    assert!(attempt.response_headers.is_some_and(|headers| headers.contains("\u{fffd}")));
}
