//! The program: parses the command line and does what it says. In a browser there is no command line:
//! the page starts the viewer.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    mutoscope::register();
    match mutoscope_cli::parse::<mutoscope::command::Cli>() {
        Ok(cli) => cli.status().into(),
        Err(status) => status.into(),
    }
}

#[cfg(target_family = "wasm")]
fn main() {
    // Links the library, whose functions the page calls.
    use mutoscope as _;
}
