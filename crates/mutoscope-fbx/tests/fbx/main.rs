//! Integration tests of reading and writing FBX files.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod decode;
mod shapes;
mod undeclared;
mod write;
