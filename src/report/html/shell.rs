//! What every page has around its content.

use crate::report::page;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("../assets/report.css");

/// The head of a page: no other file is fetched.
pub(super) fn head(title: &str) -> Markup {
    head_with(title, &html! { (PreEscaped(STYLE)) })
}

/// The head of a page with crowds and charts.
pub(super) fn live_head(title: &str) -> Markup {
    head_with(title, &html! { (page::colors()) (PreEscaped(STYLE)) (page::style()) })
}

fn head_with(title: &str, style: &Markup) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (style) }
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
