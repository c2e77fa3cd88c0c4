//! Resonite's animations: AnimJ and AnimX, by values and readings that others made.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod golden;
mod lanterns;
mod mutilated;
mod packed;
mod refused;
mod rig;
mod sample;
mod show;
