//! The sentences of a verdict, and how they sound together.

use crate::evolve::summary::{Tone, Verdict};

/// What is said, and how it sounds.
#[derive(Default)]
pub(super) struct Said {
    tone: Option<Tone>,
    sentences: Vec<String>,
}

impl Said {
    /// A sentence that changes nothing.
    pub fn note(&mut self, text: String) {
        self.sentences.push(text);
    }

    /// A reservation: not green any more.
    pub fn caution(&mut self, text: String) {
        if self.tone != Some(Tone::Red) {
            self.tone = Some(Tone::Amber);
        }
        self.note(text);
    }

    /// Reason enough not to use the result.
    pub fn worst(&mut self, text: String) {
        self.tone = Some(Tone::Red);
        self.note(text);
    }

    /// The judgment, then everything that was said.
    pub fn verdict(self) -> Verdict {
        let tone = self.tone.unwrap_or(Tone::Green);
        let judgment = match tone {
            Tone::Green => "This is what was wanted.",
            Tone::Amber => "Use it with care.",
            Tone::Red => "Do not use it as it is.",
        };
        let sentences = [judgment.to_string()].into_iter().chain(self.sentences).collect();
        Verdict { tone, sentences }
    }
}
