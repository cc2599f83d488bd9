//! Spaces, candidates and answers as JSON documents: what programs say and hear that bring an optimizer of their own.

mod answer;
mod candidate;
mod space;

pub use answer::answer;
pub use candidate::genome;
pub use space::{describe, value};

use serde_json::Value;

/// A value for a message, cut where it is long.
pub fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
