//! The viewer program. On a desktop it runs the command line. In a browser the page starts the
//! viewer, so `main` does nothing.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    match mutoscope_cli::parse::<mutoscope::command::Cli>() {
        Ok(cli) => cli.run().into(),
        Err(status) => status.into(),
    }
}

#[cfg(target_family = "wasm")]
fn main() {
    // Import the library, so that it is linked. The page calls functions that the library exports.
    use mutoscope as _;
}
