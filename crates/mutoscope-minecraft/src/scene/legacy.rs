//! Reads scenes of versions 0 to 3, which are lines of text.

use glam::DVec3;

use super::{
    Timing, codes,
    file::{Element, PlayerAsEntity, SceneFile, Skin},
    timing::is_valid_delay,
};
use mutoscope_core::diagnostics::{Diagnostics, Error, SourceLocation};

const NULL: &str = "[null]";

pub(super) fn parse_version(word: &str) -> Option<i64> {
    word.parse().ok()
}

/// Returns `true` if the mod reads lines of text with this version. The mod reads even lines of
/// version 4, although it writes version 4 as JSON.
pub(super) fn is_known_version(version: i64) -> bool {
    (-4..=4).contains(&version)
}

pub(super) fn parse_number(word: &str) -> Option<f64> {
    // Accept a decimal comma, because people in some countries write one.
    word.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

pub(super) fn decode(text: &str, diagnostics: &mut Diagnostics) -> Result<SceneFile, Error> {
    let mut lines = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim().is_empty());
    // The mod ignores the rest of the first line.
    let (first_line, first) = lines.next().map_or((1, ""), |(number, line)| {
        (number, line.split_whitespace().next().unwrap_or_default())
    });
    let version = parse_version(first).ok_or_else(|| {
        let expected = "the version of a scene, 0 to 3, or JSON";
        Error::malformed(SourceLocation::line(first_line), expected, format!("{first:?}"))
    })?;
    if !is_known_version(version) {
        let message = format!(
            "expected lines of version 0 to 3, found version {version}: from 4 on, scenes are JSON"
        );
        return Err(Error::unsupported(SourceLocation::line(first_line), message));
    }
    if !(0..=3).contains(&version) {
        let message = format!("version {version} of a scene in lines of text; using version 3");
        diagnostics
            .warning(codes::SCENE_VERSION, SourceLocation::line(first_line), message)
            .with("found", version);
    }
    let mut reader = Reader { version, diagnostics, has_empty_line: false };
    let elements = lines.filter_map(|(number, line)| reader.read_line(number, line));
    let numbered = |(index, element)| Element { index, ..element };
    let elements = elements.enumerate().map(numbered).collect();
    Ok(SceneFile { version, is_json: false, elements })
}

struct Reader<'a> {
    version: i64,
    diagnostics: &'a mut Diagnostics,
    /// `true` if the previous line was empty. The mod rejects an empty line before the last
    /// element.
    has_empty_line: bool,
}

impl Reader<'_> {
    fn read_line(&mut self, number: u32, line: &str) -> Option<Element> {
        if line.trim().is_empty() {
            self.has_empty_line = true;
            return None;
        }
        if std::mem::take(&mut self.has_empty_line) {
            let message = "the mod rejects empty lines; skipped";
            self.diagnostics.warning(
                codes::SCENE_EMPTY_LINE,
                SourceLocation::line(number - 1),
                message,
            );
        }
        Some(self.read_element(number, line))
    }

    /// Reads `name delay x y z player_name skin_path skin_source player_as_entity`. If a field is
    /// missing or invalid, this field and all fields after it keep their defaults.
    fn read_element(&mut self, line: u32, text: &str) -> Element {
        let mut fields = text.split_whitespace();
        let name = fields.next().unwrap_or_default();
        let mut element = Element {
            name: name.strip_prefix('.').unwrap_or(name).to_owned(),
            is_scene: name.starts_with('.'),
            ..Element::default()
        };
        element.transformation.rounds_blocks = true;
        element.timing = self.timing(0.0);
        // Ignore the result. It is `None` if a field is missing or invalid. The remaining fields
        // then keep their defaults.
        let _ = self.read_fields(line, name, &mut fields, &mut element);
        element
    }

    fn read_fields<'t>(
        &mut self,
        line: u32,
        name: &str,
        fields: &mut impl Iterator<Item = &'t str>,
        element: &mut Element,
    ) -> Option<()> {
        let delay = self.read_number(line, name, "delay", fields.next()?)?;
        if is_valid_delay(delay) {
            element.timing = self.timing(delay);
        } else {
            let message = format!("the delay of {name:?} is {delay} s; using 0");
            self.diagnostics
                .warning(codes::INVALID_OPTION, SourceLocation::line(line), message)
                .with("element", name);
        }
        let mut offset = DVec3::ZERO;
        for axis in 0..3 {
            // Set `element.transformation.offset` only after all three numbers are read, because an
            // incomplete offset must keep the default.
            offset[axis] = self.read_number(line, name, "offset", fields.next()?)?;
        }
        element.transformation.offset = offset;
        element.player_name =
            unless_null(fields.next()?).filter(|name| self.check_player_name(line, name));
        let path = unless_null(fields.next()?);
        // Lines of version 2 end here, and their path is a mineskin address. In later versions, the
        // next field is the source of the skin.
        element.skin = path.clone().map_or(Skin::Recorded, Skin::Mineskin);
        element.skin = skin_from_source(fields.next()?, path);
        let kind = unless_null(fields.next()?);
        element.player_as_entity = kind.map(|kind| PlayerAsEntity { kind, nbt: None });
        Some(())
    }

    /// Returns the timing for a delay. Mod versions before 1.4 played versions 1 to 3 with a legacy
    /// delay. Only the current mod plays versions 0 and 4.
    fn timing(&self, delay: f64) -> Timing {
        match self.version.abs() {
            1..=3 => Timing::legacy(delay),
            _ => Timing { wait_on_start: delay, ..Timing::default() },
        }
    }

    fn read_number(&mut self, line: u32, name: &str, what: &str, word: &str) -> Option<f64> {
        let number = parse_number(word);
        if number.is_none() {
            let message = format!(
                "the {what} of {name:?} is not a number ({word:?}); using the defaults for it \
             and for the rest of the line"
            );
            self.diagnostics
                .warning(codes::INVALID_OPTION, SourceLocation::line(line), message)
                .with("element", name);
        }
        number
    }

    fn check_player_name(&mut self, line: u32, name: &str) -> bool {
        /// The maximum length of a player name in UTF-16 code units, because Java counts these
        /// units.
        const MAX_NAME_UNITS: usize = 16;
        let is_valid = name.encode_utf16().count() <= MAX_NAME_UNITS;
        if !is_valid {
            let message = format!(
                "{name:?} is longer than the {MAX_NAME_UNITS} letters of a player's name; skipped"
            );
            self.diagnostics
                .warning(codes::INVALID_OPTION, SourceLocation::line(line), message)
                .with("name", name);
        }
        is_valid
    }
}

fn unless_null(field: &str) -> Option<String> {
    (field != NULL).then(|| field.to_owned())
}

/// Returns the skin for a source. The mod writes the source as a number. People write it as a word.
fn skin_from_source(source: &str, path: Option<String>) -> Skin {
    let Some(path) = path else { return Skin::Recorded };
    match source {
        "1" | "from_player" => Skin::Player(path),
        "2" | "from_file" => Skin::File(path),
        "3" | "from_mineskin" => Skin::Mineskin(path),
        "default" => Skin::Recorded,
        // The source of a skin is a number or a word. If the number is unknown, use the recorded
        // skin. If the word is unknown, treat the path as a mineskin address.
        number if number.parse::<i64>().is_ok() => Skin::Recorded,
        _ => Skin::Mineskin(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_lines_of_every_version_are_read() {
        let text = "3 of old\r\nwalk 1.500000 1,000000 2 -3 Steve skin.png 2 minecraft:cow\n\n\
                    .intro 0.0 0 0 0 [null]\nlast\n\n";
        let mut diagnostics = Diagnostics::new();
        let scene = decode(text, &mut diagnostics).unwrap();
        assert_eq!((scene.version, scene.is_json, scene.uses_legacy_playback()), (3, false, true));
        let [walk, intro, last] = &scene.elements[..] else { panic!("{scene:?}") };
        assert_eq!((walk.name.as_str(), walk.is_scene), ("walk", false));
        assert_eq!(walk.timing, Timing::legacy(1.5));
        assert_eq!(walk.transformation.offset, DVec3::new(1.0, 2.0, -3.0));
        assert_eq!(walk.player_name.as_deref(), Some("Steve"));
        assert_eq!(walk.skin, Skin::File("skin.png".to_owned()));
        assert_eq!(walk.player_as_entity.as_ref().unwrap().kind, "minecraft:cow");
        assert_eq!((intro.name.as_str(), intro.is_scene), ("intro", true));
        assert_eq!((intro.player_name.as_deref(), &intro.skin), (None, &Skin::Recorded));
        assert_eq!((last.name.as_str(), last.timing), ("last", Timing::legacy(0.0)));
        assert_eq!(diagnostics.len(), 1, "only the empty line within: {diagnostics:?}");
    }

    #[test]
    fn reading_stops_at_missing_or_invalid_fields() {
        let mut diagnostics = Diagnostics::new();
        let text = "1\nwalk soon 1 2 3 Steve\nrun 1 2 3\nhop 1 2 x 4 Alex\nlate -2 1 1 1 Alex";
        let scene = decode(text, &mut diagnostics).unwrap();
        let found = scene.elements.iter().map(|element| {
            let offset = element.transformation.offset.to_array();
            (element.timing.wait_on_start, offset, element.player_name.as_deref())
        });
        let expected = [
            (0.0, [0.0; 3], None),
            (1.0, [0.0; 3], None),
            (1.0, [0.0; 3], None),
            (0.0, [1.0; 3], Some("Alex")),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!(diagnostics.len(), 3, "{diagnostics:?}");
    }

    #[test]
    fn skin_sources_are_numbers_or_words() {
        let skin = |fields: &str| {
            let text = format!("0\nwalk 0 0 0 0 ThisNameIsFarTooLong {fields}");
            let mut diagnostics = Diagnostics::new();
            let scene = decode(&text, &mut diagnostics).unwrap();
            assert_eq!((scene.elements[0].player_name.as_deref(), diagnostics.len()), (None, 1));
            scene.elements[0].skin.clone()
        };
        let is = |skin: fn(String) -> Skin| skin("x".to_owned());
        assert_eq!(skin("x"), is(Skin::Mineskin), "version 2 has no source");
        assert_eq!([skin("x 1"), skin("x from_player")], [is(Skin::Player), is(Skin::Player)]);
        assert_eq!([skin("x 2"), skin("x from_file")], [is(Skin::File), is(Skin::File)]);
        assert_eq!(
            [skin("x 3"), skin("x from_mineskin")],
            [is(Skin::Mineskin), is(Skin::Mineskin)]
        );
        for recorded in ["x 0", "x 17", "x default", "[null] 2", "[null]"] {
            assert_eq!(skin(recorded), Skin::Recorded, "{recorded}");
        }
        assert_eq!(skin("x whatever"), is(Skin::Mineskin));
    }

    #[test]
    fn unknown_scene_versions_are_rejected() {
        for text in ["", "walk 0 0 0 0", "5\nwalk", "-5\nwalk"] {
            assert!(decode(text, &mut Diagnostics::new()).is_err(), "{text:?}");
        }
        for version in [-4, 0, 4] {
            assert!(decode(&format!("{version}\nwalk"), &mut Diagnostics::new()).is_ok());
        }
    }
}
