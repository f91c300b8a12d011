//! A browser without scripts: it keeps cookies, and sends forms with what is hidden in them.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::client::{Answer, Client};

/// A person with a browser.
pub struct Browser {
    client: Client,
    cookie: Option<String>,
    /// The page that is shown.
    pub page: Answer,
    path: String,
}

impl Browser {
    /// Opens a page.
    pub fn open(base: &str, path: &str) -> Self {
        let client = Client::new(base, None);
        let page = client.get(path);
        let cookie = cookie(&page);
        Self { client, cookie, page, path: path.to_owned() }
    }

    /// Sends the form of the page with these fields.
    pub fn send(&mut self, fields: &[(&str, &str)]) -> &Answer {
        let code = self.code();
        let fields: Vec<(&str, &str)> = [("form", code.as_str())].into_iter().chain(fields.iter().copied()).collect();
        self.page = self.with_cookie().send("POST", &self.path, Some(encoded(&fields)));
        if self.page.status == 303 {
            let next = self.page.header("location").expect("a page that says what happened").to_owned();
            self.page = self.with_cookie().get(&next);
        }
        self.cookie = cookie(&self.page).or(self.cookie.take());
        &self.page
    }

    /// A client with the cookie of this browser.
    pub fn with_cookie(&self) -> Client {
        match &self.cookie {
            Some(cookie) => self.client.with("Cookie", cookie),
            None => self.client.clone(),
        }
    }

    /// The code that is hidden in the form.
    pub fn code(&self) -> String {
        let after = self.page.text.split("name=\"form\" value=\"").nth(1).unwrap_or_default();
        after.split('"').next().unwrap_or_default().to_owned()
    }
}

fn cookie(page: &Answer) -> Option<String> {
    let set = page.headers.get("set-cookie")?.to_str().ok()?;
    set.split(';').next().map(str::to_owned)
}

/// Fields as a form sends them.
pub fn encoded(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.join("&")
}
