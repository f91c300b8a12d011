//! A client of the interface: one person's token, JSON in and out, redirects not followed.

use serde_json::Value;
use ureq::config::AutoHeaderValue;
use ureq::http;

use super::waiting::HANG;

/// The largest answer that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// A client of the interface.
#[derive(Clone)]
pub struct Client {
    pub base: String,
    pub token: Option<String>,
    agent: ureq::Agent,
    pub(super) headers: Vec<(String, String)>,
}

/// A response, with the request that it belongs to.
#[derive(Debug)]
pub struct Answer {
    pub request: String,
    pub status: u16,
    pub headers: http::HeaderMap,
    pub text: String,
    pub json: Value,
}

impl Client {
    pub fn new(base: &str, token: Option<&str>) -> Self {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent("guildhall-tests")
            // What is compressed is looked at before it is decoded (`sent.rs`).
            .accept_encoding(AutoHeaderValue::None)
            .timeout_recv_response(Some(HANG))
            .build();
        Self { base: base.to_owned(), token: token.map(str::to_owned), agent: config.into(), headers: Vec::new() }
    }

    /// The same person with one more header.
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut client = self.clone();
        client.headers.push((name.to_owned(), value.to_owned()));
        client
    }

    /// The same person at another base, for example `/api/v3`.
    pub fn under(&self, prefix: &str) -> Self {
        Self { base: format!("{}{prefix}", self.base), ..self.clone() }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, None)
    }

    pub fn head(&self, path: &str) -> Answer {
        self.send("HEAD", path, None)
    }

    pub fn put(&self, path: &str, body: Value) -> Answer {
        self.send("PUT", path, Some(body.to_string()))
    }

    /// A PUT without parameters: its length is zero.
    pub fn put_empty(&self, path: &str) -> Answer {
        self.send("PUT", path, Some(String::new()))
    }

    pub fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, Some(body.to_string()))
    }

    pub fn patch(&self, path: &str, body: Value) -> Answer {
        self.send("PATCH", path, Some(body.to_string()))
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.send("DELETE", path, None)
    }

    /// Any request; the path may be a whole address.
    pub fn send(&self, verb: &str, path: &str, body: Option<String>) -> Answer {
        self.attempt(verb, path, body).unwrap_or_else(|error| panic!("{verb} {path}: {error}"))
    }

    /// The same, but the server may be unreachable.
    pub fn attempt(&self, verb: &str, path: &str, body: Option<String>) -> Result<Answer, ureq::Error> {
        let address = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.base) };
        let mut request = http::Request::builder().method(verb).uri(&address);
        if let Some(token) = &self.token {
            request = request.header("Authorization", format!("token {token}"));
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let sent = match body {
            Some(body) => self.agent.run(request.body(body).expect("a request")),
            None => self.agent.run(request.body(()).expect("a request")),
        };
        let mut answer = sent?;
        let text = answer.body_mut().with_config().limit(LARGEST).read_to_string().unwrap_or_default();
        Ok(Answer {
            request: format!("{verb} {address}"),
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            json: serde_json::from_str(&text).unwrap_or(Value::Null),
            text,
        })
    }

    /// All items of a list, page after page along `Link`.
    pub fn all(&self, path: &str) -> Vec<Value> {
        let mut items = Vec::new();
        let mut next = Some(path.to_owned());
        while let Some(address) = next {
            let page = self.get(&address);
            page.expect(200);
            items.extend(page.json.as_array().expect("a list").iter().cloned());
            next = page.link("next");
        }
        items
    }
}

impl Answer {
    /// Fails unless the status is this one.
    #[track_caller]
    pub fn expect(&self, status: u16) -> &Value {
        assert_eq!(self.status, status, "{} answered {} {}", self.request, self.status, self.text);
        &self.json
    }

    /// Fails unless it is an error of this status with this message.
    #[track_caller]
    pub fn refused(&self, status: u16, message: &str) -> &Value {
        self.expect(status);
        assert_eq!(self.json["message"], message, "{}", self.request);
        assert!(self.json["documentation_url"].is_string(), "{}", self.text);
        &self.json
    }

    /// A header's text, or nothing.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The address of another page.
    pub fn link(&self, rel: &str) -> Option<String> {
        let wanted = format!("rel=\"{rel}\"");
        let links = self.header("link")?;
        let part = links.split(", ").find(|part| part.ends_with(&wanted))?;
        Some(part.split_once('<')?.1.split_once('>')?.0.to_owned())
    }

    /// One member of every item of a list.
    pub fn each(&self, member: &str) -> Vec<Value> {
        self.json.as_array().expect("a list").iter().map(|item| item[member].clone()).collect()
    }
}
