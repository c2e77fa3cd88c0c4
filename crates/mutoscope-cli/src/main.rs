//! The program for the command line without the viewer.

use std::process::ExitCode;

use mutoscope_cli::{Cli, parse};

fn main() -> ExitCode {
    match parse::<Cli>() {
        Ok(cli) => cli.run().into(),
        Err(status) => status.into(),
    }
}
