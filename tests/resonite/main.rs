//! Resonite's animations: AnimJ and AnimX, by values and readings that others made.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod golden;
mod mutilated;
mod packed;
mod refused;
mod rig;
mod sample;
mod show;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test binary uses a part of it")]
mod support;
