//! The text of `--version`: version, commit, features.

use std::{env::consts, sync::LazyLock};

use mutoscope_core::{export, formats};

/// The commit that the program was built from, where the build was told: releases are, by `MUTOSCOPE_COMMIT`.
///
/// It is not looked up while building: that would link the program again after each commit, and give other bytes
/// for equal sources.
const COMMIT: Option<&str> = option_env!("MUTOSCOPE_COMMIT");

/// The text after the name of the program: its version, commit and system, what it is built with, and its formats
/// and targets as they are registered. `parts` are the parts of the program besides the command line: `viewer`.
pub fn long_version(parts: &[&str]) -> String {
    let commit = COMMIT.filter(|commit| !commit.is_empty()).unwrap_or("unknown");
    let features = [&["command line"][..], parts].concat().join(", ");
    let words: Vec<_> = formats::all().map(|format| format.id.word()).collect();
    let targets: Vec<_> = export::targets().map(|target| target.id).collect();
    format!(
        "{}\ncommit: {commit}\nsystem: {} {}\nfeatures: {features}\nformats: {}\ntargets: {}",
        env!("CARGO_PKG_VERSION"),
        consts::OS,
        consts::ARCH,
        words.join(", "),
        targets.join(", "),
    )
}

/// The same of the command line alone.
pub(super) fn of_command_line() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| long_version(&[]));
    &TEXT
}
