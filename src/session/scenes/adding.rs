//! Recordings that are added to a scene: their names, and where the mod expects them.

use std::path::{Path, PathBuf};

use crate::session::{Source, files::folder::folder_of};
use mutoscope_core::io::storage;
use mutoscope_minecraft::scene::{RECORDING_FOLDERS, SCENE_FOLDERS};

/// The name by which a scene plays the file at `path`.
///
/// # Errors
/// If the file is neither a recording nor a scene by its extension.
pub(in crate::session) fn element_name(path: &Path) -> Result<String, String> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("mcmocap_rec") => Ok(stem.into_owned()),
        Some("mcmocap_scene") => Ok(format!(".{stem}")),
        _ => Err(format!(
            "{} was not added: expected a file that ends in .mcmocap_rec or .mcmocap_scene",
            path.display()
        )),
    }
}

/// The problem with the folder of the file at `path`, for a scene that was read from `scene`: the
/// mod looks files up by name, in its own folders.
pub(in crate::session) fn misplaced(scene: &Source, path: &Path) -> Option<String> {
    let Source::File(scene) = scene else { return None };
    let is_scene = path.extension().is_some_and(|extension| extension == "mcmocap_scene");
    let folders = if is_scene { SCENE_FOLDERS } else { RECORDING_FOLDERS };
    let name = path.file_name()?;
    let candidates = folders.map(|folder| folder_of(scene).join(folder).join(name));
    let is_file = |path: &&PathBuf| storage::about(path).is_ok_and(|about| about.is_file);
    let shown = name.to_string_lossy();
    match candidates.iter().find(is_file) {
        Some(found) if is_same(found, path) => None,
        Some(found) => Some(format!(
            "the scene plays {}, which is called the same as the file that was added",
            tidy(found).display()
        )),
        None => {
            let folder = folders.map(|folder| folder_of(scene).join(folder));
            let is_there = |folder: &&PathBuf| folder.is_dir();
            let kept = folder.iter().find(is_there).unwrap_or(&folder[0]);
            let kept = tidy(kept);
            Some(format!(
                "{shown} is not where the scene plays it from: copy it to {}",
                kept.display()
            ))
        }
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    tidy(one) == tidy(other)
}

/// The path without detours, as far as the file system knows it.
fn tidy(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn names_follow_from_extensions() {
        let name = |path: &str| element_name(Path::new(path)).ok();
        assert_eq!(name("a/walk.mcmocap_rec").as_deref(), Some("walk"));
        assert_eq!(name("a/intro.mcmocap_scene").as_deref(), Some(".intro"));
        assert_eq!((name("walk.bvh"), name("walk")), (None, None));
    }

    #[test]
    fn recordings_elsewhere_are_misplaced() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["scenes", "recordings", "else"] {
            fs::create_dir(path(folder)).unwrap();
        }
        for file in ["recordings/a.mcmocap_rec", "else/a.mcmocap_rec", "else/b.mcmocap_rec"] {
            fs::write(path(file), "").unwrap();
        }
        let scene = Source::File(path("scenes/one.mcmocap_scene"));
        let said = |file: &str| misplaced(&scene, &path(file));
        assert_eq!(said("recordings/a.mcmocap_rec"), None);
        assert!(said("else/a.mcmocap_rec").unwrap().contains("called the same"));
        let other = said("else/b.mcmocap_rec").unwrap();
        assert!(other.contains("copy it to") && other.ends_with("recordings"), "{other}");
    }
}
