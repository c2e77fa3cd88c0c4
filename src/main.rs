//! The program: parses the command line and does what it says.

use std::process::ExitCode;

use clap::Parser as _;
use mutoscope::cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run()
}
