//! Recordings held against each other: what is known to be apart is found to be, and when.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod align;
mod deviations;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod support;
mod walk;

use support::recording::{Keys, Recording};
