//! Parse, run, print the error, exit code.

fn main() {}
