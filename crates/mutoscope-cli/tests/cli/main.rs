//! Tests of the command line, of all export targets, and of independent readers. They are in this
//! crate because they need every crate that works without the engine.

mod cases;
mod commands;
mod corpora;
mod export;
mod readers;
