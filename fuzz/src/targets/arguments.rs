//! The command line.

use std::ffi::OsString;

use clap::Parser as _;
use mutoscope_cli::Cli;

/// Parses the lines of the input as arguments. Checks that the result or the error can be printed.
pub(super) fn parse(bytes: &[u8]) {
    let arguments = bytes.split(|&byte| byte == b'\n').map(to_argument);
    let command_line = std::iter::once(OsString::from("mutoscope")).chain(arguments);
    match Cli::try_parse_from(command_line) {
        Ok(cli) => assert!(!format!("{cli:?}").is_empty()),
        Err(error) => {
            let text = error.to_string();
            assert!(matches!(error.exit_code(), 0 | 2), "{text}");
            assert!(!text.is_empty());
        }
    }
}

#[cfg(unix)]
fn to_argument(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn to_argument(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
