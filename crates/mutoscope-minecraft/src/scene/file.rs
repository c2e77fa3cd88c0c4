//! The content of a scene file.

use glam::DVec3;

use super::{Timing, blocks::round_half_up, json, legacy, placement::Transformation};
use mutoscope_core::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::Recognition,
};

/// A scene: which recordings and scenes are played together, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneFile {
    /// The version: up to 3 are lines of text, 4 is JSON; negative for what was not released.
    pub version: i64,
    /// Whether it is JSON.
    pub is_json: bool,
    /// Its elements, in the order of the file.
    pub elements: Vec<Element>,
}

/// An element of a scene: a recording, or another scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Its index in the file, of all elements, whether they can be read or not.
    pub index: usize,
    /// Its name, without the dot that scenes have before theirs.
    pub name: String,
    /// Whether it is a scene itself.
    pub is_scene: bool,
    /// The player whose name the actor has.
    pub player_name: Option<String>,
    /// Where the skin is from.
    pub skin: Skin,
    /// The entity that plays it.
    pub player_as_entity: Option<PlayerAsEntity>,
    /// The transformation of its places.
    pub transformation: Transformation,
    /// The centre of rotation, mirroring and scaling.
    pub centre: Centre,
    /// When it plays; how long it does, it does not say.
    pub timing: Timing,
    /// The filter of played entities.
    pub entity_filter: Option<String>,
}

/// An entity that plays what a player did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerAsEntity {
    /// Its kind: `minecraft:cow`.
    pub kind: String,
    /// Further data, as SNBT.
    pub nbt: Option<String>,
}

/// Where a skin is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Skin {
    /// From the recording.
    #[default]
    Recorded,
    /// From the player of this name.
    Player(String),
    /// From a file in the mod's folder; `list/NAME` is a list of skins.
    File(String),
    /// From mineskin.org.
    Mineskin(String),
}

/// The centre of an element's rotation, mirroring and scaling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Centre {
    /// How it follows from where a recording starts.
    pub of_recording: Rounding,
    /// Of a scene, which of its elements counts.
    pub of_scene: Chosen,
    /// The offset that is added to it, in blocks.
    pub offset: DVec3,
}

/// How a centre follows from where a recording starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// The middle or the corner of a block, whichever is nearer; where it is scaled by a whole
    /// number, the one by which blocks come to stand on blocks.
    #[default]
    Auto,
    /// The middle of the block.
    BlockCentre,
    /// The nearest corner of blocks.
    BlockCorner,
    /// The very place.
    Actual,
}

/// The element of a scene whose centre the scene is turned about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Chosen {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// The one that these words choose: its position from 1 on, and its name if a dash and more
    /// follow. (`002-walk`)
    Specific(String),
    /// Each about its own centre.
    Individual,
}

impl SceneFile {
    /// Whether mod versions 1.0 to 1.3, and the alphas of 1.4, played it, in their own way. What
    /// was never released, and version 0, which people write by hand, the current one plays.
    pub(super) fn plays_legacy(&self) -> bool {
        if self.is_json { self.version == -4 } else { (1..=3).contains(&self.version.abs()) }
    }
}

impl Element {
    /// The centre of the scene if this element is a recording that starts at `start`, or a scene
    /// with its own centre there.
    pub(super) fn centre_about(&self, start: DVec3) -> DVec3 {
        self.centre.of(start, self.transformation.scale)
    }

    /// Whether its places and blocks are passed on as they are.
    pub(super) fn is_still(&self) -> bool {
        let player_scale = Transformation::default().player_scale;
        self.centre == Centre::default()
            && Transformation { player_scale, ..self.transformation } == Transformation::default()
    }

    /// Whether the scene says nothing at all of where and how large it is.
    pub(super) fn is_plain(&self) -> bool {
        self.centre == Centre::default() && self.transformation == Transformation::default()
    }
}

impl Centre {
    /// The centre of what starts at `start` and is scaled.
    fn of(&self, start: DVec3, scale: f64) -> DVec3 {
        let floor = start.floor();
        let middle = DVec3::new(floor.x + 0.5, floor.y, floor.z + 0.5);
        let corner = DVec3::new(round_half_up(start.x), floor.y, round_half_up(start.z));
        let is_nearer_to_middle = || {
            let off = |point: DVec3| (point - start).with_y(0.0).length_squared();
            off(middle) <= off(corner)
        };
        let is_whole = scale != 1.0 && scale.fract() == 0.0;
        let centre = match self.of_recording {
            Rounding::Actual => start,
            Rounding::BlockCentre => middle,
            Rounding::BlockCorner => corner,
            Rounding::Auto if is_whole && scale % 2.0 == 0.0 => corner,
            Rounding::Auto if is_whole || is_nearer_to_middle() => middle,
            Rounding::Auto => corner,
        };
        centre + self.offset
    }
}

/// Whether `bytes` are text that could be a scene, and not a recording.
pub(in super::super) fn is_text(bytes: &[u8]) -> bool {
    // A recording begins with a version of which none looks like text.
    let start = bytes.trim_ascii_start();
    matches!(start, [b'{' | b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..])
}

/// Whether text is a scene, as far as its beginning tells: JSON that speaks of subscenes, or a
/// version and then lines of a name, numbers and words.
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
    let is_version =
        version.first().and_then(|word| legacy::version(word)).is_some_and(legacy::is_known);
    let Some((name, fields)) = element.split_first() else { return Recognition::No };
    let is_name = is_name(name.strip_prefix('.').unwrap_or(name)) && legacy::number(name).is_none();
    let is_scene =
        is_version && is_name && fields.iter().all(|field| legacy::number(field).is_some());
    if is_scene { Recognition::Plausible } else { Recognition::No }
}

/// Reads a scene, and reports the issues in it.
///
/// # Errors
/// If it is no text, or neither JSON nor lines that begin with a version.
pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<SceneFile, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let place = SourceLocation::byte(error.valid_up_to());
        Error::malformed(place, "text in UTF-8", "a byte that is none")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // As the mod tells them apart.
    let first = text.split_whitespace().next().unwrap_or_default();
    if legacy::version(first).is_none() && text.trim_start().starts_with('{') {
        json::decode(text, notices)
    } else {
        legacy::decode(text, notices)
    }
}

/// Whether the mod would accept a name: it becomes part of a path, so nothing else will do.
pub(super) fn is_name(name: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
    !name.is_empty() && !name.starts_with(['.', '-']) && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centres_are_rounded_as_asked_for() {
        let start = DVec3::new(10.9, 64.25, -3.1);
        let centre =
            |of_recording, scale| Centre { of_recording, ..Centre::default() }.of(start, scale);
        let middle = DVec3::new(10.5, 64.0, -3.5);
        let corner = DVec3::new(11.0, 64.0, -3.0);
        assert_eq!(centre(Rounding::Actual, 1.0), start);
        assert_eq!(centre(Rounding::BlockCentre, 1.0), middle);
        assert_eq!(centre(Rounding::BlockCorner, 1.0), corner);
        assert_eq!(centre(Rounding::Auto, 1.0), corner, "the nearer one");
        assert_eq!(centre(Rounding::Auto, 3.0), middle, "odd");
        assert_eq!(centre(Rounding::Auto, 2.0), corner, "even");
        let offset = DVec3::X;
        let moved = Centre { offset, ..Centre::default() };
        assert_eq!(moved.of(start, 3.0), middle + offset);
        let corner = Centre { of_recording: Rounding::BlockCorner, ..Centre::default() };
        let halves = corner.of(DVec3::new(-2.5, 64.0, 2.5), 1.0);
        assert_eq!(halves, DVec3::new(-2.0, 64.0, 3.0), "halves go up, below zero too");
    }

    #[test]
    fn scenes_are_recognised_by_how_they_begin() {
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
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", "../x", "a/b", "a\\b", "-x", "C:x", "a b", "ä"] {
            assert!(!is_name(name), "{name}");
        }
    }
}
