//! Scenes of versions 0 to 3: lines of text.

use glam::DVec3;

use super::{
    Timing,
    file::{Element, PlayerAsEntity, SceneFile, Skin},
    timing::is_sound,
};
use mutoscope_core::diagnostics::{Error, Notices, SourceLocation};

/// The word for an absent value.
const NULL: &str = "[null]";

/// The version that a word is, if it is a whole number.
pub(super) fn version(word: &str) -> Option<i64> {
    word.parse().ok()
}

/// Whether the mod reads scenes of this version: lines even where JSON would be expected.
pub(super) fn is_known(version: i64) -> bool {
    (-4..=4).contains(&version)
}

/// The finite number that a word is.
pub(super) fn number(word: &str) -> Option<f64> {
    // In some countries, people write a comma.
    word.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

pub(super) fn decode(text: &str, notices: &mut Notices) -> Result<SceneFile, Error> {
    let mut lines = (1..).zip(text.lines()).skip_while(|(_, line)| line.trim().is_empty());
    // The rest of the first line says nothing.
    let (place, first) = lines.next().map_or((1, ""), |(place, line)| {
        (place, line.split_whitespace().next().unwrap_or_default())
    });
    let version = version(first).ok_or_else(|| {
        let expected = "the version of a scene, 0 to 3, or JSON";
        Error::malformed(SourceLocation::line(place), expected, format!("{first:?}"))
    })?;
    if !is_known(version) {
        let message = format!(
            "expected lines of version 0 to 3, found version {version}: from 4 on, scenes are JSON"
        );
        return Err(Error::unsupported(SourceLocation::line(place), message));
    }
    if !(0..=3).contains(&version) {
        let message = format!("version {version} of a scene in lines of text; using version 3");
        notices.warning(SourceLocation::line(place), message);
    }
    let mut reader = Reader { version, notices, has_empty_line: false };
    let elements = lines.filter_map(|(number, line)| reader.line(number, line));
    let numbered = |(index, element)| Element { index, ..element };
    let elements = elements.enumerate().map(numbered).collect();
    Ok(SceneFile { version, is_json: false, elements })
}

struct Reader<'a> {
    version: i64,
    notices: &'a mut Notices,
    /// Whether the line before was empty; at the end of the file that is nothing to speak of.
    has_empty_line: bool,
}

impl Reader<'_> {
    fn line(&mut self, number: u32, line: &str) -> Option<Element> {
        if line.trim().is_empty() {
            self.has_empty_line = true;
            return None;
        }
        if std::mem::take(&mut self.has_empty_line) {
            let message = "an empty line, which the mod refuses; skipped";
            self.notices.warning(SourceLocation::line(number - 1), message);
        }
        Some(self.element(number, line))
    }

    /// `name delay x y z player_name skin_path skin_source player_as_entity`, read up to the first
    /// that is missing or cannot be read: from there on everything is as usual.
    fn element(&mut self, line: u32, text: &str) -> Element {
        let mut fields = text.split_whitespace();
        let name = fields.next().unwrap_or_default();
        let mut element = Element {
            name: name.strip_prefix('.').unwrap_or(name).to_owned(),
            is_scene: name.starts_with('.'),
            ..Element::default()
        };
        element.transformation.rounds_blocks = true;
        element.timing = self.timing(0.0);
        // Nothing tells whether reading ended where the fields do or before.
        let _ = self.fields(line, name, &mut fields, &mut element);
        element
    }

    fn fields<'t>(
        &mut self,
        line: u32,
        name: &str,
        fields: &mut impl Iterator<Item = &'t str>,
        element: &mut Element,
    ) -> Option<()> {
        let delay = self.number(line, name, "delay", fields.next()?)?;
        if is_sound(delay) {
            element.timing = self.timing(delay);
        } else {
            let message = format!("the delay of {name:?} is {delay} s; using 0");
            self.notices.warning(SourceLocation::line(line), message);
        }
        let mut offset = DVec3::ZERO;
        for axis in 0..3 {
            // All three or none of them.
            offset[axis] = self.number(line, name, "offset", fields.next()?)?;
        }
        element.transformation.offset = offset;
        element.player_name = given(fields.next()?).filter(|name| self.is_player_name(line, name));
        let path = given(fields.next()?);
        // Version 2 has no source: what it has is an address.
        element.skin = path.clone().map_or(Skin::Recorded, Skin::Mineskin);
        element.skin = skin(fields.next()?, path);
        let kind = given(fields.next()?);
        element.player_as_entity = kind.map(|kind| PlayerAsEntity { kind, nbt: None });
        Some(())
    }

    /// Versions 1 to 3 were played by the mod of old; 0 and 4 only the current one plays.
    fn timing(&self, delay: f64) -> Timing {
        match self.version.abs() {
            1..=3 => Timing::legacy(delay),
            _ => Timing { wait_on_start: delay, ..Timing::default() },
        }
    }

    fn number(&mut self, line: u32, name: &str, what: &str, word: &str) -> Option<f64> {
        let number = number(word);
        if number.is_none() {
            let message = format!(
                "the {what} of {name:?} is not a number ({word:?}); using the defaults for it \
             and for the rest of the line"
            );
            self.notices.warning(SourceLocation::line(line), message);
        }
        number
    }

    fn is_player_name(&mut self, line: u32, name: &str) -> bool {
        /// In UTF-16 units, as Java counts.
        const LONGEST: usize = 16;
        let is_one = name.encode_utf16().count() <= LONGEST;
        if !is_one {
            let message = format!(
                "{name:?} is longer than the {LONGEST} letters of a player's name; skipped"
            );
            self.notices.warning(SourceLocation::line(line), message);
        }
        is_one
    }
}

/// The value of a field, unless it is absent.
fn given(field: &str) -> Option<String> {
    (field != NULL).then(|| field.to_owned())
}

/// The skin of a source, which is a number as the mod writes it or a word as people do.
fn skin(source: &str, path: Option<String>) -> Skin {
    let Some(path) = path else { return Skin::Recorded };
    match source {
        "1" | "from_player" => Skin::Player(path),
        "2" | "from_file" => Skin::File(path),
        "3" | "from_mineskin" => Skin::Mineskin(path),
        "default" => Skin::Recorded,
        // Numbers that mean nothing are as usual; words that mean nothing are taken for addresses.
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
        let mut notices = Notices::new();
        let scene = decode(text, &mut notices).unwrap();
        assert_eq!((scene.version, scene.is_json, scene.plays_legacy()), (3, false, true));
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
        assert_eq!(notices.len(), 1, "only the empty line within: {notices:?}");
    }

    #[test]
    fn reading_stops_at_missing_or_invalid_fields() {
        let mut notices = Notices::new();
        let text = "1\nwalk soon 1 2 3 Steve\nrun 1 2 3\nhop 1 2 x 4 Alex\nlate -2 1 1 1 Alex";
        let scene = decode(text, &mut notices).unwrap();
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
        assert_eq!(notices.len(), 3, "{notices:?}");
    }

    #[test]
    fn skin_sources_are_numbers_or_words() {
        let skin = |fields: &str| {
            let text = format!("0\nwalk 0 0 0 0 ThisNameIsFarTooLong {fields}");
            let mut notices = Notices::new();
            let scene = decode(&text, &mut notices).unwrap();
            assert_eq!((scene.elements[0].player_name.as_deref(), notices.len()), (None, 1));
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
            assert!(decode(text, &mut Notices::new()).is_err(), "{text:?}");
        }
        for version in [-4, 0, 4] {
            assert!(decode(&format!("{version}\nwalk"), &mut Notices::new()).is_ok());
        }
    }
}
