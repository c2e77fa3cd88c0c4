//! The command line alone, without the viewer.

use std::process::ExitCode;

use mutoscope_cli::{Cli, parse, register};

fn main() -> ExitCode {
    register();
    match parse::<Cli>() {
        Ok(cli) => cli.status().into(),
        Err(status) => status.into(),
    }
}
