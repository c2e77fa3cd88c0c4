//! The program: parses the command line and does what it says. In a browser there is none: there the
//! page starts the viewer.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    use clap::Parser as _;

    mutoscope::cli::Cli::parse().run()
}

#[cfg(target_family = "wasm")]
fn main() {
    // Without this nothing of the library would be in the program.
    use mutoscope as _;
}
