//! The fonts of the desktop window and of a web page.

#[cfg(any(test, target_family = "wasm"))]
use std::sync::Arc;

#[cfg(any(test, target_family = "wasm"))]
use bevy_egui::egui::FontData;
use bevy_egui::egui::{FontDefinitions, FontFamily};
#[cfg(any(test, target_family = "wasm"))]
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

/// Returns egui's default fonts. Hack is added last, because only it has some characters, such as
/// arrows and the sign for minutes of arc.
#[cfg(not(target_family = "wasm"))]
pub(super) fn for_window() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    fonts.families.entry(FontFamily::Proportional).or_default().push("Hack".to_owned());
    fonts
}

/// Returns egui's text fonts without its emoji fonts, which would add 0.4 MB to the download of the
/// page.
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

    fn collect_sources(folder: &Path, into: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if stem.contains("test") || stem == "benches" || stem == "target" {
                continue;
            }
            if path.is_dir() {
                collect_sources(&path, into);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                into.push(path);
            }
        }
    }

    fn read_code(path: &Path) -> String {
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn fonts_have_every_character_of_the_interface() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        ["src", "crates"].iter().for_each(|folder| collect_sources(&root.join(folder), &mut files));
        assert!(files.len() > 500, "{}", files.len());
        // Scan all of the code instead of only its strings, because code itself is ASCII.
        let used: BTreeSet<char> =
            files.iter().flat_map(|file| read_code(file).chars().collect::<Vec<_>>()).collect();
        for (target, fonts) in [("the window", for_window()), ("a page", for_page())] {
            let faces: Vec<_> = fonts.families[&FontFamily::Proportional]
                .iter()
                .map(|name| FontRef::try_from_slice(&fonts.font_data[name].font).unwrap())
                .collect();
            let is_missing =
                |character: char| faces.iter().all(|face| face.glyph_id(character).0 == 0);
            let missing: String = used
                .iter()
                .copied()
                .filter(|&character| !character.is_control() && is_missing(character))
                .collect();
            assert_eq!(missing, "", "in {target}");
        }
    }
}
