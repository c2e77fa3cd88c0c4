//! Scenes of older versions as version 4, which plays them as they were meant.

use super::json_text::Json;
use crate::{
    TICKS_PER_SECOND,
    scene::{Element, SceneFile, Skin, Timing, timing::ticks},
};

/// The version that is written.
pub(super) const VERSION: i64 = 4;

/// The elements of lines of text, and what is different about them.
pub(super) fn of_text(scene: &SceneFile) -> (Vec<Json>, Vec<String>) {
    let mut upgrades = vec![format!("version {} in lines of text; written as JSON", scene.version)];
    let elements: Vec<Json> = scene.elements.iter().map(of_element).collect();
    let is_waited_for = |element: &Element| current_wait(&element.timing) != 0.0;
    if scene.plays_legacy() && scene.elements.iter().any(is_waited_for) {
        upgrades.push(delays_of_old());
    }
    upgrades.extend(nested(scene));
    (elements, upgrades)
}

/// Lets the members of a scene in JSON be those of version 4; what is different then.
pub(super) fn of_json(
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
        let delayed = elements.iter_mut().map(of_alpha).filter(|is_delayed| *is_delayed).count();
        if delayed > 0 {
            upgrades.push(delays_of_old());
        }
    }
    upgrades
}

fn delays_of_old() -> String {
    "delays became waits at the start, a tick shorter: older versions played the first tick at once"
        .to_owned()
}

/// The change of scenes within a scene of text, if it has any.
fn nested(scene: &SceneFile) -> Option<String> {
    let has_scenes = scene.elements.iter().any(|element| element.is_scene);
    (has_scenes && scene.plays_legacy()).then(|| {
        "scenes within it are played as version 4 plays them: older ones wait a tick longer"
            .to_owned()
    })
}

/// How long version 4 waits for what an older one waited for, in seconds: the first tick ran at
/// once, and the second when the delay was over.
fn current_wait(timing: &Timing) -> f64 {
    if timing.is_legacy {
        (ticks(timing.wait_on_start) - 1.0).max(0.0) / TICKS_PER_SECOND
    } else {
        timing.wait_on_start
    }
}

/// An element of a line of text.
fn of_element(element: &Element) -> Json {
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
    let wait = current_wait(&element.timing);
    if wait != 0.0 {
        json.set(&["time", "wait_on_start"], Json::number(wait));
    }
    json
}

/// Moves the fields that alpha versions had next to the name to where version 4 has them; returns
/// whether a delay was among them.
fn of_alpha(element: &mut Json) -> bool {
    let mut is_delayed = false;
    let delay = match element.get("start_delay") {
        Some(Json::Number(number)) => number.as_f64(),
        _ => None,
    };
    // Where there is a time, it counts.
    if let Some(delay) =
        delay.filter(|_| element.get("time").is_none_or(|time| *time == Json::Null))
    {
        let wait = current_wait(&Timing::legacy(delay));
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
