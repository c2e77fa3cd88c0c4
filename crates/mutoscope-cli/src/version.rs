//! The text of `--version`.

use crate::{registry, targets};
use std::{env::consts, sync::LazyLock};

/// The commit of the build, from the environment variable `MUTOSCOPE_COMMIT`, which release builds
/// set.
///
/// The build does not look up the commit. Otherwise every commit would link the program again, and
/// equal sources would give different binaries.
const COMMIT: Option<&str> = option_env!("MUTOSCOPE_COMMIT");

/// Returns the text that `--version` prints after the name of the program: version, commit, system,
/// features, and the registered formats and targets.
///
/// `parts` names the parts of the program besides the command line, such as `viewer`.
pub fn long_version(parts: &[&str]) -> String {
    let commit = COMMIT.filter(|commit| !commit.is_empty()).unwrap_or("unknown");
    let features = [&["command line"][..], parts].concat().join(", ");
    let formats: Vec<_> = registry().formats().map(|format| format.id.as_str()).collect();
    let targets: Vec<_> = targets().iter().map(|target| target.id).collect();
    format!(
        "{}\ncommit: {commit}\nsystem: {} {}\nfeatures: {features}\nformats: {}\ntargets: {}",
        env!("CARGO_PKG_VERSION"),
        consts::OS,
        consts::ARCH,
        formats.join(", "),
        targets.join(", "),
    )
}

pub(super) fn command_line_version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| long_version(&[]));
    &TEXT
}
