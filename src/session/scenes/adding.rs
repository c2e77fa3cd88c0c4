//! Recordings that the user adds to a scene: their names, and the folders in which the mod looks
//! for them.

use std::path::{Path, PathBuf};

use crate::session::files::{Source, folder_of};
use mutoscope_core::io::storage;
use mutoscope_minecraft::scene::{RECORDING_FOLDERS, SCENE_FOLDERS};

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

/// Returns a problem if the mod would not find the file at `path` when it plays the scene. The mod
/// searches files by name in its own folders.
pub(in crate::session) fn location_problem(scene: &Source, path: &Path) -> Option<String> {
    let Source::File(scene) = scene else { return None };
    let is_scene = path.extension().is_some_and(|extension| extension == "mcmocap_scene");
    let folders = if is_scene { SCENE_FOLDERS } else { RECORDING_FOLDERS };
    let name = path.file_name()?;
    let candidates = folders.map(|folder| folder_of(scene).join(folder).join(name));
    let is_file = |path: &&PathBuf| storage::metadata(path).is_ok_and(|metadata| metadata.is_file);
    let file_name = name.to_string_lossy();
    match candidates.iter().find(is_file) {
        Some(found) if is_same_file(found, path) => None,
        Some(found) => Some(format!(
            "the scene plays {}, which has the same name as the added file",
            canonical_path(found).display()
        )),
        None => {
            let folder = folders.map(|folder| folder_of(scene).join(folder));
            let is_there = |folder: &&PathBuf| folder.is_dir();
            let target = folder.iter().find(is_there).unwrap_or(&folder[0]);
            let target = canonical_path(target);
            Some(format!(
                "the scene does not find {file_name} in its own folder. Copy it to {}",
                target.display()
            ))
        }
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    canonical_path(a) == canonical_path(b)
}

/// Resolves links and `..`. Returns the path unchanged if the file system cannot resolve it.
fn canonical_path(path: &Path) -> PathBuf {
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
    fn recordings_in_other_folders_are_reported() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for folder in ["scenes", "recordings", "else"] {
            fs::create_dir(path(folder)).unwrap();
        }
        for file in ["recordings/a.mcmocap_rec", "else/a.mcmocap_rec", "else/b.mcmocap_rec"] {
            fs::write(path(file), "").unwrap();
        }
        let scene = Source::File(path("scenes/one.mcmocap_scene"));
        let problem = |file: &str| location_problem(&scene, &path(file));
        assert_eq!(problem("recordings/a.mcmocap_rec"), None);
        assert!(problem("else/a.mcmocap_rec").unwrap().contains("has the same name"));
        let problem_elsewhere = problem("else/b.mcmocap_rec").unwrap();
        assert!(
            problem_elsewhere.contains("Copy it to") && problem_elsewhere.ends_with("recordings"),
            "{problem_elsewhere}"
        );
    }
}
