//! Finds and reads the files that a scene names.

use std::io;

use super::file;
use mutoscope_core::io::bytes::Sidecars;

/// The folders in which the recordings of a scene are searched for, relative to the folder of the
/// scene. The first match is used.
pub const RECORDING_FOLDERS: [&str; 3] = ["../recordings/", "", "recordings/"];

/// The folders in which nested scenes are searched for, relative to the folder of the scene. The
/// first match is used.
pub const SCENE_FOLDERS: [&str; 3] = ["", "../scenes/", "scenes/"];

/// The reason why a file that a scene names cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SidecarError {
    #[error("{name:?} is not a valid name of a {what}: expected letters, digits, _, - and .")]
    InvalidName { what: &'static str, name: String },
    #[error("the {what} {name:?} is missing: expected at {} or {}", paths[0], paths[1])]
    Missing { what: &'static str, name: String, paths: [String; 2] },
    #[error("the {what} {name:?} cannot be read: {error}")]
    Unreadable { what: &'static str, name: String, error: io::Error },
    #[error("the skin {0:?} is not a PNG of 64 by 64 or 64 by 32 pixels")]
    NotASkin(String),
    #[error("the list of skins {list:?}: expected lines of a source and a path, found {line:?}")]
    InvalidListLine { list: String, line: String },
    #[error("the list of skins {0:?} is empty")]
    EmptyList(String),
    #[error("skin lists refer to each other in a cycle, starting with {0:?}")]
    ListCycle(String),
}

pub(super) fn read_from_folders(
    sidecars: &dyn Sidecars,
    what: &'static str,
    name: &str,
    folders: [&str; 3],
    extension: &str,
) -> Result<Vec<u8>, SidecarError> {
    if !file::is_valid_name(name) {
        return Err(SidecarError::InvalidName { what, name: name.to_owned() });
    }
    for folder in folders {
        match sidecars.read(&format!("{folder}{name}.{extension}")) {
            Ok(bytes) => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(SidecarError::Unreadable { what, name: name.to_owned(), error });
            }
        }
    }
    let [first, second, _] = folders.map(|folder| format!("{folder}{name}.{extension}"));
    Err(SidecarError::Missing { what, name: name.to_owned(), paths: [first, second] })
}

/// The prefix of the paths of skins with slim arms, because these skins are in a separate folder.
pub(super) const SLIM_PREFIX: &str = "slim/";

pub(super) fn read_skin(sidecars: &dyn Sidecars, path: &str) -> Result<Vec<u8>, SidecarError> {
    let name = path.strip_suffix(".png").unwrap_or(path);
    let picture = match name.strip_prefix(SLIM_PREFIX) {
        Some(name) => {
            read_from_folders(sidecars, "skin", name, ["../skins/slim/", "", "skins/slim/"], "png")
        }
        None => read_from_folders(sidecars, "skin", name, ["../skins/", "", "skins/"], "png"),
    }?;
    // Read the size from the PNG header, because this function does not decode images.
    const SIZES: [&[u8; 8]; 2] = [b"\0\0\0\x40\0\0\0\x40", b"\0\0\0\x40\0\0\0\x20"];
    let is_png = picture.starts_with(b"\x89PNG\r\n\x1a\n");
    let size = picture.get(16..24);
    if is_png && SIZES.iter().any(|wanted| size == Some(&wanted[..])) {
        return Ok(picture);
    }
    Err(SidecarError::NotASkin(path.to_owned()))
}
