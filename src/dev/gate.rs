//! The gate in front of the edge. Requests below `/_guildhall` go to `control`. Every other request passes the guard and
//! the faults, is answered by the current generation, and is recorded.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header::{DATE, HeaderMap};
use hyper::http::request::Parts;
use hyper::{Method, Request};

use super::current::{Current, Held};
use super::faults::{Effect, Ready};
use super::generation::Generation;
use super::guard::{self, Guard};
use super::requests::{Entry, masked, masked_path};
use super::{below_prefix, control, fault_answers};
use crate::access::token;
use crate::caller::Person;
use crate::dispatch::Credentials;
use crate::error::Error;
use crate::http::address::{Connection, strip_prefix};
use crate::http::conditional;
use crate::http::edge::{discard, finish, presented};
use crate::http::front::{Dropped, Front};
use crate::http::problem::problem;
use crate::http::response::{self, Answer};
use crate::http::routes::Route;
use crate::http::timeouts::Serving;
use crate::links::Links;

/// Answers the requests of `guildhall dev`.
pub struct Gate {
    current: Arc<Current>,
    guard: Guard,
}

impl Gate {
    /// A gate in front of the generations.
    pub fn new(current: Arc<Current>, guard: Guard) -> Self {
        Self { current, guard }
    }

    fn docs(&self) -> String {
        let url = self.current.url().to_owned();
        Links { api: url.clone(), origin: url }.html("/docs")
    }

    /// Carries out a request, unless a fault answers it.
    async fn pass(
        &self,
        generation: Held,
        (parts, incoming): (Parts, Incoming),
        connection: &Connection,
        serving: Serving,
    ) -> Result<Answer, Dropped> {
        let operation = operation(&generation, &parts);
        let person = person(&generation, &parts.headers).await;
        let met = generation.faults.meet(operation, &parts.method, strip_prefix(parts.uri.path()).1);
        let (fault, effect) = met.unzip();
        let mut entry = Entry {
            method: parts.method.to_string(),
            path: masked_path(parts.uri.path()),
            query: parts.uri.query().map(masked),
            operation,
            login: person.as_ref().map(|person| person.login.to_string()),
            status: None,
            request_id: None,
            fault,
        };
        let writes = ![Method::GET, Method::HEAD, Method::OPTIONS].contains(&parts.method);
        let caller = (person.as_ref(), connection.peer);
        let answered = self.answer(&generation, effect.as_ref(), caller, (parts, incoming), connection, serving).await;
        if let Ok(answer) = &answered {
            if writes && answer.status.as_u16() < 400 {
                generation.settle().await;
            }
            entry.status = Some(answer.status.as_u16());
            entry.request_id = answer.headers.get(&response::REQUEST_ID).and_then(|id| Some(id.to_str().ok()?.into()));
        }
        generation.requests.push(entry);
        answered
    }

    async fn answer(
        &self,
        generation: &Generation,
        effect: Option<&Effect>,
        caller: (Option<&Person>, std::net::IpAddr),
        (parts, incoming): (Parts, Incoming),
        connection: &Connection,
        serving: Serving,
    ) -> Result<Answer, Dropped> {
        let mut own = None;
        if let Some(effect) = effect {
            if !self.delayed(effect).await {
                own = Some(self.interrupted());
            } else if effect.ready == Some(Ready::Drop) {
                return Err(Dropped);
            } else {
                own = fault_answers::answer(effect, generation, &self.docs(), caller);
            }
        }
        let (verb, version) = (parts.method.clone(), parts.version);
        let mut answer = if let Some(mut answer) = own {
            discard(incoming, &serving);
            finish(&mut answer, &verb, version, serving);
            answer
        } else {
            let request = Request::from_parts(parts, incoming);
            Arc::clone(&generation.edge).answer(request, connection, serving).await
        };
        if let Some(effect) = effect {
            fault_answers::add_headers(&mut answer.headers, effect);
        }
        Ok(answer)
    }

    /// Waits as long as a fault says. Returns false if a reset began first.
    async fn delayed(&self, effect: &Effect) -> bool {
        if effect.delay.is_zero() {
            return true;
        }
        tokio::select! {
            () = tokio::time::sleep(effect.delay) => true,
            () = self.current.next_reset() => false,
        }
    }

    /// The response to a request that a reset has interrupted.
    fn interrupted(&self) -> Answer {
        let docs = self.docs();
        let problem = problem(&Error::Unavailable("a reset has begun".into()), &docs, &docs);
        response::json(problem.status, Some(problem.body.into()))
    }
}

impl Front for Gate {
    async fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
        connection: &Connection,
        serving: Serving,
    ) -> Result<Answer, Dropped> {
        let (parts, mut incoming) = request.into_parts();
        let admitted = if below_prefix(parts.uri.path()).is_some() {
            Err(control::answer(&self.current, &self.guard, &parts, &mut incoming).await)
        } else {
            self.guard.check(&parts).map_err(|refusal| control::refused(&refusal))
        };
        let origin = match admitted {
            Ok(origin) => origin,
            Err(mut answer) => {
                discard(incoming, &serving);
                finish(&mut answer, &parts.method, parts.version, serving);
                return Ok(answer);
            }
        };
        let generation = self.current.enter().await;
        let clock = Arc::clone(&generation.clock);
        // The future of a request is large, and there is one for each connection.
        let mut answer = Box::pin(self.pass(generation, (parts, incoming), connection, serving)).await?;
        guard::allow(&mut answer.headers, origin);
        // The server would set the time of the system.
        answer.headers.set(DATE, conditional::http_date(clock.now().seconds()));
        Ok(answer)
    }
}

fn operation(generation: &Generation, parts: &Parts) -> Option<&'static str> {
    match generation.edge.routes.find(&parts.method, strip_prefix(parts.uri.path()).1) {
        Ok(Route::Operation { row, .. }) => Some(generation.edge.service.operations[row].name),
        _ => None,
    }
}

/// The person whose token was sent.
async fn person(generation: &Generation, headers: &HeaderMap) -> Option<Person> {
    let Credentials::Token(hash) = presented(headers) else { return None };
    let service = &generation.edge.service;
    let now = service.now();
    let presenter = service.db.read(move |tx| token::authenticate(tx, &hash, now)).await;
    presenter.ok()?.caller.person
}
