//! Descriptions in forms. Programs may write long ones, which no form shows: each stays until another one is written in its
//! place (decision 53).

/// The longest description in a form, in characters.
const LONGEST: usize = 1_000;

/// The hint for the field of a description that is too long for it.
const HINT: &str = "description-hint";

/// True if a description is too long for a form.
pub(super) fn is_long(stored: &str) -> bool {
    stored.chars().nth(LONGEST).is_some()
}

/// The description as the field of a form has it: empty if it is too long.
pub(super) fn shown(stored: &str) -> &str {
    if is_long(stored) { "" } else { stored }
}

/// The ID of the hint of the field; empty if it has none.
pub(super) fn hint(is_long: bool) -> &'static str {
    if is_long { HINT } else { "" }
}
