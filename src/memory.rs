//! Memory of the program: large pages for large crowds, and a message and exit code 3 instead of an abort when the machine has none left.
#![allow(unsafe_code, reason = "an allocator is unsafe by its trait; this one only looks at what the system's gives")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;

/// The allocator of the system, and the end of the program where that has nothing to give.
pub struct Said;

/// Ends the program; nothing here asks for memory.
fn none_left() -> ! {
    let _ = std::io::stderr().write_all(
        b"error: there is not enough memory for this\n  help:    use a smaller file, fewer people, a smaller batch or less threads, or a machine with more memory; \
what is in a log is kept, and --resume continues\n",
    );
    std::process::exit(3)
}

/// What the system gave, if it gave something.
#[inline]
fn seen(given: *mut u8, size: usize) -> *mut u8 {
    if given.is_null() {
        none_left();
    }
    if size >= pages::LARGE {
        pages::ask_for(given, size);
    }
    given
}

// SAFETY: everything is passed on to the allocator of the system; a null pointer, which it may give, is never passed back.
unsafe impl GlobalAlloc for Said {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as asked of this function.
        let given = unsafe { System.alloc(layout) };
        seen(given, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as asked of this function.
        let given = unsafe { System.alloc_zeroed(layout) };
        seen(given, layout.size())
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as asked of this function.
        let given = unsafe { System.realloc(at, layout, size) };
        seen(given, size)
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as asked of this function.
        unsafe { System.dealloc(at, layout) }
    }
}

/// Pages of 2 MB where Linux has them: with the usual ones of 4 kB a processor keeps looking up where the columns of a large crowd lie.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub mod pages {
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// What is smaller does not ask, so that programs that run small crowds stay as they are.
    pub const LARGE: usize = 1 << 18;
    const PAGE: usize = 1 << 12;
    /// Up to here columns lie side by side in the heap, and several share a page; what is larger lies elsewhere.
    const MOST: libc::c_int = 1 << 25;
    /// The heap grows by so much, so that there are pages ahead of what is used.
    const GROWTH: libc::c_int = 1 << 25;
    /// The heap shrinks when so much is free at its end.
    const FREE: libc::c_int = 1 << 26;

    /// The end of what has been asked for.
    static END: AtomicUsize = AtomicUsize::new(0);

    /// One heap for all threads, in one piece: a run asks for memory when it starts, and hardly after.
    pub fn prepare() {
        for (what, value) in [
            (libc::M_ARENA_MAX, 1),
            (libc::M_MMAP_THRESHOLD, MOST),
            (libc::M_TRIM_THRESHOLD, FREE),
            (libc::M_TOP_PAD, GROWTH),
        ] {
            // SAFETY: these say how much memory to ask the system for, and an allocator that refuses one works as before.
            unsafe { libc::mallopt(what, value) };
        }
    }

    /// Asks for large pages for the heap as far as it has grown since, at first from `given` on, or for what is too large to lie there. Nothing depends on
    /// the answer.
    pub fn ask_for(given: *mut u8, size: usize) {
        // SAFETY: a heap that grows by nothing only tells where it ends.
        let heap = unsafe { libc::sbrk(0) }.addr();
        let (from, end) = if given.addr() > heap {
            (given.addr(), given.addr() + size)
        } else {
            let before = END.swap(heap, Ordering::Relaxed);
            (if before == 0 { given.addr() } else { before }, heap)
        };
        let from = from & !(PAGE - 1);
        if from < end {
            // SAFETY: it changes nothing of what lies there.
            unsafe { libc::madvise(given.with_addr(from).cast(), end - from, libc::MADV_HUGEPAGE) };
        }
    }
}

/// Elsewhere the system decides.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub mod pages {
    pub const LARGE: usize = usize::MAX;
    pub fn prepare() {}
    pub fn ask_for(_: *mut u8, _: usize) {}
}
