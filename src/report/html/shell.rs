//! What every page has around its content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("../assets/report.css");

/// The head of a page: no other file is fetched.
pub(super) fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

/// A whole page with this content.
pub fn shell(title: &str, content: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" { (head(title)) body { main { (content) } } }
    }
    .into_string()
}
