//! The page of `crowdtune watch`: it asks its own server for events and nothing else.

use super::page;
use maud::{DOCTYPE, PreEscaped, html};

const STYLE: &str = include_str!("assets/watch/watch.css");
const CHARTS: &str = include_str!("assets/vendor/d3.js");
const SCRIPT: &str = include_str!("assets/watch/watch.js");

/// The page; what it shows comes as events.
pub fn page() -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "crowdtune watch" }
                style { (page::colors()) (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { "Searches" }
                    p #link role="status" aria-live="polite" { "Connecting." }
                }
                main {
                    section aria-labelledby="runs-title" {
                        h2 #runs-title { "Runs" }
                        div #runs.scroll tabindex="0" role="region" aria-labelledby="runs-title" { }
                    }
                    section aria-labelledby="curves-title" {
                        h2 #curves-title { "Best loss so far" }
                        div #curves.picture { }
                        p #curves-said.note { }
                    }
                    section #one aria-labelledby="one-title" hidden {
                        h2 #one-title { }
                        p #one-said.note { }
                        p { a #crowd href="" hidden { "Watch its best crowd so far" } }
                        div #cloud.picture { }
                        div.columns {
                            div { h3 { "Best candidate" } div #best.scroll tabindex="0" role="region" aria-label="Best candidate" { } }
                            div { h3 { "Failures" } div #failures { } }
                        }
                    }
                    noscript { p { "This page needs JavaScript." } }
                }
                script { (PreEscaped(CHARTS)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_loads_nothing_from_elsewhere() {
        let page = super::page();
        for mark in [" src=", "@import", "url(", "<link"] {
            assert!(!page.contains(mark), "{mark}");
        }
        assert_eq!(page.matches("</script>").count(), 2);
    }
}
