//! Answers browsers on the loopback: the page, and what is new as server-sent events.

use super::board::Board;
use crate::evolve::log;
use crate::registry::Registry;
use crate::report::watch_page;
use crate::simulator::simulator;
use crowdtune_core::Error;
use serde_json::json;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often the logs are looked at. Chosen here: people see half a second as at once.
const LOOK: Duration = Duration::from_millis(500);
/// How often a connection without news is tried.
const ALIVE: Duration = Duration::from_secs(15);
/// Most pages at once.
const MOST_CLIENTS: usize = 128;
/// Events that are kept for pages that are behind; who is further behind gets everything anew.
const MOST_EVENTS: usize = 512;
const TEXT: &str = "text/plain";
const PAGE: &str = "text/html";
/// How long a browser may take to ask, or to read what it is told.
const PATIENCE: Duration = Duration::from_secs(20);
/// Most connections at once, those of [`MOST_CLIENTS`] among them.
const MOST_CONNECTIONS: usize = 256;
/// Longest head of a request, bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// Nothing from elsewhere is loaded, run or framed.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; \
                      style-src 'unsafe-inline'; connect-src 'self'; img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that is bound and looks at its runs.
pub struct Server {
    listener: TcpListener,
    port: u16,
    shared: Arc<Shared>,
}

/// What threads share.
#[derive(Default)]
struct Shared {
    /// For the page of a crowd.
    simulator: Option<Cow<'static, [u8]>>,
    news: Mutex<News>,
    more: Condvar,
}

#[derive(Default)]
struct News {
    /// In the order in which they were found: a page calls one by its place.
    boards: Vec<Board>,
    events: VecDeque<Arc<str>>,
    /// Number of the first event that is kept.
    first: u64,
    clients: usize,
    open: usize,
}

impl News {
    fn next(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    fn say(&mut self, event: String) {
        self.events.push_back(event.into());
        if self.events.len() > MOST_EVENTS {
            self.events.pop_front();
            self.first += 1;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Server {
    /// Listens on this port of the loopback (0: any that is free) and follows the runs in a folder.
    ///
    /// # Errors
    /// If the port cannot be had, or the simulator cannot be read.
    pub fn new(registry: &Registry, folder: &Path, port: u16) -> Result<Self, Error> {
        let refused = |e: std::io::Error| {
            Error::environment(format!("cannot listen on port {port} of this machine: {e}"))
                .help("choose another one with --port, or leave it out")
        };
        let listener = TcpListener::bind(("127.0.0.1", port)).map_err(refused)?;
        let port = listener.local_addr().map_err(refused)?.port();
        let shared = Arc::new(Shared { simulator: simulator()?, ..Shared::default() });
        let (registry, folder, of_looker) = (registry.clone(), folder.to_owned(), shared.clone());
        thread::spawn(move || {
            loop {
                look(&folder, &registry, &of_looker);
                thread::sleep(LOOK);
            }
        });
        Ok(Self { listener, port, shared })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the program ends, each connection in a thread of its own.
    pub fn serve(&self) {
        // A connection that ends before it is there is no error of ours.
        for browser in self.listener.incoming().flatten() {
            let (shared, port) = (self.shared.clone(), self.port);
            if shared.lock().open >= MOST_CONNECTIONS {
                continue;
            }
            shared.lock().open += 1;
            thread::spawn(move || {
                // Nor is a window that is closed.
                let _ = answer(&shared, port, browser);
                shared.lock().open -= 1;
            });
        }
    }
}

/// Answers the one request of a connection.
fn answer(shared: &Shared, port: u16, mut browser: TcpStream) -> std::io::Result<()> {
    browser.set_read_timeout(Some(PATIENCE))?;
    let Some(asked) = Asked::read(&mut browser)? else {
        return respond(&mut browser, "400 Bad Request", TEXT, "this is no request that a browser makes\n");
    };
    if let Some((status, why)) = asked.refusal(port) {
        return respond(&mut browser, status, TEXT, why);
    }
    match asked.path.as_str() {
        "/" => respond(&mut browser, "200 OK", PAGE, &watch_page::page()),
        "/events" => stream(shared, browser),
        // Browsers ask for a picture by themselves.
        "/favicon.ico" => respond(&mut browser, "204 No Content", TEXT, ""),
        path => match path.strip_prefix("/crowd/").and_then(|at| crowd(shared, at)) {
            Some(page) => respond(&mut browser, "200 OK", PAGE, &page),
            None => respond(&mut browser, "404 Not Found", TEXT, "there is nothing here; the page is at /\n"),
        },
    }
}

/// The page of the run at this place.
fn crowd(shared: &Shared, at: &str) -> Option<String> {
    let at: usize = at.parse().ok()?;
    shared.lock().boards.get(at)?.crowd(shared.simulator.as_deref())
}

fn stream(shared: &Shared, mut browser: TcpStream) -> std::io::Result<()> {
    let mut news = shared.lock();
    if news.clients >= MOST_CLIENTS {
        drop(news);
        return respond(&mut browser, "503 Service Unavailable", TEXT, "too many pages watch already; close some\n");
    }
    news.clients += 1;
    drop(news);
    browser.set_write_timeout(Some(PATIENCE))?;
    let ended = follow(shared, browser);
    shared.lock().clients -= 1;
    ended
}

/// What a browser asks.
struct Asked {
    method: String,
    path: String,
    host: Option<String>,
    origin: Option<String>,
}

impl Asked {
    /// Reads the head of a request; `None` if it is none, or too long.
    fn read(browser: &mut TcpStream) -> std::io::Result<Option<Self>> {
        let mut head = Vec::new();
        let mut part = [0; 2048];
        while head.len() < LONGEST_HEAD {
            let count = browser.read(&mut part)?;
            head.extend_from_slice(&part[..count]);
            let mut headers = [httparse::EMPTY_HEADER; 64];
            let mut request = httparse::Request::new(&mut headers);
            match request.parse(&head) {
                Ok(httparse::Status::Partial) if count > 0 => {}
                Ok(httparse::Status::Complete(_)) => return Ok(Self::of(&request)),
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    fn of(request: &httparse::Request<'_, '_>) -> Option<Self> {
        let header = |name: &str| {
            let found = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
            Some(String::from_utf8_lossy(found.value).into_owned())
        };
        let (host, origin) = (header("Host"), header("Origin"));
        Some(Self { method: request.method?.into(), path: request.path?.into(), host, origin })
    }

    /// Why it is not answered: it does not come from a page of this server, or it wants more than to read.
    fn refusal(&self, port: u16) -> Option<(&'static str, &'static str)> {
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        if !self.host.as_ref().is_some_and(|host| own.contains(host)) {
            return Some(("403 Forbidden", "this page is for 127.0.0.1 and localhost only\n"));
        }
        let same = |origin: &String| own.iter().any(|own| *origin == format!("http://{own}"));
        if !self.origin.as_ref().is_none_or(same) {
            return Some(("403 Forbidden", "another site may not read this page\n"));
        }
        (self.method != "GET").then_some(("405 Method Not Allowed", "this page can only be read\n"))
    }
}

/// Looks for new runs and for news of those that are known.
fn look(folder: &Path, registry: &Registry, shared: &Shared) {
    let mut found = runs(folder);
    let mut news = shared.lock();
    found.sort_by(|a, b| crate::format::natural(&a.0, &b.0));
    for (name, path) in found {
        if !news.boards.iter().any(|board| board.name == name) {
            news.boards.push(Board::new(name, &path));
        }
    }
    let crowds = shared.simulator.is_some();
    let events: Vec<String> = news
        .boards
        .iter_mut()
        .enumerate()
        .filter_map(|(at, board)| board.poll(registry).then(|| board.news(crowds.then_some(at)).to_string()))
        .collect();
    let any = !events.is_empty();
    events.into_iter().for_each(|event| news.say(event));
    drop(news);
    if any {
        shared.more.notify_all();
    }
}

/// The run folders in a folder, two levels deep, with their names relative to it; itself if it is one.
fn runs(folder: &Path) -> Vec<(String, PathBuf)> {
    if folder.join(log::FILE).is_file() {
        let name = folder.file_name().map_or_else(|| ".".into(), |name| name.to_string_lossy().into_owned());
        return vec![(name, folder.to_owned())];
    }
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    };
    let mut found = Vec::new();
    for path in inside(folder).into_iter().flat_map(|path| [vec![path.clone()], inside(&path)].concat()) {
        if path.join(log::FILE).is_file() {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            found.push((name, path));
        }
    }
    found
}

/// Sends everything, then what is new, as long as somebody listens.
fn follow(shared: &Shared, mut page: TcpStream) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nretry: 1000\n\n"
    );
    page.write_all(head.as_bytes())?;
    let mut at: Option<u64> = None;
    loop {
        let mut news = shared.lock();
        let mut text = String::new();
        match at {
            Some(next) if next >= news.first => {
                if news.next() == next {
                    news = shared.more.wait_timeout(news, ALIVE).unwrap_or_else(PoisonError::into_inner).0;
                }
                let from = (next.max(news.first) - news.first) as usize;
                news.events.iter().skip(from).for_each(|event| text += &format!("data: {event}\n\n"));
                if text.is_empty() {
                    text += ": still here\n\n";
                }
            }
            // New here, or too far behind.
            _ => {
                text += &format!("data: {}\n\n", json!({ "all": true }));
                let crowds = shared.simulator.is_some();
                for (at, board) in news.boards.iter().enumerate() {
                    text += &format!("data: {}\n\n", board.whole(crowds.then_some(at)));
                }
            }
        }
        at = Some(news.next());
        // Nobody waits for a page that is slow.
        drop(news);
        page.write_all(text.as_bytes())?;
        page.flush()?;
    }
}

fn respond(browser: &mut TcpStream, status: &str, kind: &str, text: &str) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nContent-Security-Policy: {POLICY}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
        text.len()
    );
    browser.write_all(head.as_bytes())?;
    browser.write_all(text.as_bytes())?;
    browser.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_server_are_answered() {
        let asked = |method: &str, host: Option<&str>, origin: Option<&str>| Asked {
            method: method.into(),
            path: "/".into(),
            host: host.map(Into::into),
            origin: origin.map(Into::into),
        };
        let get = |host, origin| asked("GET", host, origin).refusal(80).map(|r| &r.0[..3]);
        assert_eq!(get(Some("127.0.0.1:80"), None), None);
        assert_eq!(get(Some("localhost:80"), Some("http://127.0.0.1:80")), None);
        for host in
            [None, Some("example.org"), Some("127.0.0.1"), Some("127.0.0.1:81"), Some("localhost:80.example.org")]
        {
            assert_eq!(get(host, None), Some("403"), "{host:?}");
        }
        for origin in ["null", "http://example.org", "https://127.0.0.1:80", "http://127.0.0.1:80.example.org"] {
            assert_eq!(get(Some("localhost:80"), Some(origin)), Some("403"), "{origin}");
        }
        assert_eq!(asked("POST", Some("localhost:80"), None).refusal(80).map(|r| &r.0[..3]), Some("405"));
    }
}
