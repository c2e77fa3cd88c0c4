//! The command line.

use std::ffi::OsString;

use clap::Parser as _;
use mutoscope_cli::Cli;

/// Parses a line for each argument, and says what it was parsed to or why it was not.
pub(super) fn parse(bytes: &[u8]) {
    let words = bytes.split(|&byte| byte == b'\n').map(word);
    let line = std::iter::once(OsString::from("mutoscope")).chain(words);
    match Cli::try_parse_from(line) {
        Ok(cli) => assert!(!format!("{cli:?}").is_empty()),
        Err(error) => {
            let text = error.to_string();
            assert!(matches!(error.exit_code(), 0 | 2), "{text}");
            assert!(!text.is_empty());
        }
    }
}

#[cfg(unix)]
fn word(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn word(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
