//! What happens when the machine has no memory left: a message and exit code 3 instead of an abort.
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

// SAFETY: everything is passed on to the allocator of the system; a null pointer, which it may give, is never passed back.
unsafe impl GlobalAlloc for Said {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as asked of this function.
        let given = unsafe { System.alloc(layout) };
        if given.is_null() { none_left() } else { given }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as asked of this function.
        let given = unsafe { System.alloc_zeroed(layout) };
        if given.is_null() { none_left() } else { given }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as asked of this function.
        let given = unsafe { System.realloc(at, layout, size) };
        if given.is_null() { none_left() } else { given }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as asked of this function.
        unsafe { System.dealloc(at, layout) }
    }
}
