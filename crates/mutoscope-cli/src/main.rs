//! The program for the command line without the viewer.

use std::process::ExitCode;

use mutoscope_cli::{Cli, parse, register};

fn main() -> ExitCode {
    register();
    match parse::<Cli>() {
        Ok(cli) => cli.run().into(),
        Err(status) => status.into(),
    }
}
