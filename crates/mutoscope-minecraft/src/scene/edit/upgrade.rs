//! Converts scenes of older versions to version 4, so that the current mod plays them as the old
//! ones did.

use super::json_text::Json;
use crate::{
    TICKS_PER_SECOND,
    scene::{Element, SceneFile, Skin, Timing, timing::round_to_ticks},
};

pub(super) const VERSION: i64 = 4;

pub(super) fn upgrade_text_scene(scene: &SceneFile) -> (Vec<Json>, Vec<String>) {
    let mut upgrades = vec![format!("version {} in lines of text; written as JSON", scene.version)];
    let elements: Vec<Json> = scene.elements.iter().map(element_to_json).collect();
    let is_waited_for = |element: &Element| wait_in_current_version(&element.timing) != 0.0;
    if scene.uses_legacy_playback() && scene.elements.iter().any(is_waited_for) {
        upgrades.push(delay_message());
    }
    upgrades.extend(nested_scene_message(scene));
    (elements, upgrades)
}

pub(super) fn upgrade_json_scene(
    version: i64,
    members: &mut Vec<(String, Json)>,
    elements: &mut [Json],
) -> Vec<String> {
    let number = Json::Number(VERSION.into());
    match members.iter_mut().rev().find(|member| member.0 == "version") {
        Some(member) if member.1 == number => return Vec::new(),
        Some(member) => member.1 = number,
        None => members.insert(0, ("version".to_owned(), number)),
    }
    let mut upgrades = vec![format!("version {version}; written as {VERSION}")];
    if version == -VERSION {
        let delayed =
            elements.iter_mut().map(upgrade_alpha_element).filter(|is_delayed| *is_delayed).count();
        if delayed > 0 {
            upgrades.push(delay_message());
        }
    }
    upgrades
}

fn delay_message() -> String {
    "delays became waits at the start, a tick shorter: older versions played the first tick at once"
        .to_owned()
}

fn nested_scene_message(scene: &SceneFile) -> Option<String> {
    let has_scenes = scene.elements.iter().any(|element| element.is_scene);
    (has_scenes && scene.uses_legacy_playback()).then(|| {
        "scenes within it are played as version 4 plays them: older ones wait a tick longer"
            .to_owned()
    })
}

/// Returns the wait in seconds that replaces the delay of an older version. An older version runs
/// the first tick at once and the second tick after the delay. Version 4 runs the first tick after
/// the wait, so the wait is one tick shorter.
fn wait_in_current_version(timing: &Timing) -> f64 {
    if timing.is_legacy {
        (round_to_ticks(timing.wait_on_start) - 1.0).max(0.0) / TICKS_PER_SECOND
    } else {
        timing.wait_on_start
    }
}

fn element_to_json(element: &Element) -> Json {
    let dot = if element.is_scene { "." } else { "" };
    let mut json = Json::Object(Vec::new());
    let mut set = |path: &[&str], text: &str| json.set(path, Some(Json::String(text.to_owned())));
    set(&["name"], &format!("{dot}{}", element.name));
    if let Some(name) = &element.player_name {
        set(&["player_name"], name);
    }
    let skin = match &element.skin {
        Skin::Recorded => None,
        Skin::Player(path) => Some(("from_player", path)),
        Skin::File(path) => Some(("from_file", path)),
        Skin::Mineskin(path) => Some(("from_mineskin", path)),
    };
    if let Some((source, path)) = skin {
        set(&["player_skin", "skin_source"], source);
        set(&["player_skin", "skin_path"], path);
    }
    if let Some(entity) = &element.player_as_entity {
        set(&["player_as_entity", "id"], &entity.kind);
    }
    let offset = element.transformation.offset;
    if offset != glam::DVec3::ZERO {
        let numbers = offset.to_array().into_iter().filter_map(Json::number).collect();
        json.set(&["transformations", "offset"], Some(Json::Array(numbers)));
    }
    if element.transformation.rounds_blocks {
        let path = ["transformations", "config", "round_block_pos"];
        json.set(&path, Some(Json::Bool(true)));
    }
    let wait = wait_in_current_version(&element.timing);
    if wait != 0.0 {
        json.set(&["time", "wait_on_start"], Json::number(wait));
    }
    json
}

/// Moves the fields of alpha versions to the members that version 4 uses. Returns `true` if the
/// element had a delay.
fn upgrade_alpha_element(element: &mut Json) -> bool {
    let mut is_delayed = false;
    let delay = match element.get("start_delay") {
        Some(Json::Number(number)) => number.as_f64(),
        _ => None,
    };
    // If the element has `time`, the mod ignores the delay of an alpha version.
    if let Some(delay) =
        delay.filter(|_| element.get("time").is_none_or(|time| *time == Json::Null))
    {
        let wait = wait_in_current_version(&Timing::legacy(delay));
        is_delayed = wait != 0.0;
        let wait = Some(wait).filter(|wait| *wait != 0.0).and_then(Json::number);
        element.set(&["time", "wait_on_start"], wait);
    }
    for name in ["offset", "scale"] {
        let value = element.get(name).filter(|value| **value != Json::Null).cloned();
        let has_one = element
            .get("transformations")
            .and_then(|transformations| transformations.get(name))
            .is_some_and(|value| *value != Json::Null);
        if value.is_some() && !has_one {
            element.set(&["transformations", name], value);
        }
    }
    if matches!(element, Json::Object(_)) {
        ["start_delay", "offset", "scale"].into_iter().for_each(|name| element.set(&[name], None));
    }
    is_delayed
}
