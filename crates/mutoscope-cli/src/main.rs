//! The command line alone, without the viewer.

use std::process::ExitCode;

use clap::Parser as _;
use mutoscope_cli::{Cli, register};

fn main() -> ExitCode {
    register();
    Cli::parse().status().into()
}
