//! Reads scenes of version 4, which are JSON. Defaults are omitted.

use std::collections::BTreeMap;

use glam::DVec3;
use serde::Deserialize;
use serde_json::Value;

use super::{
    Timing, codes,
    file::{Centre, CentreRounding, ChosenElement, Element, PlayerAsEntity, SceneFile, Skin},
    placement::Transformation,
    timing::is_valid_delay,
};
use mutoscope_core::diagnostics::{
    Code, Diagnostic, Diagnostics, Error, Severity, SourceLocation, describe_json_syntax_error,
};

#[derive(Deserialize)]
struct File {
    version: Option<i64>,
    subscenes: Vec<Value>,
}

#[derive(Deserialize)]
struct Subscene {
    name: String,
    player_name: Option<String>,
    player_skin: Option<PlayerSkin>,
    #[serde(default)]
    transformations: Transformations,
    player_as_entity: Option<AsEntity>,
    time: Option<Time>,
    entity_filter: Option<String>,
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
struct AsEntity {
    id: Option<String>,
    nbt: Option<String>,
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

pub(super) fn decode(text: &str, diagnostics: &mut Diagnostics) -> Result<SceneFile, Error> {
    let file: File = serde_json::from_str(text).map_err(|error| {
        let location = SourceLocation::column(error.line() as u32, error.column() as u32);
        let (expected, found) = describe_json_syntax_error(&error, text.as_bytes());
        Error::malformed(location, format!("a scene in JSON: {expected}"), found)
    })?;
    let version = file.version.unwrap_or(VERSION);
    if file.version.is_none_or(|version| version.abs() != VERSION) {
        let found =
            file.version.map_or("no version".to_owned(), |found| format!("version {found}"));
        let message = format!("expected version {VERSION}, found {found}; using {VERSION}");
        diagnostics.warning(codes::SCENE_VERSION, SourceLocation::File, message);
    }
    let is_alpha = version == -VERSION;
    let mut reader = Reader { diagnostics, name: String::new(), is_alpha };
    let mut elements = Vec::new();
    for (index, value) in file.subscenes.into_iter().enumerate() {
        match reader.element(index, value) {
            Ok(element) => elements.push(element),
            Err(problem) => reader.diagnostics.extend([problem]),
        }
    }
    Ok(SceneFile { version, is_json: true, elements })
}

pub(super) fn decode_element(index: usize, text: &str) -> Result<Element, Diagnostic> {
    let value = serde_json::from_str(text).map_err(|error| invalid_element(error.to_string()))?;
    let mut diagnostics = Diagnostics::new();
    let mut reader = Reader { diagnostics: &mut diagnostics, name: String::new(), is_alpha: false };
    reader.element(index, value)
}

fn invalid_element(message: String) -> Diagnostic {
    Diagnostic::new(codes::INVALID_ELEMENT, Severity::Error, SourceLocation::File, message)
}

/// The version of scenes in JSON. Alpha and beta versions of the mod wrote the negated version.
const VERSION: i64 = 4;

struct Reader<'a> {
    diagnostics: &'a mut Diagnostics,
    name: String,
    /// `true` if an alpha version of the mod may have written the file.
    is_alpha: bool,
}

impl Reader<'_> {
    fn warn(&mut self, code: Code, message: &str) {
        let message = format!("{:?}: {message}", self.name);
        self.diagnostics
            .warning(code, SourceLocation::File, message)
            .with("element", self.name.as_str());
    }

    fn report_invalid_option(&mut self, message: &str) {
        self.warn(codes::INVALID_OPTION, message);
    }

    fn element(&mut self, index: usize, value: Value) -> Result<Element, Diagnostic> {
        let name = value.get("name").and_then(Value::as_str);
        self.name = name.map_or_else(|| format!("element {}", index + 1), str::to_owned);
        let subscene = Subscene::deserialize(value).map_err(|error| {
            let message = format!("{:?} cannot be read: {error}; skipped", self.name);
            invalid_element(message)
        })?;
        if !subscene.unknown.is_empty() {
            let keys: Vec<_> = subscene.unknown.keys().map(|key| format!("{key:?}")).collect();
            let message = format!("{} unknown; skipped, as by the mod", keys.join(", "));
            self.warn(codes::UNKNOWN_OPTION, &message);
        }
        let alpha = subscene.alpha_fields();
        if alpha.is_some() && !self.is_alpha {
            let message = "start_delay, offset and scale outside of time and transformations belong to \
                           alpha versions; skipped, as by the mod";
            self.warn(codes::UNKNOWN_OPTION, message);
        }
        let alpha = alpha.filter(|_| self.is_alpha).unwrap_or_default();
        let name = subscene.name.strip_prefix('.');
        Ok(Element {
            index,
            is_scene: name.is_some(),
            name: name.unwrap_or(&subscene.name).to_owned(),
            skin: self.skin(subscene.player_skin.as_ref()),
            transformation: self.transformation(&subscene.transformations, &alpha),
            centre: self.centre(subscene.transformations.config),
            timing: match (&subscene.time, alpha.start_delay) {
                (None, Some(delay)) => Timing::legacy(self.seconds("start_delay", delay)),
                (time, _) => time.as_ref().map(|time| self.timing(time)).unwrap_or_default(),
            },
            player_name: subscene.player_name,
            player_as_entity: subscene.player_as_entity.and_then(AsEntity::into_player_as_entity),
            entity_filter: subscene.entity_filter,
        })
    }

    fn seconds(&mut self, what: &str, seconds: f64) -> f64 {
        if is_valid_delay(seconds) {
            return seconds;
        }
        self.report_invalid_option(&format!("{what} is {seconds} s; using 0"));
        0.0
    }

    fn timing(&mut self, time: &Time) -> Timing {
        Timing {
            start_delay: self.seconds("start_delay", time.start_delay),
            wait_on_start: self.seconds("wait_on_start", time.wait_on_start),
            wait_on_end: self.seconds("wait_on_end", time.wait_on_end),
            waits_for_parent_end: time.wait_for_parent_end.unwrap_or(true),
            loops: time.r#loop,
            is_legacy: false,
        }
    }

    fn transformation(
        &mut self,
        transformations: &Transformations,
        alpha: &AlphaFields,
    ) -> Transformation {
        let mirror = to_upper_case(transformations.mirror.as_deref());
        if !["", "NONE", "X", "Z", "XZ"].contains(&mirror.as_str()) {
            self.report_invalid_option(&format!(
                "expected a mirror of x, z or xz, found {mirror:?}; using none"
            ));
        }
        let mirrors = |axis: char| ["X", "Z", "XZ"].contains(&&*mirror) && mirror.contains(axis);
        let scale = transformations.scale.or(alpha.scale).unwrap_or_default();
        Transformation {
            rotation: self.rotation(transformations.rotation),
            mirrors_x: mirrors('X'),
            mirrors_z: mirrors('Z'),
            scale: self.scale(scale.scene_scale),
            player_scale: self.scale(scale.player_scale),
            offset: transformations.offset.or(alpha.offset).map_or(DVec3::ZERO, DVec3::from),
            rounds_blocks: transformations.config.round_block_pos,
        }
    }

    fn rotation(&mut self, degrees: f64) -> f64 {
        const MAX_ROTATION_DEGREES: f64 = 1e9;
        if degrees.abs() <= MAX_ROTATION_DEGREES {
            return degrees;
        }
        self.report_invalid_option(&format!("the rotation is {degrees}\u{b0}; using 0"));
        0.0
    }

    fn scale(&mut self, scale: Option<f64>) -> f64 {
        const SCALE_RANGE: std::ops::RangeInclusive<f64> = 1e-3..=1e3;
        let Some(scale) = scale else { return 1.0 };
        if SCALE_RANGE.contains(&scale) {
            return scale;
        }
        self.report_invalid_option(&format!(
            "expected a scale of {SCALE_RANGE:?}, found {scale}; using 1"
        ));
        1.0
    }

    fn skin(&mut self, skin: Option<&PlayerSkin>) -> Skin {
        let Some(PlayerSkin { skin_source, skin_path }) = skin else { return Skin::Recorded };
        let source = to_upper_case(skin_source.as_deref());
        let path = skin_path.clone().filter(|path| !path.is_empty());
        match (source.as_str(), path) {
            ("" | "DEFAULT", _) => Skin::Recorded,
            ("FROM_PLAYER", Some(path)) => Skin::Player(path),
            ("FROM_FILE", Some(path)) => Skin::File(path),
            ("FROM_MINESKIN", Some(path)) => Skin::Mineskin(path),
            (_, path) => {
                let path = if path.is_some() { "" } else { " without a skin_path" };
                self.report_invalid_option(&format!(
                    "the skin_source {source:?}{path} is not known; using default"
                ));
                Skin::Recorded
            }
        }
    }

    fn centre(&mut self, config: Config) -> Centre {
        let Config { recording_center, scene_center, center_offset, .. } = config;
        let of_recording = match to_upper_case(recording_center.as_deref()).as_str() {
            "" | "AUTO" => CentreRounding::Auto,
            "BLOCK_CENTER" => CentreRounding::BlockCentre,
            "BLOCK_CORNER" => CentreRounding::BlockCorner,
            "ACTUAL" => CentreRounding::Actual,
            other => {
                self.report_invalid_option(&format!(
                    "the recording_center {other:?} is not known; using auto"
                ));
                CentreRounding::Auto
            }
        };
        let of_scene = match to_upper_case(scene_center.r#type.as_deref()).as_str() {
            "" | "COMMON_FIRST" => ChosenElement::First,
            "COMMON_LAST" => ChosenElement::Last,
            "COMMON_SPECIFIC" => {
                scene_center.specific_str.map_or(ChosenElement::First, ChosenElement::Specific)
            }
            "INDIVIDUAL" => ChosenElement::Individual,
            other => {
                self.report_invalid_option(&format!(
                    "the scene_center {other:?} is not known; using common_first"
                ));
                ChosenElement::First
            }
        };
        let offset = center_offset.map_or(DVec3::ZERO, DVec3::from);
        Centre { rounding: of_recording, chosen_element: of_scene, offset }
    }
}

/// Returns a keyword in upper case, because the mod ignores the case. Returns an empty string for
/// `None`.
fn to_upper_case(word: Option<&str>) -> String {
    word.unwrap_or_default().to_uppercase()
}

/// The fields of alpha versions, which had neither `time` nor `transformations`.
#[derive(Clone, Copy, Default)]
struct AlphaFields {
    start_delay: Option<f64>,
    offset: Option<[f64; 3]>,
    scale: Option<Scale>,
}

impl Subscene {
    fn alpha_fields(&self) -> Option<AlphaFields> {
        let Self { start_delay, offset, scale, .. } = *self;
        let has_alpha_fields = start_delay.is_some() || offset.is_some() || scale.is_some();
        has_alpha_fields.then_some(AlphaFields { start_delay, offset, scale })
    }
}

impl AsEntity {
    /// Returns `None` if the kind is missing, because the mod then ignores the setting.
    fn into_player_as_entity(self) -> Option<PlayerAsEntity> {
        let Self { id, nbt } = self;
        Some(PlayerAsEntity { kind: id?, nbt: nbt.filter(|nbt| !nbt.is_empty()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_element(json: &str) -> (Element, Diagnostics) {
        read_element_of_version(4, json)
    }

    fn read_element_of_version(version: i64, json: &str) -> (Element, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let text = format!(r#"{{"version":{version},"subscenes":[{json}]}}"#);
        let mut scene = decode(&text, &mut diagnostics).unwrap();
        assert_eq!(scene.elements.len(), 1, "{diagnostics:?}");
        (scene.elements.remove(0), diagnostics)
    }

    #[test]
    fn every_scene_option_is_read() {
        let (element, diagnostics) = read_element(
            r#"{"name":".intro","player_name":"Alex",
                "player_skin":{"skin_source":"from_file","skin_path":"a.png"},
                "transformations":{"rotation":90,"mirror":"xz",
                  "scale":{"player_scale":2.0,"scene_scale":3},"offset":[1,2,3],
                  "config":{"round_block_pos":true,"recording_center":"actual",
                    "scene_center":{"type":"common_specific","specific_str":"2-walk"},
                    "center_offset":[0,1,0]}},
                "player_as_entity":{"id":"minecraft:cow","nbt":"{}"},
                "time":{"start_delay":1.0,"wait_on_start":0.5,"wait_on_end":0.25,
                  "wait_for_parent_end":false,"loop":true},
                "entity_filter":"@vehicles"}"#,
        );
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let expected = Element {
            index: 0,
            name: "intro".to_owned(),
            is_scene: true,
            player_name: Some("Alex".to_owned()),
            skin: Skin::File("a.png".to_owned()),
            player_as_entity: Some(PlayerAsEntity {
                kind: "minecraft:cow".to_owned(),
                nbt: Some("{}".to_owned()),
            }),
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
                rounding: CentreRounding::Actual,
                chosen_element: ChosenElement::Specific("2-walk".to_owned()),
                offset: DVec3::Y,
            },
            timing: Timing {
                start_delay: 1.0,
                wait_on_start: 0.5,
                wait_on_end: 0.25,
                waits_for_parent_end: false,
                loops: true,
                is_legacy: false,
            },
            entity_filter: Some("@vehicles".to_owned()),
        };
        assert_eq!(element, expected);
    }

    #[test]
    fn missing_options_have_defaults() {
        let (element, diagnostics) = read_element(r#"{"name":"walk"}"#);
        let expected = Element { name: "walk".to_owned(), ..Element::default() };
        assert_eq!(element, expected);
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn keywords_are_case_insensitive() {
        let (element, diagnostics) = read_element(
            r#"{"name":"a","transformations":{"mirror":"Xz","config":
                {"recording_center":"Block_Corner","scene_center":{"type":"COMMON_last",
                "specific_str":"2"}}},"player_skin":{"skin_source":"FROM_player","skin_path":"X"}}"#,
        );
        assert!(element.transformation.mirrors_x && element.transformation.mirrors_z);
        assert_eq!(element.centre.rounding, CentreRounding::BlockCorner);
        assert_eq!(
            element.centre.chosen_element,
            ChosenElement::Last,
            "specific_str does not count"
        );
        assert_eq!(element.skin, Skin::Player("X".to_owned()));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
    }

    #[test]
    fn alpha_versions_use_other_members() {
        let json = r#"{"name":"walk","start_delay":2,"offset":[1,0,0],"scale":{"scene_scale":2}}"#;
        let (element, diagnostics) = read_element_of_version(-4, json);
        assert_eq!(element.timing, Timing::legacy(2.0));
        assert_eq!(element.transformation.offset, DVec3::X);
        assert_eq!(element.transformation.scale, 2.0);
        assert!(diagnostics.is_empty());
        let (element, diagnostics) = read_element(json);
        let expected = Element { name: "walk".to_owned(), ..Element::default() };
        assert_eq!((element, diagnostics.len()), (expected, 1), "the current mod ignores it");
    }

    #[test]
    fn invalid_scene_options_are_reported() {
        let cases = [
            r#"{"name":"walk","time":{"start_delay":-1}}"#,
            r#"{"name":"walk","transformations":{"mirror":"y"}}"#,
            r#"{"name":"walk","transformations":{"scale":{"scene_scale":0}}}"#,
            r#"{"name":"walk","transformations":{"config":{"recording_center":"x"}}}"#,
            r#"{"name":"walk","transformations":{"config":{"scene_center":{"type":"x"}}}}"#,
            r#"{"name":"walk","player_skin":{"skin_source":"x"}}"#,
            r#"{"name":"walk","player_skin":{"skin_source":"from_file"}}"#,
            r#"{"name":"walk","surprise":1}"#,
            r#"{"name":"walk","transformations":{"rotation":1e300}}"#,
        ];
        for json in cases {
            let (_, diagnostics) = read_element(json);
            assert_eq!(diagnostics.len(), 1, "{json}");
        }
        let mut diagnostics = Diagnostics::new();
        let text = r#"{"version":4,"subscenes":[{"name":1},{"name":"walk"},7]}"#;
        assert_eq!(decode(text, &mut diagnostics).unwrap().elements.len(), 1);
        assert_eq!(diagnostics.len(), 2, "{diagnostics:?}");
        for (text, count) in [(r#"{"subscenes":[]}"#, 1), (r#"{"version":5,"subscenes":[]}"#, 1)] {
            let mut diagnostics = Diagnostics::new();
            assert!(decode(text, &mut diagnostics).is_ok() && diagnostics.len() == count, "{text}");
        }
        for text in ["{", "{}", r#"{"version":"4"}"#, r#"{"version":4}"#] {
            assert!(decode(text, &mut Diagnostics::new()).is_err(), "{text}");
        }
    }
}
