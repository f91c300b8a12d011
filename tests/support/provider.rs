//! An identity provider: it signs in whom the test wants, and says about them what the test wants.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use guildhall::identity;
use guildhall::operation::IdentityProvider;
use percent_encoding::percent_decode_str;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair, RsaPublicKeyComponents,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::World;
use super::browser::encoded;
use super::waiting;
use super::world::Settings;

/// The client that every site of the tests is.
const CLIENT: &str = "guildhall & co";
const SECRET: &str = "a secret: 100% +";
const BACK: &str = "https://teams.example.org/login/provider/callback";

/// The client of a provider.
pub fn client(known: &IdentityProvider) -> identity::Provider {
    let client = identity::Client {
        issuer: known.issuer.clone(),
        id: CLIENT.into(),
        secret: SECRET.into(),
        redirect_uri: BACK.into(),
    };
    identity::Provider::new(client, known.creates || known.trusts_email).expect("a provider")
}

/// The manner in which an ID token is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    Rs256,
    Es256,
    /// Not at all.
    None,
    /// With the public key as a shared secret.
    Hs256,
    /// With the bytes of another message.
    Wrong,
}

/// A person who signs in, and what the provider will say about them.
#[derive(Debug, Clone)]
pub struct Login {
    pub state: String,
    pub claims: Value,
    pub header: Value,
    pub signature: Signature,
    /// The claims that are at the endpoint for them.
    pub userinfo: Value,
    /// The issuer that the browser brings back.
    pub iss: Option<String>,
    challenge: String,
}

/// A request that the provider got.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    pub authorization: String,
    pub fields: HashMap<String, String>,
}

struct Shared {
    issuer: String,
    rsa: RsaKeyPair,
    ec: EcdsaKeyPair,
    /// Other answers of the provider at some paths: a status, further headers, and a body.
    answers: Mutex<HashMap<&'static str, (u16, String, String)>>,
    /// The identifiers of the keys that it publishes, RSA and P-256.
    key_ids: Mutex<[String; 2]>,
    logins: Mutex<Vec<Login>>,
    asked: Mutex<Vec<Asked>>,
    /// The path whose requests wait, and the number of those that do.
    held: Mutex<(Option<&'static str>, usize)>,
    changed: Condvar,
}

/// An identity provider on a port of its own.
#[derive(Clone)]
pub struct Provider(Arc<Shared>);

impl Provider {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let random = SystemRandom::new();
        let ec = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
        let ec = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, ec.as_ref(), &random).expect("a key");
        let shared = Arc::new(Shared {
            issuer,
            rsa: rsa(),
            ec,
            answers: Mutex::default(),
            key_ids: Mutex::new(["rsa-1".into(), "ec-1".into()]),
            logins: Mutex::default(),
            asked: Mutex::default(),
            held: Mutex::default(),
            changed: Condvar::new(),
        });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                std::thread::spawn(move || shared.serve(&stream));
            }
        });
        Self(shared)
    }

    /// A world whose site has this provider.
    pub fn world(&self, change: impl FnOnce(&mut Settings)) -> World {
        let mut settings = Settings { delivers: true, ..Settings::default() };
        settings.provider =
            Some(IdentityProvider { issuer: self.0.issuer.clone(), creates: false, trusts_email: false });
        change(&mut settings);
        World::with(settings)
    }

    pub fn issuer(&self) -> &str {
        &self.0.issuer
    }

    /// The host, by which people know it.
    pub fn host(&self) -> &str {
        self.0.issuer.split('/').nth(2).expect("a host")
    }

    /// From now on, answers like this at a path.
    pub fn answer(&self, path: &'static str, status: u16, headers: &str, body: &str) {
        self.0.answers.lock().expect("answers").insert(path, (status, headers.into(), body.into()));
    }

    /// From now on, answers as usual.
    pub fn recover(&self) {
        self.0.answers.lock().expect("answers").clear();
    }

    /// From now on, lets requests for a path wait.
    pub fn hold(&self, path: &'static str) {
        self.0.held.lock().expect("a path").0 = Some(path);
    }

    /// Waits until a request waits.
    pub fn until_held(&self) {
        waiting::until("a request waits", || self.0.held.lock().expect("a path").1 > 0);
    }

    /// Answers what waits.
    pub fn release(&self) {
        self.0.held.lock().expect("a path").0 = None;
        self.0.changed.notify_all();
    }

    /// From now on, publishes its keys with other identifiers.
    pub fn rotate(&self, ids: [&str; 2]) {
        *self.0.key_ids.lock().expect("identifiers") = ids.map(str::to_owned);
    }

    /// The number of requests for a path.
    pub fn count(&self, path: &str) -> usize {
        self.asked().iter().filter(|asked| asked.path == path).count()
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.0.asked.lock().expect("requests").clone()
    }

    /// A person arrives from a page that leads here.
    #[track_caller]
    pub fn arrive(&self, world: &World, page: &str, subject: &str) -> Login {
        let url = page.split("content=\"0; url=").nth(1).and_then(|rest| rest.split('"').next());
        let url = url.unwrap_or_else(|| panic!("no way to the provider in {page}")).replace("&#38;", "&");
        let (place, query) = url.split_once('?').expect("a query");
        assert_eq!(place, format!("{}/authorize", self.0.issuer));
        let sent = fields(query);
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", CLIENT),
            ("redirect_uri", BACK),
            ("scope", "openid profile email"),
            ("code_challenge_method", "S256"),
        ] {
            assert_eq!(sent[name], value);
        }
        let now = world.now().seconds();
        let claims = json!({
            "iss": self.0.issuer, "sub": subject, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": sent["nonce"],
        });
        let header = json!({ "alg": "RS256", "kid": self.0.key_ids.lock().expect("identifiers")[0] });
        let (state, challenge) = (sent["state"].clone(), sent["code_challenge"].clone());
        let userinfo = json!({ "sub": subject });
        Login { state, claims, header, signature: Signature::Rs256, userinfo, iss: None, challenge }
    }

    /// Sends a person back. Returns the path with which their browser comes.
    pub fn send_back(&self, login: Login) -> String {
        let mut logins = self.0.logins.lock().expect("logins");
        let (code, state) = (format!("code+{}", logins.len()), login.state.clone());
        let mut sent = vec![("code", code.as_str()), ("state", &state)];
        let iss = login.iss.clone();
        sent.extend(iss.as_deref().map(|iss| ("iss", iss)));
        logins.push(login);
        format!("/login/provider/callback?{}", encoded(&sent))
    }
}

impl Login {
    /// The same with another claim.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.claims[name] = value.into();
        self
    }

    /// The same without a claim.
    pub fn without(mut self, name: &str) -> Self {
        self.claims.as_object_mut().expect("claims").remove(name);
        self
    }

    /// The same, signed in another way.
    pub fn signed(mut self, signature: Signature, alg: &str) -> Self {
        (self.signature, self.header["alg"]) = (signature, alg.into());
        self
    }

    /// The same with another field of the header.
    pub fn header(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.header[name] = value.into();
        self
    }
}

impl Shared {
    fn serve(&self, stream: &TcpStream) {
        let Some(asked) = read(stream) else { return };
        self.asked.lock().expect("requests").push(asked.clone());
        let mut held = self.held.lock().expect("a path");
        if held.0 == Some(asked.path.as_str()) {
            held.1 += 1;
            held = self.changed.wait_while(held, |held| held.0.is_some()).expect("a path");
        }
        drop(held);
        let known = self.answers.lock().expect("answers").get(asked.path.as_str()).cloned();
        let (status, headers, body) = known.unwrap_or_else(|| {
            let (status, body) = self.answer(&asked);
            (status, String::new(), body.to_string())
        });
        let mut stream = stream;
        let first = format!("HTTP/1.1 {status} Status\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
        _ = stream.write_all(first.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
    }

    fn answer(&self, asked: &Asked) -> (u16, Value) {
        match asked.path.as_str() {
            "/.well-known/openid-configuration" => (200, self.metadata()),
            "/keys" => (200, self.keys()),
            "/token" => self.tokens(asked).unwrap_or((400, json!({ "error": "invalid_grant" }))),
            "/userinfo" => self.userinfo(asked).unwrap_or((401, json!({}))),
            _ => (404, json!({})),
        }
    }

    fn metadata(&self) -> Value {
        let at = |path: &str| format!("{}{path}", self.issuer);
        json!({
            "issuer": self.issuer, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
            "jwks_uri": at("/keys"), "userinfo_endpoint": at("/userinfo"),
        })
    }

    fn keys(&self) -> Value {
        let [rsa, ec] = self.key_ids.lock().expect("identifiers").clone();
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let (public, point) =
            (RsaPublicKeyComponents::<Vec<u8>>::from(self.rsa.public()), self.ec.public_key().as_ref());
        let (n, e) = (encode(&public.n), encode(&public.e));
        let (x, y) = (encode(&point[1..33]), encode(&point[33..]));
        json!({ "keys": [
            { "kty": "RSA", "use": "sig", "alg": "RS256", "kid": rsa, "n": n, "e": e },
            { "kty": "EC", "crv": "P-256", "kid": ec, "x": x, "y": y },
        ] })
    }

    /// Exchanges a code, if everything that comes with it is right.
    fn tokens(&self, asked: &Asked) -> Option<(u16, Value)> {
        let part = |text: &str| encoded(&[("", text)])[1..].to_owned();
        let credentials = format!("Basic {}", STANDARD.encode(format!("{}:{}", part(CLIENT), part(SECRET))));
        assert_eq!((&asked.authorization, asked.fields["redirect_uri"].as_str()), (&credentials, BACK));
        let number: usize = asked.fields["code"].strip_prefix("code+")?.parse().ok()?;
        let login = self.logins.lock().expect("logins").get(number)?.clone();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&asked.fields["code_verifier"]));
        if login.challenge != challenge {
            return None;
        }
        let id_token = self.signed(&login);
        Some((200, json!({ "id_token": id_token, "access_token": format!("access-{number}"), "token_type": "Bearer" })))
    }

    fn userinfo(&self, asked: &Asked) -> Option<(u16, Value)> {
        let number: usize = asked.authorization.strip_prefix("Bearer access-")?.parse().ok()?;
        Some((200, self.logins.lock().expect("logins").get(number)?.userinfo.clone()))
    }

    fn signed(&self, login: &Login) -> String {
        let part = |json: &Value| URL_SAFE_NO_PAD.encode(json.to_string());
        let message = format!("{}.{}", part(&login.header), part(&login.claims));
        let rsa = |message: &str| {
            let mut signature = vec![0; self.rsa.public().modulus_len()];
            let random = SystemRandom::new();
            self.rsa.sign(&RSA_PKCS1_SHA256, &random, message.as_bytes(), &mut signature).expect("a signature");
            signature
        };
        let signature = match login.signature {
            Signature::Rs256 => rsa(&message),
            Signature::Wrong => rsa("another message"),
            Signature::Es256 => {
                self.ec.sign(&SystemRandom::new(), message.as_bytes()).expect("a signature").as_ref().to_vec()
            }
            Signature::None => Vec::new(),
            Signature::Hs256 => {
                let key = hmac::Key::new(hmac::HMAC_SHA256, self.rsa.public_key().as_ref());
                hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
            }
        };
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

/// The key of RSA, because making one takes long.
fn rsa() -> RsaKeyPair {
    let pem = include_str!("../tls/provider.pem");
    let text: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    RsaKeyPair::from_pkcs8(&STANDARD.decode(text).expect("a key")).expect("a key")
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut authorization, mut length) = (String::new(), 0);
    loop {
        line.clear();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("authorization") => value.clone_into(&mut authorization),
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok()?,
            None if line == "\r\n" => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { path, authorization, fields: fields(str::from_utf8(&body).ok()?) })
}

/// The fields of a query or a form.
fn fields(text: &str) -> HashMap<String, String> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().expect("UTF-8").into_owned();
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}
