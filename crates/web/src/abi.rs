//! What JavaScript calls: text in, text out.
#![allow(unsafe_code, reason = "a page passes addresses in the memory of the module")]

use crate::page::Page;
use std::cell::RefCell;

thread_local! {
    /// An instance has one page and one thread.
    static PAGE: RefCell<Page> = RefCell::default();
}

/// Room for a question of so many bytes; [`call`] takes it back.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; bytes].into_boxed_slice()).cast()
}

/// Answers the question that was written into that room. The upper half of the result is the address of the answer, the lower one its
/// length; it holds until the next call.
///
/// # Safety
/// `at` and `bytes` are those of a [`room`] that was not used yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(at: *mut u8, bytes: usize) -> u64 {
    // SAFETY: the caller promises that `room` made it, with this length.
    let question = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, bytes)) };
    PAGE.with_borrow_mut(|page| packed(page.call(&question).as_bytes()))
}

/// The people of the crowd, as [`Page::people`] has them: address and length in bytes, as [`call`] gives them.
#[unsafe(no_mangle)]
pub extern "C" fn people() -> u64 {
    PAGE.with_borrow(|page| {
        let people = page.people();
        (people.as_ptr() as u64) << 32 | size_of_val(people) as u64
    })
}

fn packed(text: &[u8]) -> u64 {
    (text.as_ptr() as u64) << 32 | text.len() as u64
}
