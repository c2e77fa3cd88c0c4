//! Fixtures and helpers that the tests and benches of several crates share. Nothing here is published.
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | [`fixtures`] | the files of `tests/data` |
//! | [`guide`] | the commands of the guide and the README |
//! | [`recording`], [`minute`], [`long_take`] | MRTK files that are made: by parts, a minute, an hour |
//! | [`prime`], [`mcmocap`] | writers of Metroid Prime's and Minecraft's files |
//! | [`chance`] | random numbers, the same in every run |
//! | [`scaling`], [`timing`] | whether work grows linearly; both sides of a ratio |
//! | `signals` | programs that hear signals as a terminal starts them |
#![allow(clippy::unwrap_used, missing_docs, reason = "helpers of tests, which nobody else has")]

pub mod chance;
pub mod fixtures;
pub mod guide;
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
