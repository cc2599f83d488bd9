//! The one way of a value between its forms: stored number or distribution, tree of a file, TOML, JSON, words, JSON Schema.
//!
//! A value is stored as a number; files hold it as a tree. Experiment files and presets are read by the same functions,
//! so that the same text means the same in both.

mod prior;
mod read;
mod write;

pub use read::{Said, Search, distribution, moved, said, stored};
pub use write::{
    default, default_toml, described, drawn, json, numbers, published_trait, schema, search_toml, tree, value,
    words_clipped,
};

#[cfg(test)]
mod tests;
