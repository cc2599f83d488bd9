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
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response};

/// How often the logs are looked at. Chosen here: people see half a second as at once.
const LOOK: Duration = Duration::from_millis(500);
/// How often a connection without news is tried.
const ALIVE: Duration = Duration::from_secs(15);
/// Most pages at once.
const MOST_CLIENTS: usize = 128;
/// Events that are kept for pages that are behind; who is further behind gets everything anew.
const MOST_EVENTS: usize = 512;
const NOTHING: &str = "there is nothing here; the page is at /\n";
/// Nothing from elsewhere is loaded, run or framed.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; \
                      style-src 'unsafe-inline'; connect-src 'self'; img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A server that is bound and looks at its runs.
pub struct Server {
    http: Arc<tiny_http::Server>,
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
        let http = tiny_http::Server::http(("127.0.0.1", port)).map_err(|e| {
            Error::environment(format!("cannot listen on port {port} of this machine: {e}"))
                .help("choose another one with --port, or leave it out")
        })?;
        let port = http.server_addr().to_ip().map_or(port, |address| address.port());
        let shared = Arc::new(Shared { simulator: simulator()?, ..Shared::default() });
        let (registry, folder, of_looker) = (registry.clone(), folder.to_owned(), shared.clone());
        thread::spawn(move || {
            loop {
                look(&folder, &registry, &of_looker);
                thread::sleep(LOOK);
            }
        });
        Ok(Self { http: Arc::new(http), port, shared })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers until the program ends.
    pub fn serve(&self) {
        for request in self.http.incoming_requests() {
            self.answer(request);
        }
    }

    fn answer(&self, request: Request) {
        // A browser that closes its window is no error of ours.
        let _ = match self.refusal(&request) {
            Some((code, why)) => respond(request, code, "text/plain; charset=utf-8", why),
            None if request.url() == "/" => respond(request, 200, "text/html; charset=utf-8", &watch_page::page()),
            None if request.url() == "/events" => {
                self.stream(request);
                Ok(())
            }
            None if request.url().starts_with("/crowd/") => self.crowd(request),
            None => respond(request, 404, "text/plain; charset=utf-8", NOTHING),
        };
    }

    fn crowd(&self, request: Request) -> std::io::Result<()> {
        let at: Option<usize> = request.url().strip_prefix("/crowd/").and_then(|at| at.parse().ok());
        let page = at.and_then(|at| self.shared.lock().boards.get(at)?.crowd(self.shared.simulator.as_deref()));
        match page {
            Some(page) => respond(request, 200, "text/html; charset=utf-8", &page),
            None => respond(request, 404, "text/plain; charset=utf-8", NOTHING),
        }
    }

    /// Why a request is not answered: it does not come from a page of this server.
    fn refusal(&self, request: &Request) -> Option<(u16, &'static str)> {
        let header = |name: &'static str| {
            request.headers().iter().find(|h| h.field.equiv(name)).map(|h| h.value.as_str().to_string())
        };
        refusal(request.method(), header("Host").as_deref(), header("Origin").as_deref(), self.port)
    }

    fn stream(&self, request: Request) {
        {
            let mut news = self.shared.lock();
            if news.clients >= MOST_CLIENTS {
                drop(news);
                let _ =
                    respond(request, 503, "text/plain; charset=utf-8", "too many pages watch already; close some\n");
                return;
            }
            news.clients += 1;
        }
        let shared = self.shared.clone();
        thread::spawn(move || {
            // Ends when the page is closed.
            let _ = follow(&shared, request.into_writer());
            shared.lock().clients -= 1;
        });
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
fn follow(shared: &Shared, mut page: Box<dyn Write + Send>) -> std::io::Result<()> {
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

fn refusal(method: &Method, host: Option<&str>, origin: Option<&str>, port: u16) -> Option<(u16, &'static str)> {
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    if !host.is_some_and(|host| own.iter().any(|own| own == host)) {
        return Some((403, "this page is for 127.0.0.1 and localhost only\n"));
    }
    let same = |origin: &str| own.iter().any(|own| origin == format!("http://{own}"));
    if !origin.is_none_or(same) {
        return Some((403, "another site may not read this page\n"));
    }
    (*method != Method::Get).then_some((405, "this page can only be read\n"))
}

fn respond(request: Request, code: u16, kind: &str, text: &str) -> std::io::Result<()> {
    let fields = [
        ("Content-Type", kind),
        ("Content-Security-Policy", POLICY),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
    ];
    let headers = fields.iter().filter_map(|(name, value)| Header::from_bytes(*name, *value).ok());
    let response = headers.fold(Response::from_string(text).with_status_code(code), Response::with_header);
    request.respond(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_this_server_are_answered() {
        let get = |host, origin| refusal(&Method::Get, host, origin, 80).map(|r| r.0);
        assert_eq!(get(Some("127.0.0.1:80"), None), None);
        assert_eq!(get(Some("localhost:80"), Some("http://127.0.0.1:80")), None);
        for host in
            [None, Some("example.org"), Some("127.0.0.1"), Some("127.0.0.1:81"), Some("localhost:80.example.org")]
        {
            assert_eq!(get(host, None), Some(403), "{host:?}");
        }
        for origin in ["null", "http://example.org", "https://127.0.0.1:80", "http://127.0.0.1:80.example.org"] {
            assert_eq!(get(Some("localhost:80"), Some(origin)), Some(403), "{origin}");
        }
        assert_eq!(refusal(&Method::Post, Some("localhost:80"), None, 80).map(|r| r.0), Some(405));
    }
}
