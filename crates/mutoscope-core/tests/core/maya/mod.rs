//! Tests of Maya's `.anim`: numbers from Autodesk's own evaluation, broken files, and the rules of
//! the format.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod golden;
mod grammar;
mod mutilated;
mod placeholder_offsets;
mod poses;
mod rules;
mod sample;
mod walk;
mod written;
