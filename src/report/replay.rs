//! One self-contained page that plays recorded crowds.

use crate::replay::ReplayFile;

const PAGE: &str = include_str!("assets/replay.html");
const STYLE: &str = include_str!("assets/replay.css");
const SCRIPT: &str = include_str!("assets/replay.js");

/// The page, with everything inline: it fetches neither fonts nor anything else.
pub fn page(file: &ReplayFile) -> String {
    let title = if file.title.is_empty() { "Replay" } else { &file.title };
    let parts = [("{{title}}", escape(title)), ("{{style}}", STYLE.into()), ("{{script}}", SCRIPT.into())];
    // One pass over the template, so that a title that looks like a mark stays a title.
    let mut out = String::new();
    let mut rest = PAGE;
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = parts.iter().find(|(mark, _)| rest.starts_with(mark));
        let (mark, text) = match known {
            Some((mark, text)) => (*mark, text.clone()),
            None => ("{{data}}", data(file)),
        };
        out.push_str(&text);
        rest = &rest[mark.len()..];
    }
    out + rest
}

/// The recording as JSON that can stand inside a script element: no `<` survives.
fn data(file: &ReplayFile) -> String {
    let text = serde_json::to_string(file).expect("a replay holds only text and finite numbers");
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn hostile_names_stay_text() {
        let mut file = fixture::replay();
        file.title = "</script><script>alert(1)</script>{{data}}".into();
        file.groups[0] = "<!--<script>".into();
        let page = page(&file);
        assert_eq!(page.matches("<script").count(), 2, "the data and the program");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
        let from = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
        let json = &page[from..from + page[from..].find("</script>").unwrap()];
        assert_eq!(serde_json::from_str::<ReplayFile>(json).unwrap(), file);
    }

    #[test]
    fn the_page_asks_for_nothing_else() {
        let page = page(&fixture::replay());
        for mark in ["http:", "https:", "src=", "@import", "url(", "{{"] {
            assert!(!page.contains(mark), "{mark}");
        }
    }
}
