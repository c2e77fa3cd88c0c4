//! Helpers for the tests and benches of several crates: the files of `tests/data`, synthetic recordings,
//! random numbers.
#![allow(clippy::unwrap_used, missing_docs, reason = "helpers of tests, which nobody else has")]

pub mod chance;
pub mod fixtures;
pub mod long_take;
pub mod mcmocap;
pub mod minute;
pub mod prime;
pub mod recording;
pub mod scaling;
#[cfg(unix)]
pub mod signals;
pub mod timing;

/// The root of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
