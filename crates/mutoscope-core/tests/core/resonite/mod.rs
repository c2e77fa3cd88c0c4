//! Tests of Resonite's animations, AnimJ and AnimX: values and files from other programs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod golden;
mod lanterns;
mod mutilated;
mod packed;
mod refused;
mod rig;
mod sample;
mod show;
mod write;
