//! The command line, all targets of exports, and readers of others: what needs every crate that needs no
//! engine.

mod commands;
mod corpora;
mod export;
mod readers;

/// Before any test: formats and targets of other crates.
#[ctor::ctor]
fn register() {
    mutoscope_cli::register();
}
