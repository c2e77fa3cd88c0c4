//! Maya's `.anim`: against numbers of Autodesk's own evaluation, against files that are broken,
//! and against the rules themselves.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod golden;
mod grammar;
mod mutilated;
mod placeholder_offsets;
mod poses;
mod rules;
mod sample;
mod walk;
