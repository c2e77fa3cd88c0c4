//! The viewer program. On a desktop it runs the command line. In a browser the page starts the
//! viewer, so `main` does nothing.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    mutoscope::register();
    match mutoscope_cli::parse::<mutoscope::command::Cli>() {
        Ok(cli) => cli.run().into(),
        Err(status) => status.into(),
    }
}

#[cfg(target_family = "wasm")]
fn main() {
    // Link the library, because the page calls its exported functions.
    use mutoscope as _;
}
