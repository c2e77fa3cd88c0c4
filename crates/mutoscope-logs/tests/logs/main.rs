//! Integration tests of tables, C3D and TRC. Most expected values were computed by other programs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_input;
mod bones;
mod c3d;
mod cases;
mod invariants;
mod motive;
mod questions;
mod random_tables;
mod rotation_vectors;
mod tables_in;
