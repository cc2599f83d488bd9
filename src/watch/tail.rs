//! What a growing log has more since it was looked at last.

use crate::evolve::log::{self, Header};
use crowdtune_search::Trial;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Most bytes that are read at once: a log of any size is read in steps.
const STEP: u64 = 8 << 20;

/// News of a log.
#[derive(Debug, PartialEq)]
pub enum News {
    /// A log begins: another one than before, or the first.
    Begun(Box<Header>),
    /// Further rows.
    Rows(Vec<Trial>),
    /// It is not there any more, or cannot be read.
    Gone,
    /// A line that is no row of a log: its number.
    Damaged(u64),
}

/// A log that is followed.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    /// Bytes of the whole lines that were read.
    read: u64,
    /// The last line that was read: where it is not there any more, this is another log.
    last: Vec<u8>,
    lines: u64,
    header: Option<Header>,
    gone: bool,
    damaged: bool,
}

impl Tail {
    /// The log of a run folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            path: folder.join(log::FILE),
            read: 0,
            last: Vec::new(),
            lines: 0,
            header: None,
            gone: false,
            damaged: false,
        }
    }

    /// What is new; a line that is not whole yet waits. A log that was cut or replaced is read again from its start.
    pub fn poll(&mut self) -> Vec<News> {
        let Some(bytes) = self.bytes() else {
            let first = !std::mem::replace(&mut self.gone, true);
            return if first { vec![News::Gone] } else { Vec::new() };
        };
        let Some(bytes) = bytes.strip_prefix(&self.last[..]).filter(|_| !self.gone) else {
            *self = Self::new(self.path.parent().unwrap_or(Path::new(".")));
            return self.poll();
        };
        if self.damaged {
            return Vec::new();
        }
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let mut news = Vec::new();
        let mut rows = Vec::new();
        for line in bytes[..whole].split_inclusive(|&b| b == b'\n') {
            self.lines += 1;
            self.read += line.len() as u64;
            self.last = line.to_vec();
            if self.header.is_none() {
                match serde_json::from_slice::<Header>(line) {
                    Ok(header) => {
                        self.header = Some(header.clone());
                        news.push(News::Begun(Box::new(header)));
                    }
                    Err(_) => self.damaged = true,
                }
            } else if let Ok(trial) = serde_json::from_slice::<Trial>(line) {
                rows.push(trial);
            } else {
                self.damaged = true;
            }
            if self.damaged {
                break;
            }
        }
        if !rows.is_empty() {
            news.push(News::Rows(rows));
        }
        if self.damaged {
            news.push(News::Damaged(self.lines));
        }
        news
    }

    /// The file from the last line that was read.
    fn bytes(&self) -> Option<Vec<u8>> {
        let mut file = File::open(&self.path).ok()?;
        let (last, mut bytes) = (self.last.len() as u64, Vec::new());
        file.seek(SeekFrom::Start(self.read - last)).ok()?;
        file.take(last + STEP).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowdtune_search::{Outcome, Purpose, Question};
    use std::fs;

    const HEAD: &str = r#"{"format":2,"crowdtune":"0","results":4,"digest":"d","engine":"native","seed":1,"genes":["x"],"objectives":["loss"],"scenarios":["room"],"columns":["time"]}"#;

    fn row(id: u64) -> String {
        let question = Question { genome: vec![0.5], replicas: 0..1, purpose: Purpose::Search };
        let (outcome, objectives, measures) = (Outcome::Done, vec![0.25], Vec::new());
        let trial = Trial { id, question, outcome, objectives, violation: 0.0, measures, values: Vec::new() };
        serde_json::to_string(&trial).unwrap() + "\n"
    }

    fn counted(news: &[News]) -> Vec<i64> {
        let one = |n: &News| match n {
            News::Begun(_) => -1,
            News::Rows(rows) => rows.len() as i64,
            News::Gone => -2,
            News::Damaged(line) => -10 - *line as i64,
        };
        news.iter().map(one).collect()
    }

    #[test]
    fn rows_come_as_they_are_written_and_half_a_line_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(log::FILE);
        let mut tail = Tail::new(folder.path());
        assert_eq!(counted(&tail.poll()), [-2]);
        assert_eq!(counted(&tail.poll()), [0_i64; 0]);
        let text = format!("{HEAD}\n{}{}", row(0), row(1));
        fs::write(&path, &text[..text.len() - 20]).unwrap();
        assert_eq!(counted(&tail.poll()), [-1, 1]);
        fs::write(&path, &text).unwrap();
        assert_eq!(counted(&tail.poll()), [1]);
        assert_eq!(counted(&tail.poll()), [0_i64; 0]);
    }

    #[test]
    fn a_log_that_was_cut_or_replaced_is_read_again_and_a_removed_one_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(log::FILE);
        fs::write(&path, format!("{HEAD}\n{}{}", row(0), row(1))).unwrap();
        let mut tail = Tail::new(folder.path());
        assert_eq!(counted(&tail.poll()), [-1, 2]);
        fs::write(&path, format!("{HEAD}\n{}", row(0))).unwrap();
        assert_eq!(counted(&tail.poll()), [-1, 1]);
        fs::write(&path, format!("{}\n{}{}", HEAD.replace("\"seed\":1", "\"seed\":22"), row(0), row(1))).unwrap();
        assert_eq!(counted(&tail.poll()), [-1, 2], "another log that is longer");
        fs::write(&path, format!("{}\n{}{}", HEAD.replace("\"seed\":1", "\"seed\":33"), row(4), row(5))).unwrap();
        assert_eq!(counted(&tail.poll()), [-1, 2], "another log of the same length");
        fs::remove_file(&path).unwrap();
        assert_eq!(counted(&tail.poll()), [-2]);
        fs::write(&path, format!("{HEAD}\n")).unwrap();
        assert_eq!(counted(&tail.poll()), [-1]);
        fs::write(&path, format!("{HEAD}\nnonsense\n{}", row(0))).unwrap();
        assert_eq!(counted(&tail.poll()), [-12]);
        assert_eq!(counted(&tail.poll()), [0_i64; 0]);
    }
}
