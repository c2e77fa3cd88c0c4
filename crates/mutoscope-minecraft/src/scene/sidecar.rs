//! The files that a scene names.

use std::io;

use super::file;
use mutoscope_core::io::bytes::Sidecars;

/// Where recordings are that a scene names, from its folder on: the first that has one counts.
pub const RECORDING_FOLDERS: [&str; 3] = ["../recordings/", "", "recordings/"];

/// The same for scenes.
pub const SCENE_FOLDERS: [&str; 3] = ["", "../scenes/", "scenes/"];

/// The bytes of a file of this name in the first of these folders that has it, or why there are
/// none.
pub(super) fn find(
    sidecars: &dyn Sidecars,
    what: &str,
    name: &str,
    folders: [&str; 3],
    extension: &str,
) -> Result<Vec<u8>, String> {
    if !file::is_name(name) {
        return Err(format!(
            "{name:?} is not a valid name of a {what}: expected letters, digits, _, - and ."
        ));
    }
    for folder in folders {
        match sidecars.read(&format!("{folder}{name}.{extension}")) {
            Ok(bytes) => return Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("the {what} {name:?} cannot be read: {error}")),
        }
    }
    let [first, second, _] = folders.map(|folder| format!("{folder}{name}.{extension}"));
    Err(format!("the {what} {name:?} is missing: expected at {first} or {second}"))
}

/// The prefix of the names of skins for slim arms: they have a folder of their own.
pub(super) const SLIM: &str = "slim/";

/// The image of the skin that a scene names.
pub(super) fn skin_file(sidecars: &dyn Sidecars, path: &str) -> Result<Vec<u8>, String> {
    let name = path.strip_suffix(".png").unwrap_or(path);
    let picture = match name.strip_prefix(SLIM) {
        Some(name) => find(sidecars, "skin", name, ["../skins/slim/", "", "skins/slim/"], "png"),
        None => find(sidecars, "skin", name, ["../skins/", "", "skins/"], "png"),
    }?;
    // Images are not decoded here, but their size is read from the first bytes.
    const SIZES: [&[u8; 8]; 2] = [b"\0\0\0\x40\0\0\0\x40", b"\0\0\0\x40\0\0\0\x20"];
    let is_png = picture.starts_with(b"\x89PNG\r\n\x1a\n");
    let size = picture.get(16..24);
    if is_png && SIZES.iter().any(|wanted| size == Some(&wanted[..])) {
        return Ok(picture);
    }
    Err(format!("the skin {path:?} is not a PNG of 64 by 64 or 64 by 32 pixels"))
}
