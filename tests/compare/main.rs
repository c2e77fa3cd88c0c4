//! Comparisons of recordings with known distances and offsets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod align;
mod deviations;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod support;
mod walk;

use support::recording::{Keys, Recording};
