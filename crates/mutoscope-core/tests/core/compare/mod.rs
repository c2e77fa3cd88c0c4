//! Tests of comparisons between recordings with known distances and offsets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod align;
mod deviations;
mod walk;

use mutoscope_testing::recording::{Keys, Recording};
