//! A program on a device that signs a person in (decision 62).

use super::World;
use super::browser::{Browser, encoded};
use super::client::Answer;

/// The client ID of `gh`, which is there from the start.
pub const GH: &str = "178c6fc778ccc68e1d6a";

/// The type of grant.
pub const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The codes of a device.
#[derive(Debug, Clone)]
pub struct Device {
    pub client_id: String,
    /// The code that it redeems.
    pub code: String,
    /// The code that a person types.
    pub user_code: String,
}

/// Asks for codes in GitHub's form, with JSON in the response.
pub fn ask(world: &World, fields: &[(&str, &str)]) -> Answer {
    world.anonymous().with("Accept", "application/json").send("POST", "/login/device/code", Some(encoded(fields)))
}

impl Device {
    /// One of this application that asks for a scope.
    pub fn of(world: &World, client_id: &str, scope: &str) -> Self {
        Self::read(client_id, &ask(world, &[("client_id", client_id), ("scope", scope)]))
    }

    /// The codes in a response.
    #[track_caller]
    pub fn read(client_id: &str, answer: &Answer) -> Self {
        let text = |name: &str| answer.expect(200)[name].as_str().expect("a code").to_owned();
        Self { client_id: client_id.to_owned(), code: text("device_code"), user_code: text("user_code") }
    }

    /// Redeems its code in GitHub's form.
    pub fn redeem(&self, world: &World) -> Answer {
        let fields = [("client_id", &*self.client_id), ("device_code", &self.code), ("grant_type", GRANT)];
        let client = world.anonymous().with("Accept", "application/json");
        client.send("POST", "/login/oauth/access_token", Some(encoded(&fields)))
    }

    /// The error of that.
    #[track_caller]
    pub fn error(&self, world: &World) -> String {
        let answer = self.redeem(world);
        answer.expect(200)["error"].as_str().unwrap_or_else(|| panic!("no error: {}", answer.text)).to_owned()
    }

    /// The token of that.
    #[track_caller]
    pub fn token(&self, world: &World) -> String {
        let answer = self.redeem(world);
        answer.expect(200)["access_token"].as_str().unwrap_or_else(|| panic!("no token: {}", answer.text)).to_owned()
    }

    /// Types its code.
    pub fn typed<'a>(&self, browser: &'a mut Browser) -> &'a Answer {
        enter(browser, &self.user_code)
    }

    /// Has the person in a browser answer it.
    pub fn answered(&self, browser: &mut Browser, answer: &str) {
        let page = self.typed(browser);
        assert!(page.text.contains("Is this you?"), "{} {}", page.status, page.text);
        let page = browser.send(&[("user_code", &self.user_code), ("answer", answer), ("teams", "effective")]);
        assert_eq!(page.status, 200, "{}", page.text);
    }
}

/// Types a code.
pub fn enter<'a>(browser: &'a mut Browser, code: &str) -> &'a Answer {
    browser.visit("/login/device");
    browser.send(&[("user_code", code)])
}
