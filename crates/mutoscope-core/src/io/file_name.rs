//! Checks file names that Windows cannot create.
//!
//! Windows reports such a name late or never: `take:1.glb` becomes a hidden stream of the file
//! `take`, `con.glb` writes to the console, and `take.` loses its dot. The names are valid on every
//! other system, so we reject them on Windows only. The rules themselves are plain functions, which
//! are tested on every system.

use std::{ffi::OsStr, io, path::Path};

/// The reason why Windows cannot create a file with a given name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameProblem {
    /// The name of a device, with or without an extension.
    #[error("{0} is a reserved device name on Windows, even with an extension")]
    Device(String),
    /// A character that Windows does not allow.
    #[error("file names on Windows cannot contain {0:?}")]
    Character(char),
    /// A dot or space at the end, which Windows would remove.
    #[error("file names on Windows cannot end with a dot or a space")]
    TrailingDotOrSpace,
}

/// The names of devices that exist in every folder of Windows.
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// The prefixes of device names that end with a digit, such as `COM1`. Windows also accepts
/// superscript digits.
const NUMBERED_DEVICES: &[&str] = &["COM", "LPT"];

/// Returns the reason why Windows cannot create a file with this `name`, or `None` if it can.
/// `name` does not include the folder.
pub fn windows_name_problem(name: &str) -> Option<NameProblem> {
    if matches!(name, "." | "..") {
        return None;
    }
    let is_invalid = |c: &char| matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*');
    let invalid = name.chars().find(|c| is_invalid(c) || (*c as u32) < 0x20);
    if let Some(character) = invalid {
        return Some(NameProblem::Character(character));
    }
    if let Some(device) = device_name(name) {
        return Some(NameProblem::Device(device));
    }
    name.ends_with(['.', ' ']).then_some(NameProblem::TrailingDotOrSpace)
}

/// Returns the device that a name refers to. Both `nul.tar.gz` and `NUL ` refer to `NUL`.
fn device_name(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_uppercase();
    let is_numbered = |device: &&str| {
        let number: Vec<_> = stem.strip_prefix(*device).unwrap_or_default().chars().collect();
        matches!(number[..], ['0'..='9' | '¹' | '²' | '³'])
    };
    let is_device = DEVICES.contains(&&*stem) || NUMBERED_DEVICES.iter().any(is_numbered);
    is_device.then_some(stem)
}

/// Checks a path before it is written to. Does nothing unless the program runs on Windows.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if Windows cannot create a file with this name.
pub fn check_output_name(path: &Path) -> io::Result<()> {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    match windows_name_problem(&name) {
        Some(problem) if cfg!(windows) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{problem}; nothing written. Name another file"),
        )),
        _ => Ok(()),
    }
}

/// Returns `true` if a path refers to the null device of Windows, `NUL` or `\\.\NUL`. The null
/// device discards everything that is written to it.
pub fn is_windows_null_device(path: &Path) -> bool {
    let text = path.as_os_str().to_str().unwrap_or_default();
    let name = text.strip_prefix(r"\\.\").unwrap_or(text);
    name.eq_ignore_ascii_case("NUL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_recognised_by_their_stem_in_any_case() {
        for name in
            ["NUL", "nul.bin", "Con.anim", "aux.tar.gz", "prn .csv", "COM1", "lpt9.glb", "com¹"]
        {
            let problem = windows_name_problem(name);
            assert!(matches!(problem, Some(NameProblem::Device(_))), "{name}: {problem:?}");
        }
        for name in ["null.bin", "COM10.glb", "console.anim", "take.con", "auxiliary", "COM", "lpt"]
        {
            assert_eq!(windows_name_problem(name), None, "{name}");
        }
    }

    #[test]
    fn invalid_characters_and_endings_are_found() {
        assert_eq!(windows_name_problem("take:1.glb"), Some(NameProblem::Character(':')));
        assert_eq!(windows_name_problem("what?.csv"), Some(NameProblem::Character('?')));
        assert_eq!(windows_name_problem("a\tb"), Some(NameProblem::Character('\t')));
        assert_eq!(windows_name_problem("take."), Some(NameProblem::TrailingDotOrSpace));
        assert_eq!(windows_name_problem("take.glb "), Some(NameProblem::TrailingDotOrSpace));
        for name in ["take 1.glb", ".hidden", "Ünïcode 手.bvh", "..", "."] {
            assert_eq!(windows_name_problem(name), None, "{name}");
        }
    }

    #[test]
    fn null_device_is_recognised() {
        for path in ["NUL", "nul", r"\\.\NUL"] {
            assert!(is_windows_null_device(Path::new(path)), "{path}");
        }
        for path in ["nul.bin", "folder/NUL", "null", ""] {
            assert!(!is_windows_null_device(Path::new(path)), "{path}");
        }
    }
}
