//! crowdtune for a page: experiments, crowds that step, and searches, asked in JSON.
//!
//! A page makes one instance for each thing that runs at once and calls [`abi::call`] with a question ([`Ask`]); the answer is JSON,
//! `{"error": ...}` where the question cannot be answered. The people of a crowd are read from memory ([`Page::people`]), because they
//! are many and there are sixty frames a second. The module imports nothing: no clock, no randomness, no file.

pub mod abi;
mod live;
mod page;
mod search;

pub use page::{Ask, Page};
