//! `watch`: what a page is told while logs grow, are cut and go away, and who is refused.

use crate::room::ROOM;
use crowdtune_testing::program::Place;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A server that ends with the test.
struct Served {
    child: Child,
    port: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn new(place: &Place, folder: &str) -> Self {
        let mut child = place.command(&["watch", folder]).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.split("127.0.0.1:").nth(1).unwrap_or_else(|| panic!("{line}"));
        let port = port.split('/').next().unwrap().to_string();
        Self { child, port }
    }

    fn ask(&self, method: &str, path: &str, more: &str) -> TcpStream {
        self.ask_as(method, path, &format!("Host: 127.0.0.1:{}\r\n{more}", self.port))
    }

    fn ask_as(&self, method: &str, path: &str, headers: &str) -> TcpStream {
        let mut page = TcpStream::connect(format!("127.0.0.1:{}", self.port)).unwrap();
        page.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(page, "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
        page
    }

    /// The whole answer.
    fn answer(&self, method: &str, path: &str, headers: &str) -> String {
        let mut text = String::new();
        self.ask_as(method, path, headers).read_to_string(&mut text).unwrap();
        text
    }
}

/// The first event that says this.
fn event(events: &mut BufReader<TcpStream>, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(events.read_line(&mut line).unwrap() > 0, "the events ended");
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let said: serde_json::Value = serde_json::from_str(data).unwrap();
        if wanted(&said) {
            return said;
        }
    }
}

fn place() -> Place {
    Place::new(env!("CARGO_BIN_EXE_crowdtune")).with("room.toml", ROOM)
}

#[test]
fn a_page_is_told_what_a_log_has_and_what_becomes_of_it() {
    let place = place();
    fs::create_dir(place.path("runs")).unwrap();
    let served = Served::new(&place, "runs");
    let mut events = BufReader::new(served.ask("GET", "/events", ""));
    event(&mut events, |said| said["all"] == true);
    // A run that comes later is seen.
    place.run(0, "evolve room.toml --out runs/a --quiet");
    let done = event(&mut events, |said| said["run"] == "a" && said["state"] == "finished");
    assert_eq!((done["searched"].as_u64(), done["asked"].as_u64()), (Some(48), Some(48)));
    let log = place.text("runs/a/trials.jsonl");
    let best = |said: &serde_json::Value| said["best"]["objectives"][0].as_f64();
    assert!(best(&done).is_some() && done["best"]["x"].as_array().unwrap().len() == 2, "{done}");

    // Cut in the middle of a row: what is whole counts.
    let rows: Vec<&str> = log.split_inclusive('\n').collect();
    place.write("runs/a/trials.jsonl", rows[..11].concat() + &rows[11][..40]);
    let cut = event(&mut events, |said| said["again"] == true && said["run"] == "a");
    assert_eq!((cut["searched"].as_u64(), cut["points"].as_array().unwrap().len()), (Some(10), 10));

    fs::remove_dir_all(place.path("runs/a")).unwrap();
    event(&mut events, |said| said["state"] == "removed");

    // Whoever comes later is told all of it.
    let mut later = BufReader::new(served.ask("GET", "/events", ""));
    assert_eq!(event(&mut later, |said| said["run"] == "a")["state"], "removed");
}

#[test]
fn only_own_pages_are_answered_and_nothing_is_written() {
    let place = place();
    let served = Served::new(&place, ".");
    let host = format!("Host: localhost:{}\r\n", served.port);
    let code = |text: &str| text.split(' ').nth(1).unwrap_or_default().to_string();
    let page = served.answer("GET", "/", &host);
    assert!(page.contains("200") && page.contains("Content-Security-Policy: default-src 'none'"), "{}", &page[..400]);
    for (method, path, headers, wanted) in [
        ("GET", "/", "Host: example.org\r\n".to_string(), "403"),
        ("GET", "/events", format!("{host}Origin: http://example.org\r\n"), "403"),
        ("GET", "/events", format!("{host}Origin: null\r\n"), "403"),
        ("POST", "/", host.clone(), "405"),
        ("GET", "/../room.toml", host.clone(), "404"),
        ("GET", "/crowd/0", host.clone(), "404"),
        ("GET", "/crowd/-1", host.clone(), "404"),
    ] {
        assert_eq!(code(&served.answer(method, path, &headers)), wanted, "{method} {path} {headers}");
    }
    place.run(2, "watch nowhere").says(&["there is no such folder", "evolve"]);
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 1, "nothing but room.toml");
}
