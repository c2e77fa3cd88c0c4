//! Loads the fonts next to a page.

use std::collections::{BTreeMap, BTreeSet};

use ab_glyph::FontRef;
use bevy::log::warn;
use bevy_egui::egui::FontData;

use crate::browser;

/// The fonts that `scripts/web` copies next to the page, and the first and last character for which
/// each is loaded.
const FONTS: [(&str, [char; 2]); 2] = [
    // Chinese, Japanese and Korean, and other scripts before them.
    ("DroidSansFallbackFull.ttf", ['\u{0590}', '\u{ffef}']),
    ("NotoEmoji-Regular.ttf", ['\u{1f000}', '\u{1faff}']),
];

/// Loads the fonts for `characters`. A font that the server lacks is skipped.
pub(super) async fn load(characters: BTreeSet<char>) -> BTreeMap<String, FontData> {
    let mut found = BTreeMap::new();
    for (name, [first, last]) in FONTS {
        if characters.range(first..=last).next().is_none() {
            continue;
        }
        let bytes = match browser::fetch_asset(&format!("fonts/{name}")).await {
            Ok(bytes) => bytes,
            Err(why) => {
                warn!("some characters are drawn as boxes: {why}");
                continue;
            }
        };
        // egui panics if the bytes are no font, such as the error page of a server.
        if FontRef::try_from_slice(&bytes).is_ok() {
            found.insert(name.to_owned(), FontData::from_owned(bytes));
        } else {
            warn!("some characters are drawn as boxes: the server sends no font as {name}");
        }
    }
    found
}
