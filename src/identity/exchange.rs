//! The exchange of a code for tokens, and what else a provider is asked for.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::Request;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::discovery::Discovered;
use super::keys::Keys;
use super::request::{begin, encoded, get, send};
use super::{Claims, Client, Refused, id_token};
use crate::hooks::target::Target;
use crate::sender::Sender;

/// The tokens that a code was exchanged for.
#[derive(Deserialize)]
pub struct Tokens {
    /// The ID token.
    pub id_token: String,
    /// The token for further claims.
    pub access_token: Option<String>,
}

/// Exchanges a code, with the secret of PKCE, for tokens.
pub async fn tokens(
    sender: &Sender,
    there: &Discovered,
    client: &Client,
    (code, verifier): (&str, &str),
) -> Result<Tokens, Refused> {
    let mut fields = vec![
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", &client.redirect_uri),
        ("code_verifier", verifier),
    ];
    let mut request = begin(Request::post(&there.token.path), &there.token);
    if there.posts_secret {
        fields.extend([("client_id", client.id.as_str()), ("client_secret", client.secret.as_str())]);
    } else {
        let part = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pair = format!("{}:{}", part(&client.id), part(&client.secret));
        request = request.header(AUTHORIZATION, format!("Basic {}", STANDARD.encode(pair)));
    }
    let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let body = send(sender, &there.token, request, encoded(&fields), "the exchange of a code").await?;
    let tokens = serde_json::from_slice(&body);
    tokens.map_err(|error| Refused::because(format!("the tokens are wrong: {error}")))
}

/// Fetches the keys of a provider.
pub async fn keys(sender: &Sender, place: &Target) -> Result<Keys, Refused> {
    let body = get(sender, place, None, "the keys of the provider").await?;
    Keys::read(&body).ok_or_else(|| Refused::because("the keys are no JSON Web Key Set"))
}

/// Completes what an ID token says about a person with what the provider says elsewhere about the same one.
pub async fn userinfo(sender: &Sender, place: &Target, token: &str, said: Claims) -> Result<Claims, Refused> {
    let body = get(sender, place, Some(token), "the claims of a person").await?;
    let found = id_token::said(&body)?;
    if found.subject != said.subject {
        return Err(Refused::because("the claims are about another person than the ID token"));
    }
    Ok(Claims { name: found.name.or(said.name), username: found.username.or(said.username), ..found })
}
