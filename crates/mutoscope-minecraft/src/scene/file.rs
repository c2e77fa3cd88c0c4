//! The content of a scene file.

use glam::DVec3;

use super::{Timing, blocks::round_half_up, json, legacy, placement::Transformation};
use mutoscope_core::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::Recognition,
};

/// A scene file: the recordings and scenes that are played together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneFile {
    /// The version of the format. Files of versions up to 3 are lines of text, files of version 4
    /// are JSON. Unreleased versions are negative.
    pub version: i64,
    /// `true` if the file is JSON.
    pub is_json: bool,
    /// The elements, in the order of the file.
    pub elements: Vec<Element>,
}

/// An element of a scene: a recording, or another scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// The index of the element in the file. Elements that cannot be read also have an index.
    pub index: usize,
    /// The name, without the dot that the file has before the name of a scene.
    pub name: String,
    /// `true` if the element is a scene.
    pub is_scene: bool,
    /// The name of the player. `None` keeps the recorded or inherited name.
    pub player_name: Option<String>,
    /// The source of the skin.
    pub skin: Skin,
    /// The entity that plays the actions of the player. `None` keeps the player.
    pub player_as_entity: Option<PlayerAsEntity>,
    /// The transformation of the element.
    pub transformation: Transformation,
    /// The centre of rotation, mirroring and scaling.
    pub centre: Centre,
    /// The delays and waits. The duration follows from the recordings.
    pub timing: Timing,
    /// The filter of played entities. `None` plays all of them, unless an outer scene has a filter.
    pub entity_filter: Option<String>,
}

/// An entity that plays the actions of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerAsEntity {
    /// The kind, such as `minecraft:cow`.
    pub kind: String,
    /// Additional data, as SNBT.
    pub nbt: Option<String>,
}

/// The source of a skin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Skin {
    /// The skin in the recording.
    #[default]
    Recorded,
    /// The skin of the player with this name.
    Player(String),
    /// A file in the mod's folder. `list/NAME` is a list of skins.
    File(String),
    /// A skin from mineskin.org.
    Mineskin(String),
}

/// The centre of an element's rotation, mirroring and scaling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Centre {
    /// The rounding of the start position to a centre.
    pub rounding: CentreRounding,
    /// The element that determines the centre of a nested scene.
    pub chosen_element: ChosenElement,
    /// The offset that is added to the centre, in blocks.
    pub offset: DVec3,
}

/// The rounding of the start position of a recording to the centre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CentreRounding {
    /// The middle or the nearest corner of a block, whichever is nearer. If the scale is an integer
    /// other than 1, the corner for even scales and the middle for odd ones, because the blocks
    /// then stay on the grid.
    #[default]
    Auto,
    /// The middle of the block.
    BlockCentre,
    /// The nearest corner of a block.
    BlockCorner,
    /// The exact position.
    Actual,
}

/// The element that determines the centre of a nested scene.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ChosenElement {
    /// The first element.
    #[default]
    First,
    /// The last element.
    Last,
    /// The element with this number, such as `2`. The first element has the number 1. A dash and
    /// the name of the element may follow: `002-walk`.
    Specific(String),
    /// No common centre: each recording is transformed about its own centre.
    Individual,
}

impl SceneFile {
    /// Returns `true` if the file was written for mod versions 1.0 to 1.3 or for the alphas of 1.4,
    /// which started recordings in a different way. Only the current mod plays other versions, such
    /// as version 0 of files that people write by hand.
    pub(super) fn uses_legacy_playback(&self) -> bool {
        if self.is_json { self.version == -4 } else { (1..=3).contains(&self.version.abs()) }
    }
}

impl Element {
    pub(super) fn centre_for_start(&self, start: DVec3) -> DVec3 {
        self.centre.resolve(start, self.transformation.scale)
    }

    pub(super) fn keeps_positions(&self) -> bool {
        let player_scale = Transformation::default().player_scale;
        self.centre == Centre::default()
            && Transformation { player_scale, ..self.transformation } == Transformation::default()
    }

    pub(super) fn has_default_placement(&self) -> bool {
        self.centre == Centre::default() && self.transformation == Transformation::default()
    }
}

impl Centre {
    fn resolve(&self, start: DVec3, scale: f64) -> DVec3 {
        let floor = start.floor();
        let middle = DVec3::new(floor.x + 0.5, floor.y, floor.z + 0.5);
        let corner = DVec3::new(round_half_up(start.x), floor.y, round_half_up(start.z));
        let is_nearer_to_middle = || {
            let off = |point: DVec3| (point - start).with_y(0.0).length_squared();
            off(middle) <= off(corner)
        };
        let is_whole = scale != 1.0 && scale.fract() == 0.0;
        let centre = match self.rounding {
            CentreRounding::Actual => start,
            CentreRounding::BlockCentre => middle,
            CentreRounding::BlockCorner => corner,
            CentreRounding::Auto if is_whole && scale % 2.0 == 0.0 => corner,
            CentreRounding::Auto if is_whole || is_nearer_to_middle() => middle,
            CentreRounding::Auto => corner,
        };
        centre + self.offset
    }
}

pub(in super::super) fn is_scene_text(bytes: &[u8]) -> bool {
    // No recording begins with one of these characters, because its first byte is the version.
    let start = bytes.trim_ascii_start();
    matches!(start, [b'{' | b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..])
}

/// Guesses from its beginning whether `bytes` is a scene. JSON must contain the key `subscenes`.
/// Text must have a line with a known version, then a line with a name and numbers.
pub(in super::super) fn recognise(bytes: &[u8]) -> Recognition {
    let text = bytes.trim_ascii_start();
    if text.starts_with(b"{") {
        const KEY: &[u8] = b"\"subscenes\"";
        let is_scene = text.windows(KEY.len()).any(|window| window == KEY);
        return if is_scene { Recognition::Certain } else { Recognition::No };
    }
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let words = |line: Option<&[u8]>| {
        let line = line.and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default();
        line.split_ascii_whitespace().take(5).map(str::to_owned).collect::<Vec<_>>()
    };
    let version = words(lines.next());
    let element = words(lines.next());
    let is_version = version
        .first()
        .and_then(|word| legacy::parse_version(word))
        .is_some_and(legacy::is_known_version);
    let Some((name, fields)) = element.split_first() else { return Recognition::No };
    let is_name = is_valid_name(name.strip_prefix('.').unwrap_or(name))
        && legacy::parse_number(name).is_none();
    let is_scene =
        is_version && is_name && fields.iter().all(|field| legacy::parse_number(field).is_some());
    if is_scene { Recognition::Plausible } else { Recognition::No }
}

/// Reads a scene file. Problems are added to `diagnostics`.
///
/// # Errors
/// If the file is not UTF-8, or is neither JSON nor lines that begin with a version.
pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<SceneFile, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let location = SourceLocation::byte(error.valid_up_to());
        Error::malformed(location, "text in UTF-8", "a byte that is none")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The mod applies the same test to the first word, to distinguish text lines from JSON.
    let first = text.split_whitespace().next().unwrap_or_default();
    if legacy::parse_version(first).is_none() && text.trim_start().starts_with('{') {
        json::decode(text, diagnostics)
    } else {
        legacy::decode(text, diagnostics)
    }
}

/// Returns `true` if the mod accepts the name. Names become parts of paths, so characters such as
/// `/` must be rejected.
pub(super) fn is_valid_name(name: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    !name.is_empty() && !name.starts_with(['.', '-']) && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_are_rounded_as_configured() {
        let start = DVec3::new(10.9, 64.25, -3.1);
        let centre = |of_recording, scale| {
            Centre { rounding: of_recording, ..Centre::default() }.resolve(start, scale)
        };
        let middle = DVec3::new(10.5, 64.0, -3.5);
        let corner = DVec3::new(11.0, 64.0, -3.0);
        assert_eq!(centre(CentreRounding::Actual, 1.0), start);
        assert_eq!(centre(CentreRounding::BlockCentre, 1.0), middle);
        assert_eq!(centre(CentreRounding::BlockCorner, 1.0), corner);
        assert_eq!(centre(CentreRounding::Auto, 1.0), corner, "the nearer one");
        assert_eq!(centre(CentreRounding::Auto, 3.0), middle, "odd");
        assert_eq!(centre(CentreRounding::Auto, 2.0), corner, "even");
        let offset = DVec3::X;
        let moved = Centre { offset, ..Centre::default() };
        assert_eq!(moved.resolve(start, 3.0), middle + offset);
        let corner = Centre { rounding: CentreRounding::BlockCorner, ..Centre::default() };
        let halves = corner.resolve(DVec3::new(-2.5, 64.0, 2.5), 1.0);
        assert_eq!(halves, DVec3::new(-2.0, 64.0, 3.0), "halves go up, below zero too");
    }

    #[test]
    fn scenes_are_recognised_by_their_beginning() {
        let cases = [
            (r#" {"version":4,"subscenes":[]}"#, Recognition::Certain),
            ("2\nwalk 0.500000 0,000000 1 2 Steve [null]\n", Recognition::Plausible),
            ("2\n", Recognition::No),
            ("2\r\nwalk\r\n", Recognition::Plausible),
            ("0\n.intro 0.5 1 2", Recognition::Plausible),
            ("2\nwalk home tonight", Recognition::No),
            ("7\nwalk 0 0 0 0", Recognition::No),
            ("3\n4\n5", Recognition::No),
            (r#"{"tracks":[]}"#, Recognition::No),
        ];
        for (text, expected) in cases {
            assert_eq!(recognise(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        for name in ["rec1", "a-b.c_d", "Walk"] {
            assert!(is_valid_name(name), "{name}");
        }
        for name in ["", ".", "..", "../x", "a/b", "a\\b", "-x", "C:x", "a b", "ä"] {
            assert!(!is_valid_name(name), "{name}");
        }
    }
}
