//! Scenes of versions 1 to 3: lines of text.

use glam::DVec3;

use super::file::{Element, SceneFile, Skin, legacy_timing, ticks};
use crate::diagnostics::{Error, Notices, Place};

/// What stands for nothing.
const NULL: &str = "[null]";

pub(super) fn decode(text: &str, notices: &mut Notices) -> Result<SceneFile, Error> {
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map_or("", |(_, line)| line.trim());
    let version = first.parse().map_err(|_| {
        let expected = "the version of a scene, 1 to 3, or JSON";
        Error::malformed(Place::line(1), expected, format!("{first:?}"))
    })?;
    if !(1..=3).contains(&i64::abs(version)) {
        let message = format!(
            "expected lines of version 1 to 3, found version {version}: from 4 on, scenes are JSON"
        );
        return Err(Error::unsupported(Place::line(1), message));
    }
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let elements = lines.map(|(number, line)| element(number, line, notices)).collect();
    Ok(SceneFile { version, elements })
}

/// `name delay x y z player skin source entity`, of which the last may be missing.
fn element(line: u32, text: &str, notices: &mut Notices) -> Element {
    let mut fields = text.split_whitespace().map(|field| Some(field).filter(|&one| one != NULL));
    let mut next = || fields.next().flatten();
    let name = next().unwrap_or_default();
    let is_scene = name.starts_with('.');
    let mut element = Element {
        name: name.strip_prefix('.').unwrap_or(name).to_owned(),
        is_scene,
        ..Element::default()
    };
    let mut number = |what: &str| {
        let Some(field) = next() else { return 0.0 };
        // In some countries, the mod wrote a comma.
        field
            .replace(',', ".")
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .unwrap_or_else(|| {
                let message = format!("{what} of {name:?} is no number ({field:?}): taken as 0");
                notices.warning(Place::line(line), message);
                0.0
            })
    };
    let delay = number("the delay");
    let [x, y, z] = [number("the offset"), number("the offset"), number("the offset")];
    let delay = ticks(delay).unwrap_or_else(|| {
        let message = format!("the delay of {name:?} is {delay} s: taken as 0");
        notices.warning(Place::line(line), message);
        0.0
    });
    element.timing = legacy_timing(delay);
    element.transformation.offset = DVec3::new(x, y, z);
    element.transformation.rounds_blocks = true;
    element.player_name = next().map(str::to_owned);
    let path = next().map(str::to_owned);
    element.skin = match (next(), path) {
        (Some("1"), _) => Skin::Player,
        (Some("2"), Some(path)) => Skin::File(path),
        // Version 2 has no source: what it has is an address.
        (Some("3") | None, Some(path)) => Skin::Mineskin(path),
        _ => Skin::Recorded,
    };
    element.kind = next().map(str::to_owned);
    element
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_version() {
        let text = "3\r\nwalk 1.500000 1,000000 2 -3 Steve skin.png 2 minecraft:cow\n\n\
                    .intro [null] 0 0 0 [null]\nlast\n";
        let mut notices = Notices::new();
        let scene = decode(text, &mut notices).unwrap();
        assert_eq!(scene.version, 3);
        let [walk, intro, last] = &scene.elements[..] else { panic!("{scene:?}") };
        assert_eq!((walk.name.as_str(), walk.is_scene), ("walk", false));
        assert_eq!(walk.timing, legacy_timing(30.0));
        assert_eq!(walk.transformation.offset, DVec3::new(1.0, 2.0, -3.0));
        assert_eq!(walk.player_name.as_deref(), Some("Steve"));
        assert_eq!(walk.skin, Skin::File("skin.png".to_owned()));
        assert_eq!(walk.kind.as_deref(), Some("minecraft:cow"));
        assert_eq!((intro.name.as_str(), intro.is_scene), ("intro", true));
        assert_eq!((intro.player_name.as_deref(), &intro.skin), (None, &Skin::Recorded));
        assert_eq!((last.name.as_str(), last.timing), ("last", legacy_timing(0.0)));
        assert!(notices.is_empty(), "{notices:?}");
    }

    #[test]
    fn what_is_no_number_is_said() {
        let mut notices = Notices::new();
        let scene = decode("1\nwalk soon 1 x NaN Steve\nrun -2", &mut notices).unwrap();
        assert_eq!(scene.elements[0].transformation.offset, DVec3::X);
        assert_eq!(notices.len(), 4, "{notices:?}");
    }

    #[test]
    fn what_has_no_version_is_refused() {
        for text in ["", "walk 0 0 0 0", "4\nwalk"] {
            assert!(decode(text, &mut Notices::new()).is_err(), "{text:?}");
        }
    }
}
