//! Reads the skins of Minecraft players for `--skin`.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::{Message, print_message};
use mutoscope_minecraft::{PlayerSkins, SkinImage};

const MAX_SKIN_BYTES: u64 = 1 << 20;

pub(super) fn list_skin_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        let is_png =
            file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
        files.extend((is_png && file.is_file()).then_some(file));
    }
    files.sort();
    Ok(files)
}

/// Reads a skin for all players, or from a folder one skin for each player name.
///
/// Returns `None` after an error message if no skin can be read. An unreadable image in a folder is
/// skipped with a warning.
pub(super) fn read_player_skins(path: Option<&Path>) -> Option<PlayerSkins> {
    let Some(path) = path else { return Some(PlayerSkins::default()) };
    let name = path.display().to_string();
    let refuse = |message: String| {
        print_message(Message::for_file(&name, message));
        None
    };
    if !path.is_dir() {
        return match read_skin(path) {
            Ok(skin) => Some(PlayerSkins { fallback: Some(skin), ..PlayerSkins::default() }),
            Err(message) => refuse(message),
        };
    }
    let files = match list_skin_files(path) {
        Ok(files) => files,
        Err(error) => return refuse(unreadable(&error)),
    };
    let mut skins = PlayerSkins::default();
    for file in &files {
        let Some(stem) = file.file_stem().and_then(|stem| stem.to_str()) else { continue };
        match read_skin(file) {
            Ok(skin) => drop(skins.by_name.insert(stem.to_lowercase(), skin)),
            Err(message) => {
                print_message(format_args!("warning: {}: {message}; skipped", file.display()));
            }
        }
    }
    if skins.is_empty() {
        return refuse(
            "the folder contains no skins. Name them NAME.png, after their players".to_owned(),
        );
    }
    Some(skins)
}

fn read_skin(path: &Path) -> Result<SkinImage, String> {
    let mut png = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_SKIN_BYTES).read_to_end(&mut png))
        .map_err(|error| unreadable(&error))?;
    SkinImage::decode(png.into()).map_err(|error| format!("cannot be used as a skin: {error}"))
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read as a skin: {error}")
}
