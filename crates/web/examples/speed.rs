//! Milliseconds for 1000 steps of a crowd, asked as a page asks: one line for each line of stdin, an experiment as JSON text.
//! `benches/pages.mjs` puts them beside those of WebAssembly.

use crowdtune::core::math::lanes;
use crowdtune_web::Page;
use serde_json::{Value, json};
use std::io::{BufRead as _, stdin};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(path) = std::env::var("CROWDTUNE_SIMD").ok().and_then(|name| lanes::Path::named(&name)) {
        lanes::choose(path);
    }
    for line in stdin().lock().lines() {
        let text: String = serde_json::from_str(&line?)?;
        let mut page = Page::default();
        let mut ask = |question: Value| page.call(question.to_string().as_bytes()).to_string();
        ask(json!({ "open": { "file": "crowd.toml", "text": text } }));
        ask(json!({ "start": { "case": 0 } }));
        let since = Instant::now();
        ask(json!({ "step": 1000 }));
        println!("{}", since.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(())
}
