//! `--skin`: the skins of Minecraft players.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use super::{Message, tell};
use mutoscope_minecraft::{PlayerSkins, SkinPicture};

/// The most bytes of a skin that are read: they have a few thousand.
const MOST: u64 = 1 << 20;

/// The files of a `--skin`: itself, or the PNGs of a folder.
pub(super) fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
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

/// Reads the skin for all players, or from a folder one for each player by name; `None` if there is
/// none, which is reported. Images in a folder that are no skins are skipped with a message.
pub(super) fn player_skins(path: Option<&Path>) -> Option<PlayerSkins> {
    let Some(path) = path else { return Some(PlayerSkins::default()) };
    let name = path.display().to_string();
    let refuse = |why: String| {
        tell(Message::about_file(&name, format!("as a skin: {why}")));
        None
    };
    if !path.is_dir() {
        return match read(path) {
            Ok(skin) => Some(PlayerSkins { everybody: Some(skin), ..PlayerSkins::default() }),
            Err(why) => refuse(why),
        };
    }
    let files = match files(path) {
        Ok(files) => files,
        Err(error) => return refuse(format!("cannot be read: {error}")),
    };
    let mut skins = PlayerSkins::default();
    for file in &files {
        let Some(stem) = file.file_stem().and_then(|stem| stem.to_str()) else { continue };
        match read(file) {
            Ok(skin) => drop(skins.by_name.insert(stem.to_lowercase(), skin)),
            Err(why) => {
                tell(format_args!("warning: {}: as a skin: {why}; skipped", file.display()));
            }
        }
    }
    if skins.is_empty() {
        return refuse("no skin is in it: expected NAME.png for each player".to_owned());
    }
    Some(skins)
}

fn read(path: &Path) -> Result<SkinPicture, String> {
    let unreadable = |error: io::Error| format!("cannot be read: {error}");
    let mut png = Vec::new();
    File::open(path).and_then(|file| file.take(MOST).read_to_end(&mut png)).map_err(unreadable)?;
    SkinPicture::decode(png.into()).map_err(|error| error.to_string())
}
