//! Reading experiment files.
