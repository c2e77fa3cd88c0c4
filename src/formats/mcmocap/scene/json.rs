//! Scenes of version 4: JSON, in which what is as usual is left out.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::Deserialize;
use serde_json::Value;

use super::{
    Timing,
    file::{Centre, Chosen, Element, Rounding, SceneFile, Skin, legacy_timing, ticks},
    placement::Transformation,
};
use crate::diagnostics::{Error, Notices, Place, json_syntax};

#[derive(Deserialize)]
struct File {
    version: i64,
    #[serde(default)]
    subscenes: Vec<Value>,
}

#[derive(Deserialize)]
struct Subscene {
    name: String,
    player_name: Option<String>,
    player_skin: Option<PlayerSkin>,
    #[serde(default)]
    transformations: Transformations,
    player_as_entity: Option<PlayerAsEntity>,
    time: Option<Time>,
    entity_filter: Option<String>,
    /// What alpha versions had in the place of `time` and `transformations`.
    start_delay: Option<f64>,
    offset: Option<[f64; 3]>,
    scale: Option<Scale>,
    #[serde(flatten)]
    unknown: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct PlayerSkin {
    skin_source: Option<String>,
    skin_path: Option<String>,
}

#[derive(Deserialize)]
struct PlayerAsEntity {
    id: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Transformations {
    rotation: f64,
    mirror: Option<String>,
    scale: Option<Scale>,
    offset: Option<[f64; 3]>,
    config: Config,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Scale {
    player_scale: Option<f64>,
    scene_scale: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Config {
    round_block_pos: bool,
    recording_center: Option<String>,
    scene_center: SceneCenter,
    center_offset: Option<[f64; 3]>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct SceneCenter {
    r#type: Option<String>,
    specific_str: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Time {
    start_delay: f64,
    wait_on_start: f64,
    wait_on_end: f64,
    wait_for_parent_end: Option<bool>,
    r#loop: bool,
}

pub(super) fn decode(text: &str, notices: &mut Notices) -> Result<SceneFile, Error> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        let place = Place::column(error.line() as u32, error.column() as u32);
        let (expected, found) = json_syntax(&error, text.as_bytes());
        Error::malformed(place, format!("a scene in JSON: {expected}"), found)
    })?;
    if i64::abs(file.version) != 4 {
        let message = format!("the version is {}, not 4: read as 4", file.version);
        notices.warning(Place::File, message);
    }
    let mut reader = Reader { notices, name: String::new() };
    let read = |(index, value)| reader.element(index, value);
    let elements = file.subscenes.into_iter().enumerate().filter_map(read).collect();
    Ok(SceneFile { version: file.version, elements })
}

struct Reader<'a> {
    notices: &'a mut Notices,
    /// What the element is called that is being read.
    name: String,
}

impl Reader<'_> {
    fn warn(&mut self, message: &str) {
        self.notices.warning(Place::File, format!("{:?}: {message}", self.name));
    }

    fn element(&mut self, index: usize, value: Value) -> Option<Element> {
        let name = value.get("name").and_then(Value::as_str);
        self.name = name.map_or_else(|| format!("element {}", index + 1), str::to_owned);
        let subscene = match Subscene::deserialize(value) {
            Ok(subscene) => subscene,
            Err(error) => {
                let message = format!("{:?} makes no sense and is left out: {error}", self.name);
                self.notices.error(Place::File, message);
                return None;
            }
        };
        if !subscene.unknown.is_empty() {
            let keys: Vec<_> = subscene.unknown.keys().map(|key| format!("{key:?}")).collect();
            self.warn(&format!("{} unknown: ignored, as by the mod", keys.join(", ")));
        }
        let name = subscene.name.strip_prefix('.');
        Some(Element {
            is_scene: name.is_some(),
            name: name.unwrap_or(&subscene.name).to_owned(),
            skin: self.skin(subscene.player_skin.as_ref()),
            transformation: self.transformation(&subscene),
            centre: self.centre(subscene.transformations.config),
            timing: match (&subscene.time, subscene.start_delay) {
                (None, Some(delay)) => legacy_timing(self.ticks("start_delay", delay)),
                (time, _) => time.as_ref().map(|time| self.timing(time)).unwrap_or_default(),
            },
            player_name: subscene.player_name,
            kind: subscene.player_as_entity.and_then(|entity| entity.id),
            entity_filter: subscene.entity_filter,
        })
    }

    fn ticks(&mut self, what: &str, seconds: f64) -> f64 {
        ticks(seconds).unwrap_or_else(|| {
            self.warn(&format!("{what} is {seconds} s: taken as 0"));
            0.0
        })
    }

    fn timing(&mut self, time: &Time) -> Timing {
        Timing {
            delay: self.ticks("start_delay", time.start_delay),
            wait: self.ticks("wait_on_start", time.wait_on_start),
            length: 0.0,
            rest: self.ticks("wait_on_end", time.wait_on_end),
            loops: time.r#loop,
            stays: time.wait_for_parent_end.unwrap_or(true),
            starts_at_once: false,
        }
    }

    fn transformation(&mut self, subscene: &Subscene) -> Transformation {
        let Transformations { rotation, mirror, offset, .. } = &subscene.transformations;
        let mirror = mirror.as_deref().unwrap_or_default();
        if !["", "none", "x", "z", "xz"].contains(&mirror) {
            self.warn(&format!("expected a mirror of x, z or xz, found {mirror:?}: ignored"));
        }
        let mirrors = |axis: char| ["x", "z", "xz"].contains(&mirror) && mirror.contains(axis);
        Transformation {
            rotation: *rotation,
            mirrors_x: mirrors('x'),
            mirrors_z: mirrors('z'),
            scale: self.scale(subscene.scales().and_then(|scale| scale.scene_scale)),
            player_scale: self.scale(subscene.scales().and_then(|scale| scale.player_scale)),
            offset: offset.or(subscene.offset).map_or(DVec3::ZERO, DVec3::from),
            rounds_blocks: subscene.transformations.config.round_block_pos,
        }
    }

    fn scale(&mut self, scale: Option<f64>) -> f64 {
        /// What the game makes of anything, at most and at least.
        const SOUND: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
        let Some(scale) = scale else { return 1.0 };
        if SOUND.contains(&scale) {
            return scale;
        }
        self.warn(&format!("expected a scale of {SOUND:?}, found {scale}: taken as 1"));
        1.0
    }

    fn skin(&mut self, skin: Option<&PlayerSkin>) -> Skin {
        let Some(PlayerSkin { skin_source, skin_path }) = skin else { return Skin::Recorded };
        match (skin_source.as_deref(), skin_path) {
            (Some("from_player"), _) => Skin::Player,
            (Some("from_file"), Some(path)) => Skin::File(path.clone()),
            (Some("from_mineskin"), Some(path)) => Skin::Mineskin(path.clone()),
            (None | Some("default"), _) => Skin::Recorded,
            (Some(source), _) => {
                self.warn(&format!("a skin of {source:?} is not understood: ignored"));
                Skin::Recorded
            }
        }
    }

    fn centre(&mut self, config: Config) -> Centre {
        let Config { recording_center, scene_center, center_offset, .. } = config;
        let of_recording = match recording_center.as_deref() {
            None | Some("auto") => Rounding::Auto,
            Some("block_center") => Rounding::BlockCentre,
            Some("block_corner") => Rounding::BlockCorner,
            Some("actual") => Rounding::Actual,
            Some(other) => {
                self.warn(&format!("a recording_center of {other:?} is not known: taken as auto"));
                Rounding::Auto
            }
        };
        let of_scene = match scene_center.r#type.as_deref() {
            None | Some("common_first") => Chosen::First,
            Some("common_last") => Chosen::Last,
            Some("common_specific") => Chosen::Named(scene_center.specific_str.unwrap_or_default()),
            Some("individual") => Chosen::Individual,
            Some(other) => {
                self.warn(&format!("a scene_center of {other:?} is not known: the first counts"));
                Chosen::First
            }
        };
        let offset = center_offset.map_or(DVec3::ZERO, DVec3::from);
        Centre { of_recording, of_scene, offset }
    }
}

impl Subscene {
    fn scales(&self) -> Option<Scale> {
        self.transformations.scale.or(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(json: &str) -> (Element, Notices) {
        let mut notices = Notices::new();
        let text = format!(r#"{{"version":4,"subscenes":[{json}]}}"#);
        let mut scene = decode(&text, &mut notices).unwrap();
        assert_eq!(scene.elements.len(), 1, "{notices:?}");
        (scene.elements.remove(0), notices)
    }

    #[test]
    fn everything_that_can_be_said() {
        let (element, notices) = one(r#"{"name":".intro","player_name":"Alex",
                "player_skin":{"skin_source":"from_file","skin_path":"a.png"},
                "transformations":{"rotation":90,"mirror":"xz",
                  "scale":{"player_scale":2.0,"scene_scale":3},"offset":[1,2,3],
                  "config":{"round_block_pos":true,"recording_center":"actual",
                    "scene_center":{"type":"common_specific","specific_str":"walk"},
                    "center_offset":[0,1,0]}},
                "player_as_entity":{"id":"minecraft:cow","nbt":"{}"},
                "time":{"start_delay":1.0,"wait_on_start":0.5,"wait_on_end":0.25,
                  "wait_for_parent_end":false,"loop":true},
                "entity_filter":"@vehicles"}"#);
        assert!(notices.is_empty(), "{notices:?}");
        let expected = Element {
            name: "intro".to_owned(),
            is_scene: true,
            player_name: Some("Alex".to_owned()),
            skin: Skin::File("a.png".to_owned()),
            kind: Some("minecraft:cow".to_owned()),
            transformation: Transformation {
                rotation: 90.0,
                mirrors_x: true,
                mirrors_z: true,
                scale: 3.0,
                player_scale: 2.0,
                offset: DVec3::new(1.0, 2.0, 3.0),
                rounds_blocks: true,
            },
            centre: Centre {
                of_recording: Rounding::Actual,
                of_scene: Chosen::Named("walk".to_owned()),
                offset: DVec3::Y,
            },
            timing: Timing {
                delay: 20.0,
                wait: 10.0,
                length: 0.0,
                rest: 5.0,
                loops: true,
                stays: false,
                starts_at_once: false,
            },
            entity_filter: Some("@vehicles".to_owned()),
        };
        assert_eq!(element, expected);
    }

    #[test]
    fn what_is_left_out_is_as_usual() {
        let (element, notices) = one(r#"{"name":"walk"}"#);
        let expected = Element { name: "walk".to_owned(), ..Element::default() };
        assert_eq!(element, expected);
        assert!(notices.is_empty());
    }

    #[test]
    fn alpha_versions_said_some_of_it_elsewhere() {
        let (element, notices) =
            one(r#"{"name":"walk","start_delay":2,"offset":[1,0,0],"scale":{"scene_scale":2}}"#);
        assert_eq!(element.timing, legacy_timing(40.0));
        assert_eq!(element.transformation.offset, DVec3::X);
        assert_eq!(element.transformation.scale, 2.0);
        assert!(notices.is_empty());
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        let cases = [
            r#"{"name":"walk","time":{"start_delay":-1}}"#,
            r#"{"name":"walk","transformations":{"mirror":"y"}}"#,
            r#"{"name":"walk","transformations":{"scale":{"scene_scale":0}}}"#,
            r#"{"name":"walk","transformations":{"config":{"recording_center":"x"}}}"#,
            r#"{"name":"walk","transformations":{"config":{"scene_center":{"type":"x"}}}}"#,
            r#"{"name":"walk","player_skin":{"skin_source":"x"}}"#,
            r#"{"name":"walk","surprise":1}"#,
        ];
        for json in cases {
            let (_, notices) = one(json);
            assert_eq!(notices.len(), 1, "{json}");
        }
        let mut notices = Notices::new();
        let text = r#"{"version":4,"subscenes":[{"name":1},{"name":"walk"},7]}"#;
        assert_eq!(decode(text, &mut notices).unwrap().elements.len(), 1);
        assert_eq!(notices.len(), 2, "{notices:?}");
        for text in ["{", "{}", r#"{"version":"4"}"#] {
            assert!(decode(text, &mut Notices::new()).is_err(), "{text}");
        }
    }
}
