//! Fixtures and helpers for the tests and benches of several crates. This crate is not published.
//!
//! # Map
//! | module | what it does |
//! |---|---|
//! | [`needs`] | ignores a test if a program is missing |
//! | [`fixtures`] | reads the files of `tests/data` |
//! | [`guide`] | finds the commands of the guide and the README |
//! | [`recording`], [`minute_mrtk`], [`long_mrtk`] | generate MRTK files: from parts, a minute, an hour |
//! | [`prime`], [`mcmocap`] | write files of Metroid Prime and of the Minecraft mod |
//! | [`property`] | property tests with random numbers that are the same in every run |
//! | [`scaling`], [`timing`] | tests for linear growth, and measures both sides of a ratio |
//! | [`snapshots`] | compares images with those of an earlier version |
//! | `display` | a virtual display for programs with a window |
//! | `signals` | starts programs with the signal handlers of a terminal |
#![allow(clippy::unwrap_used, missing_docs, reason = "helpers of tests, which nobody else has")]

#[cfg(target_os = "linux")]
pub mod display;
pub mod fixtures;
pub mod guide;
pub mod long_mrtk;
pub mod mcmocap;
pub mod minute_mrtk;
pub mod prime;
pub mod property;
pub mod recording;
pub mod scaling;
#[cfg(unix)]
pub mod signals;
pub mod snapshots;
pub mod timing;

pub use mutoscope_testing_needs::needs;

/// The root folder of the repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
