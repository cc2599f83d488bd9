//! Processes that left the group of the one that started them, such as a daemon: found by a variable that they inherited.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of processes started here.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The mark of a process and of all that it starts.
#[derive(Clone, Debug)]
pub struct Mark(String);

impl Mark {
    /// The variable.
    const NAME: &str = "CROWDTUNE_PROCESS";

    /// The variable with a mark that no other process has: as long as this program runs nobody else has its number.
    pub fn variable() -> (String, String) {
        let value = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        (Self::NAME.to_owned(), value)
    }

    /// The mark among these variables, if there is one.
    pub fn among(variables: &[(String, String)]) -> Option<Self> {
        variables.iter().find(|(name, _)| name == Self::NAME).map(|(_, value)| Self(value.clone()))
    }

    /// Ends all processes that carry the mark. Other users' processes cannot be looked at, and are not ours.
    #[cfg(target_os = "linux")]
    pub fn end_strays(&self) {
        let wanted = format!("{}={}", Self::NAME, self.0);
        let Ok(entries) = std::fs::read_dir("/proc") else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse().ok()).and_then(rustix::process::Pid::from_raw)
            else {
                continue;
            };
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|variable| variable == wanted.as_bytes()) {
                // It may have ended just now.
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }

    /// Nothing is known of processes outside of the group here.
    #[cfg(not(target_os = "linux"))]
    pub fn end_strays(&self) {}
}
