//! Names of files in Windows: which ones mean something else than a file there.
//!
//! Windows creates no file of some names, and says so late or not at all: `take:1.glb` becomes a hidden stream
//! of the file `take`, `con.glb` writes to the console, `take.` loses its dot. Everywhere else they are names as
//! any other. So they are only checked where the program runs on Windows; the rules are plain functions, tested
//! on every system.

use std::{ffi::OsStr, io, path::Path};

/// Why Windows creates no file of a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameProblem {
    /// A device has this name, whatever the extension.
    #[error("{0} is the name of a device in Windows, also with an extension")]
    Device(String),
    /// No name has this character.
    #[error("names of files in Windows have no {0:?}")]
    Character(char),
    /// Windows removes the dot or space at the end.
    #[error("names of files in Windows do not end with a dot or a space")]
    End,
}

/// Devices, which exist in every folder.
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Devices with a digit: `COM1`. Windows takes superscripts for digits.
const NUMBERED_DEVICES: &[&str] = &["COM", "LPT"];

/// Why Windows creates no file of this name, which is that of a file without its folder; `None` if it does.
pub fn windows_problem(name: &str) -> Option<NameProblem> {
    if matches!(name, "." | "..") {
        return None;
    }
    let is_refused = |c: &char| matches!(c, '<' | '>' | ':' | '"' | '/' | '\\' | '|' | '?' | '*');
    let refused = name.chars().find(|c| is_refused(c) || (*c as u32) < 0x20);
    if let Some(character) = refused {
        return Some(NameProblem::Character(character));
    }
    if let Some(device) = device(name) {
        return Some(NameProblem::Device(device));
    }
    name.ends_with(['.', ' ']).then_some(NameProblem::End)
}

/// The device that a name means: `nul.tar.gz` and `NUL ` are `NUL`.
fn device(name: &str) -> Option<String> {
    let stem = name.split('.').next().unwrap_or_default().trim_end_matches(' ').to_uppercase();
    let is_numbered = |device: &&str| {
        let number: Vec<_> = stem.strip_prefix(*device).unwrap_or_default().chars().collect();
        matches!(number[..], ['0'..='9' | '¹' | '²' | '³'])
    };
    let is_device = DEVICES.contains(&&*stem) || NUMBERED_DEVICES.iter().any(is_numbered);
    is_device.then_some(stem)
}

/// Refuses a path to write to whose name means no file, where the program runs on Windows.
///
/// # Errors
/// If it means none: [`io::ErrorKind::InvalidInput`].
pub fn check(path: &Path) -> io::Result<()> {
    let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
    match windows_problem(&name) {
        Some(problem) if cfg!(windows) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{problem}; nothing written. Name another file"),
        )),
        _ => Ok(()),
    }
}

/// Whether a path is that of Windows' null device: `NUL`, or `\\.\NUL`. It takes everything that is written to it.
pub fn is_windows_null(path: &Path) -> bool {
    let text = path.as_os_str().to_str().unwrap_or_default();
    let name = text.strip_prefix(r"\\.\").unwrap_or(text);
    name.eq_ignore_ascii_case("NUL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_known_by_their_stem_in_any_case() {
        for name in
            ["NUL", "nul.bin", "Con.anim", "aux.tar.gz", "prn .csv", "COM1", "lpt9.glb", "com¹"]
        {
            let problem = windows_problem(name);
            assert!(matches!(problem, Some(NameProblem::Device(_))), "{name}: {problem:?}");
        }
        for name in ["null.bin", "COM10.glb", "console.anim", "take.con", "auxiliary", "COM", "lpt"]
        {
            assert_eq!(windows_problem(name), None, "{name}");
        }
    }

    #[test]
    fn characters_and_ends_that_windows_refuses_are_found() {
        assert_eq!(windows_problem("take:1.glb"), Some(NameProblem::Character(':')));
        assert_eq!(windows_problem("what?.csv"), Some(NameProblem::Character('?')));
        assert_eq!(windows_problem("a\tb"), Some(NameProblem::Character('\t')));
        assert_eq!(windows_problem("take."), Some(NameProblem::End));
        assert_eq!(windows_problem("take.glb "), Some(NameProblem::End));
        for name in ["take 1.glb", ".hidden", "Ünïcode 手.bvh", "..", "."] {
            assert_eq!(windows_problem(name), None, "{name}");
        }
    }

    #[test]
    fn the_null_device_is_known() {
        for path in ["NUL", "nul", r"\\.\NUL"] {
            assert!(is_windows_null(Path::new(path)), "{path}");
        }
        for path in ["nul.bin", "folder/NUL", "null", ""] {
            assert!(!is_windows_null(Path::new(path)), "{path}");
        }
    }
}
