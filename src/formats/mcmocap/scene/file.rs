//! What a scene says, before anything is made of it.

use glam::DVec3;

use super::{json, legacy, placement::Transformation};
use crate::{
    diagnostics::{Error, Notices, Place},
    formats::Recognition,
};

/// A scene: which recordings and scenes are played together, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneFile {
    /// The version: 1 to 3 are lines of text, 4 is JSON; negative for what was not released.
    pub version: i64,
    /// What is played.
    pub elements: Vec<Element>,
}

/// What a scene plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Its name, without the dot that scenes have before theirs.
    pub name: String,
    /// Whether it is a scene itself.
    pub is_scene: bool,
    /// Whose name who plays it has.
    pub player_name: Option<String>,
    /// Where the skin is from.
    pub skin: Skin,
    /// The kind of entity that plays it: `minecraft:cow`.
    pub kind: Option<String>,
    /// What is done to its places.
    pub transformation: Transformation,
    /// What it is turned, mirrored and scaled about.
    pub centre: Centre,
    /// When it plays, in ticks; how long it does, it does not say.
    pub timing: super::Timing,
    /// Which entities are played.
    pub entity_filter: Option<String>,
}

/// Where a skin is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Skin {
    /// From the recording.
    #[default]
    Recorded,
    /// From the player of the name.
    Player,
    /// From a file in the mod's folder.
    File(String),
    /// From mineskin.org.
    Mineskin(String),
}

/// What an element is turned, mirrored and scaled about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Centre {
    /// How it follows from where a recording starts.
    pub of_recording: Rounding,
    /// Of a scene, which of its elements counts.
    pub of_scene: Chosen,
    /// What is added to it, in blocks.
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

/// Which element of a scene it is turned about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Chosen {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// The one of this name.
    Named(String),
    /// Each about its own centre.
    Individual,
}

impl Centre {
    /// The centre of what starts at `start` and is scaled.
    pub(super) fn of(&self, start: DVec3, scale: f64) -> DVec3 {
        let floor = start.floor();
        let middle = DVec3::new(floor.x + 0.5, floor.y, floor.z + 0.5);
        let corner = DVec3::new(start.x.round(), floor.y, start.z.round());
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
/// version and then lines of a name and numbers.
pub(in super::super) fn recognise(bytes: &[u8]) -> Recognition {
    let text = bytes.trim_ascii_start();
    if text.starts_with(b"{") {
        const KEY: &[u8] = b"\"subscenes\"";
        let is_scene = text.windows(KEY.len()).any(|window| window == KEY);
        return if is_scene { Recognition::Certain } else { Recognition::No };
    }
    let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let version = lines.next().unwrap_or_default();
    let Some(Ok(line)) = lines.next().map(std::str::from_utf8) else { return Recognition::No };
    let mut fields = line.split_whitespace().skip(1).take(4);
    let is_number = |field: &str| field.replace(',', ".").parse::<f64>().is_ok();
    let is_scene = matches!(version, b"1" | b"2" | b"3" | b"-1" | b"-2" | b"-3")
        && fields.clone().count() == 4
        && fields.all(is_number);
    if is_scene { Recognition::Plausible } else { Recognition::No }
}

/// Reads a scene, and says what is odd about it.
///
/// # Errors
/// If it is no text, or neither JSON nor lines that begin with a version.
pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<SceneFile, Error> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let place = Place::byte(error.valid_up_to());
        Error::malformed(place, "text in UTF-8", "a byte that is none")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{') {
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

/// Ticks from seconds; none that are negative or no number.
pub(super) fn ticks(seconds: f64) -> Option<f64> {
    /// Nobody waits for a year.
    const LONGEST: f64 = 365.25 * 86_400.0;
    let is_sound = (0.0..=LONGEST).contains(&seconds);
    is_sound.then(|| (seconds * crate::formats::mcmocap::TICKS_PER_SECOND).round())
}

/// When something plays that is told to wait so many ticks in the manner of old: it is there, its
/// first tick runs at once, and its second when the wait is over.
pub(super) fn legacy_timing(ticks: f64) -> super::Timing {
    let wait = (ticks - 1.0).max(0.0);
    super::Timing { wait, starts_at_once: true, ..super::Timing::default() }
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
    }

    #[test]
    fn scenes_are_recognised_by_how_they_begin() {
        let cases = [
            (r#" {"version":4,"subscenes":[]}"#, Recognition::Certain),
            ("2\nwalk 0.500000 0,000000 1 2 Steve [null]\n", Recognition::Plausible),
            ("2\n", Recognition::No),
            ("2\nwalk", Recognition::No),
            ("7\nwalk 0 0 0 0", Recognition::No),
            (r#"{"tracks":[]}"#, Recognition::No),
        ];
        for (text, expected) in cases {
            assert_eq!(recognise(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["rec1", "a-b.c_d", "Walk"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", ".", "..", "../x", "a/b", "a\\b", "-x", "C:x", "a b", "ä"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn delays_are_rounded_to_ticks() {
        assert_eq!([0.0, 0.07, 1.0].map(ticks), [Some(0.0), Some(1.0), Some(20.0)]);
        assert_eq!([-0.1, f64::NAN, 1e12].map(ticks), [None; 3]);
    }
}
