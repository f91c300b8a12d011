//! The selection of a query on objects of one type: `CollectFields` of GraphQL, done once for all of these objects.
//!
//! The fields, their names and their arguments depend on the type of an object and on the variables, not on the object.
//! So 100 teams share one selection.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use apollo_compiler::ast::{Type, Value as Literal};
use apollo_compiler::collections::{HashSet, IndexMap};
use apollo_compiler::executable::{Field, Selection as Part, SelectionSet};
use apollo_compiler::response::{GraphQLError, JsonMap, JsonValue};
use apollo_compiler::{ExecutableDocument, Name, Schema};
use serde_json::{Value, json};

use super::arguments::{Refusal, arguments};
use crate::error::{Error, Result};

/// The number of fields of selections that are kept for the next object. A query with fragments within fragments may
/// select more: they are collected for each object.
const MOST_KEPT: usize = 5_000;

/// The fields that are selected of objects of a type.
pub struct Selection<'p> {
    /// The type.
    pub kind: &'p str,
    /// The fields, in the order of the response.
    pub fields: Vec<Selected<'p>>,
}

/// A field that is selected, perhaps in several places.
pub struct Selected<'p> {
    /// Its name in the response.
    pub key: &'p Name,
    /// The same, as it begins a member of a JSON object.
    pub label: Box<str>,
    /// Its name.
    pub name: &'static Name,
    /// Its type.
    pub ty: &'static Type,
    /// Its arguments, or why it has no value.
    pub arguments: std::result::Result<JsonMap, Refusal>,
    places: Vec<&'p Field>,
    /// The selections on its values, by their type.
    below: RefCell<Vec<Rc<Selection<'p>>>>,
}

/// Collects the fields of a document.
pub struct Selecting<'p> {
    schema: &'static Schema,
    document: &'p ExecutableDocument,
    variables: &'p JsonMap,
    kept: Cell<usize>,
}

/// The fields that were found, by their names in the response.
type Found<'p> = IndexMap<&'p Name, Vec<&'p Field>>;

impl<'p> Selecting<'p> {
    /// Nothing is collected yet.
    pub fn new(schema: &'static Schema, document: &'p ExecutableDocument, variables: &'p JsonMap) -> Self {
        Self { schema, document, variables, kept: Cell::new(0) }
    }

    /// The selection that these parts of the document make on objects of a type.
    pub fn of(&self, kind: &str, sets: impl IntoIterator<Item = &'p SelectionSet>) -> Result<Selection<'p>> {
        let unknown = || Error::Bug(format!("`{kind}` is no type of an object"));
        let kind = self.schema.get_object(kind).ok_or_else(unknown)?.name.as_str();
        let (mut visited, mut found) = (HashSet::default(), Found::default());
        for set in sets {
            self.collect(kind, set, &mut visited, &mut found);
        }
        let fields = found.into_iter().map(|(key, places)| self.selected(kind, key, places)).collect::<Result<_>>()?;
        Ok(Selection { kind, fields })
    }

    /// The selection on a value of a field, which has this type.
    pub fn below(&self, field: &Selected<'p>, kind: &str) -> Result<Rc<Selection<'p>>> {
        if let Some(known) = field.below.borrow().iter().find(|selection| selection.kind == kind) {
            return Ok(Rc::clone(known));
        }
        if !self.applies(field.ty.inner_named_type(), kind) {
            return Err(Error::Bug(format!("`{}` has a value of the type {kind}", field.name)));
        }
        let selection = Rc::new(self.of(kind, field.places.iter().map(|place| &place.selection_set))?);
        let kept = self.kept.get() + selection.fields.len();
        if kept <= MOST_KEPT {
            self.kept.set(kept);
            field.below.borrow_mut().push(Rc::clone(&selection));
        }
        Ok(selection)
    }

    fn collect(&self, kind: &str, set: &'p SelectionSet, visited: &mut HashSet<&'p Name>, found: &mut Found<'p>) {
        for part in set.selections.iter().filter(|part| self.is_included(part)) {
            match part {
                Part::Field(field) => found.entry(field.response_key()).or_default().push(field),
                Part::InlineFragment(inline) => {
                    if inline.type_condition.as_ref().is_none_or(|condition| self.applies(condition, kind)) {
                        self.collect(kind, &inline.selection_set, visited, found);
                    }
                }
                Part::FragmentSpread(spread) => {
                    if visited.insert(&spread.fragment_name)
                        && let Some(fragment) = self.document.fragments.get(&spread.fragment_name)
                        && self.applies(fragment.type_condition(), kind)
                    {
                        self.collect(kind, &fragment.selection_set, visited, found);
                    }
                }
            }
        }
    }

    /// `DoesFragmentTypeApply`.
    fn applies(&self, condition: &str, kind: &str) -> bool {
        condition == kind || self.schema.is_subtype(condition, kind)
    }

    fn is_included(&self, part: &Part) -> bool {
        let says = |directive: &str, otherwise: bool| {
            let argument = part.directives().get(directive).and_then(|found| found.specified_argument_by_name("if"));
            match argument.map(|value| &**value) {
                Some(Literal::Boolean(flag)) => *flag,
                Some(Literal::Variable(name)) => {
                    self.variables.get(name.as_str()).and_then(JsonValue::as_bool).unwrap_or(otherwise)
                }
                _ => otherwise,
            }
        };
        !says("skip", false) && says("include", true)
    }

    fn selected(&self, kind: &str, key: &'p Name, places: Vec<&'p Field>) -> Result<Selected<'p>> {
        let nameless = || Error::Bug(format!("`{key}` is selected nowhere"));
        let field: &'p Field = places.first().copied().ok_or_else(nameless)?;
        let unknown = |_| Error::Bug(format!("the type {kind} has no field `{}`", field.name));
        let definition = self.schema.type_field(kind, &field.name).map_err(unknown)?;
        Ok(Selected {
            key,
            label: format!("\"{key}\":").into(),
            name: &definition.name,
            ty: &definition.ty,
            arguments: arguments(self.schema, self.variables, definition, field),
            places,
            below: RefCell::default(),
        })
    }

    /// The place of a field in the document, as errors name it.
    pub fn locations(&self, field: &Selected) -> Value {
        let location = field.places.first().and_then(|place| place.name.location());
        json!(GraphQLError::new("", location, &self.document.sources).locations)
    }
}
