//! The fonts of the window, and of a page.

#[cfg(any(test, target_family = "wasm"))]
use std::sync::Arc;

#[cfg(any(test, target_family = "wasm"))]
use bevy_egui::egui::FontData;
use bevy_egui::egui::{FontDefinitions, FontFamily};
#[cfg(any(test, target_family = "wasm"))]
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

/// egui's own fonts. What the others lack, such as arrows and the sign of angular minutes, is in that for code.
#[cfg(not(target_family = "wasm"))]
pub(super) fn for_window() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts.families.entry(FontFamily::Proportional).or_default().push("Hack".to_owned());
    fonts
}

/// egui's own fonts for text, which are downloaded with a page: without its emojis, which weigh 0.4 MB there.
#[cfg(any(test, target_family = "wasm"))]
pub(super) fn for_page() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [("Hack", HACK_REGULAR), ("Ubuntu-Light", UBUNTU_LIGHT)] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    for (family, names) in [
        (FontFamily::Monospace, ["Hack", "Ubuntu-Light"]),
        (FontFamily::Proportional, ["Ubuntu-Light", "Hack"]),
    ] {
        fonts.families.insert(family, names.map(str::to_owned).into());
    }
    fonts
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeSet,
        fs,
        path::{Path, PathBuf},
    };

    use ab_glyph::{Font as _, FontRef};

    use super::*;

    /// The Rust files below a folder that are no tests.
    fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if stem.contains("test") || stem == "benches" || stem == "target" {
                continue;
            }
            if path.is_dir() {
                sources(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                into.push(path);
            }
        }
    }

    /// The lines of a file up to its tests, without comments.
    fn code(path: &Path) -> String {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn fonts_have_every_character_of_the_interface() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        ["src", "crates"].iter().for_each(|folder| sources(&root.join(folder), &mut files));
        assert!(files.len() > 500, "{}", files.len());
        // Code has no other characters than its strings do.
        let used: BTreeSet<char> =
            files.iter().flat_map(|file| code(file).chars().collect::<Vec<_>>()).collect();
        for (place, fonts) in [("the window", for_window()), ("a page", for_page())] {
            let faces: Vec<_> = fonts.families[&FontFamily::Proportional]
                .iter()
                .map(|name| FontRef::try_from_slice(&fonts.font_data[name].font).unwrap())
                .collect();
            let is_missing = |one: char| faces.iter().all(|face| face.glyph_id(one).0 == 0);
            let missing: String =
                used.iter().copied().filter(|&one| !one.is_control() && is_missing(one)).collect();
            assert_eq!(missing, "", "in {place}");
        }
    }
}
