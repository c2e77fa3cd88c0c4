//! The fonts of the desktop window and of a web page.

#[cfg(any(test, target_family = "wasm"))]
use std::sync::Arc;

#[cfg(any(test, target_family = "wasm"))]
use bevy_egui::egui::FontData;
use bevy_egui::egui::{FontDefinitions, FontFamily};
#[cfg(any(test, target_family = "wasm"))]
use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};

#[cfg(target_family = "wasm")]
pub(super) use for_page as at_start;
#[cfg(not(target_family = "wasm"))]
pub(super) use for_window as at_start;

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
