//! A browser without scripts: it keeps cookies, follows redirects, and sends forms with what is hidden in them.

use std::collections::BTreeMap;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::client::{Answer, Client};

/// A person with a browser.
pub struct Browser {
    client: Client,
    /// Its cookies.
    pub cookies: BTreeMap<String, String>,
    /// The page that is shown.
    pub page: Answer,
    /// Its path and query.
    pub path: String,
}

impl Browser {
    /// Opens a page in a browser that was never used.
    pub fn open(base: &str, path: &str) -> Self {
        Self::open_as(Client::new(base, None), path)
    }

    /// The same with a client that sends certain headers.
    pub fn open_as(client: Client, path: &str) -> Self {
        let page = client.get(path);
        let mut browser = Self { client, cookies: BTreeMap::new(), page, path: path.to_owned() };
        browser.follow();
        browser
    }

    /// Opens another page.
    pub fn visit(&mut self, path: &str) -> &Answer {
        path.clone_into(&mut self.path);
        self.page = self.with_cookie().get(path);
        self.follow();
        &self.page
    }

    /// Sends the form of the page with these fields.
    pub fn send(&mut self, fields: &[(&str, &str)]) -> &Answer {
        let code = self.code();
        let action = attribute(self.main(), "action");
        let action = if action.is_empty() { self.path.clone() } else { action };
        self.send_to(&action, &code, fields)
    }

    /// Sends a form with this code.
    pub fn send_to(&mut self, path: &str, code: &str, fields: &[(&str, &str)]) -> &Answer {
        let hidden = attribute_after(self.main(), "name=\"return_to\"", "value");
        let id = attribute_after(self.main(), "name=\"id\"", "value");
        let own = [("form", code), ("return_to", hidden.as_str())];
        let last = Some(("id", id.as_str())).filter(|(_, id)| !id.is_empty());
        let fields: Vec<(&str, &str)> = own.into_iter().chain(fields.iter().copied()).chain(last).collect();
        path.clone_into(&mut self.path);
        self.page = self.with_cookie().send("POST", path, Some(encoded(&fields)));
        self.follow();
        &self.page
    }

    /// Signs out with the form that every page has.
    pub fn sign_out(&mut self) -> &Answer {
        let code = attribute_after(&self.page.text, "name=\"form\"", "value");
        self.send_to("/login/out", &code, &[])
    }

    /// A client with the cookies of this browser.
    pub fn with_cookie(&self) -> Client {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if cookies.is_empty() { self.client.clone() } else { self.client.with("Cookie", &cookies.join("; ")) }
    }

    /// The code that is hidden in the form of the page.
    pub fn code(&self) -> String {
        attribute_after(self.main(), "name=\"form\"", "value")
    }

    fn main(&self) -> &str {
        self.page.text.split_once("<main").map_or("", |(_, main)| main)
    }

    /// Keeps the cookies of the page, and follows redirects on the same host.
    fn follow(&mut self) {
        for _ in 0..5 {
            self.keep();
            let next = self.page.header("location").filter(|next| next.starts_with('/')).map(str::to_owned);
            let Some(next) = next.filter(|_| self.page.status == 303) else { return };
            self.page = self.with_cookie().get(&next);
            self.path = next;
        }
        panic!("{} leads nowhere", self.path);
    }

    fn keep(&mut self) {
        for set in self.page.headers.get_all("set-cookie") {
            let set = set.to_str().expect("text");
            let (name, value) = set.split(';').next().and_then(|pair| pair.split_once('=')).expect("a cookie");
            if set.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// The value of the first such attribute in HTML.
fn attribute(html: &str, name: &str) -> String {
    let after = html.split_once(&format!("{name}=\"")).map_or("", |(_, after)| after);
    after.split('"').next().unwrap_or_default().replace("&#38;", "&")
}

/// The same in the element that has this text.
fn attribute_after(html: &str, text: &str, name: &str) -> String {
    html.split_once(text).map_or_else(String::new, |(_, after)| attribute(after, name))
}

/// Fields as a form sends them.
pub fn encoded(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}
