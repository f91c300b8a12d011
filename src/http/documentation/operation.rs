//! The page of an operation: what it does, who may, its parameters, a request and the response to it.

use askama::Template;

use super::{Links, html, line, rendered};
use crate::error::Result;
use crate::http::openapi;
use crate::http::openapi::examples::{self, Example};
use crate::http::reference::{Parameter, facts, parameters};
use crate::operation::Operation;
use crate::operations::operations;

#[derive(Template)]
#[template(path = "docs/operation.html")]
struct Page<'a> {
    links: Links,
    name: &'static str,
    area: &'static str,
    summary: String,
    /// The description after the summary, as HTML.
    about: String,
    /// The method and the path of each form, and true if it is deprecated.
    forms: Vec<(&'static str, &'a str, bool)>,
    /// The parameters, as HTML.
    parameters: Vec<Parameter>,
    /// Name, and text as HTML.
    facts: Vec<(&'static str, String)>,
    /// The statuses of refusals.
    errors: Vec<u16>,
    request: String,
    response: String,
}

/// The page of the operation of this name, if there is one.
pub(super) fn page(name: &str) -> Option<Result<String>> {
    let rows = operations();
    rows.iter().find(|row| row.name == name).map(of)
}

fn of(row: &Operation) -> Result<String> {
    let (described, shared) = openapi::described(row);
    let example = examples::of(row);
    let statuses = described["responses"].as_object().into_iter().flatten();
    rendered(&Page {
        links: Links::OF_PAGE,
        name: row.name,
        area: openapi::area(row),
        summary: openapi::summary(row).replace('`', ""),
        about: html(
            row.params.description.strip_prefix(openapi::summary(row)).unwrap_or_default().trim_start_matches('.'),
        ),
        forms: (0..)
            .zip(&row.forms)
            .map(|(n, form)| (row.method.name(), openapi::path(form), row.is_legacy(n)))
            .collect(),
        parameters: parameters(&described, &shared).into_iter().map(as_html).collect(),
        facts: facts(row, &described).into_iter().map(|(name, text)| (name, line(&text))).collect(),
        errors: statuses.filter_map(|(status, _)| status.parse().ok()).filter(|status| *status >= 400).collect(),
        request: example.map(|example| example.curl(row, &row.forms[0])).unwrap_or_default(),
        response: example.map(Example::response).unwrap_or_default(),
    })
}

fn as_html(of: Parameter) -> Parameter {
    Parameter {
        name: line(&of.name),
        kind: line(&of.kind),
        default: of.default.as_deref().map(line),
        meaning: line(&of.meaning),
        ..of
    }
}
