#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| crowdtune_fuzz::feed("archive", bytes));
