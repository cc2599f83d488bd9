//! Unit tests of the optimizer.
