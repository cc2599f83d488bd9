//! Work beside Python: threads that are kept, and a Ctrl-C that is heard.

use crate::error::raise;
use crowdtune::{Error, limits};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How often Python is asked whether somebody pressed Ctrl-C.
const SLICE: Duration = Duration::from_millis(50);

/// Pools of threads by process and number: a process that was forked has none of the threads of its parent.
static POOLS: Mutex<BTreeMap<(u32, usize), Arc<rayon::ThreadPool>>> = Mutex::new(BTreeMap::new());

/// So many threads (0: one for each core). They are never ended, because in a forked process nobody could wait for them.
pub fn pool(threads: usize) -> PyResult<Arc<rayon::ThreadPool>> {
    let threads = limits::threads(u32::try_from(threads).unwrap_or(u32::MAX));
    let key = (std::process::id(), threads);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&key) {
        return Ok(pool.clone());
    }
    let made = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| {
        raise(Error::environment(format!("cannot start {threads} threads: {e}")).help("ask for fewer with --threads"))
    })?;
    Ok(pools.entry(key).or_insert(Arc::new(made)).clone())
}

/// Does some work in another thread while this one listens for Ctrl-C, which sets `cancel`; other threads of Python go on.
///
/// # Errors
/// The `KeyboardInterrupt`, after the work has ended.
pub fn interruptible<T: Send>(py: Python<'_>, cancel: &AtomicBool, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let mut signal = Ok(());
    let done = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            scope.spawn(move || send.send(work()));
            loop {
                match receive.recv_timeout(SLICE) {
                    Ok(done) => return Some(done),
                    Err(RecvTimeoutError::Disconnected) => return None,
                    Err(RecvTimeoutError::Timeout) if signal.is_ok() => {
                        signal = Python::attach(|py| py.check_signals());
                        if signal.is_err() {
                            cancel.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    signal?;
    done.ok_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("the work ended without a result"))
}
