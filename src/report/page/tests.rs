use super::*;
use crate::report::fixture;

#[test]
fn hostile_names_stay_text() {
    let mut file = fixture::replay();
    file.title = "</script><script>alert(1)</script>".into();
    file.groups[0] = "<!--<script>".into();
    let page = replay(&file);
    assert_eq!(page.matches("<script").count(), 2, "the data and the program");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    let from = page.find("id=\"data\"").unwrap();
    let from = from + page[from..].find('>').unwrap() + 1;
    let json = &page[from..from + page[from..].find("</script>").unwrap()];
    let data: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::from_value::<ReplayFile>(data["replays"][0].clone()).unwrap(), file);
}

#[test]
fn the_page_asks_for_nothing_else() {
    let page = replay(&fixture::replay());
    for mark in ["http:", "https:", " src=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
        assert!(!page.contains(mark), "{mark}");
    }
}

#[test]
fn scripts_hold_nothing_that_ends_them() {
    for script in [SCRIPTS, WORKER] {
        assert!(!script.contains("</script") && !script.contains("<!--"));
    }
}
