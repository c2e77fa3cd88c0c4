//! The selected node: its authored values and its transforms.

use bevy_egui::egui::{RichText, Ui};
use glam::{DQuat, EulerRot};

use super::{motion_trail::node_motion_trail_ui, selected_key::selected_key_ui};
use crate::{
    session::{CameraCommand, Command, ViewCommand},
    ui::{
        Model,
        style::Palette,
        timeline::rows::signal_word,
        widgets::{copyable, dim, heading, table, with_action_tooltip},
        words,
    },
};
use mutoscope_core::clip::{Clip, NodeId, Owner, Track, Transform, Value};

/// Name, state, authored values, local and world.
pub(super) fn node_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    let node = &clip.nodes[id];
    title_ui(ui, model, clip, id);
    node_motion_trail_ui(ui, model, clip, id);
    if let Some(key) = model.selected_key() {
        selected_key_ui(ui, clip, key);
    }
    let time = model.time();
    heading(ui, "Current value, as in the file");
    let tracks: Vec<_> = clip.tracks_of(Owner::Node(id)).collect();
    if tracks.is_empty() {
        let nothing = dim(ui, "The file has no curve for it");
        ui.label(nothing);
    }
    table("authored", 2).show(ui, |ui| {
        for (id, track) in tracks {
            let property = dim(ui, clip.property_words(&track.property));
            ui.label(property);
            let value = clip.value(id, time);
            copyable(ui, &said(clip, track, &value), || exact_text(&value));
            ui.end_row();
        }
    });
    let Some(pose) = model.pose().and_then(|pose| pose.nodes.get(id.index())) else { return };
    heading(ui, "World, as seen: right-handed, Y up");
    transform_ui(ui, "world", &pose.world);
    if let Some(parent) = node.parent {
        heading(ui, &format!("Relative to {}", clip.nodes[parent].name));
        transform_ui(ui, "local", &pose.local);
    } else {
        let same = dim(ui, "No parent: local is the same").small();
        ui.label(same);
    }
}

fn title_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    let node = &clip.nodes[id];
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        ui.label(RichText::new(&node.name).heading().color(palette.accent));
        let command = Command::Camera(CameraCommand::FrameSelected);
        if with_action_tooltip(ui.small_button("Frame"), &command).clicked() {
            model.send(command);
        }
        if ui.small_button("Deselect").clicked() {
            model.send(Command::View(ViewCommand::Select(None)));
        }
    });
    let side = node.side.map(|side| format!(", {}", words::side(side))).unwrap_or_default();
    let pose = model.pose().and_then(|pose| pose.nodes.get(id.index()));
    let shown = pose.is_some_and(|pose| pose.shown);
    let seen = if shown { "shown" } else { "untracked" };
    let line = dim(ui, format!("{}{side}, {seen} now", node.kind.word()));
    ui.label(line);
    signals_ui(ui, model, clip, id);
}

/// The values of the signals of the node's group: `left: tracked yes, pinch no`.
fn signals_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    let Some(group) = clip.nodes[id].group else { return };
    let values = model.pose().map_or(&[][..], |pose| &pose.signals);
    let signals = clip.signals.iter().zip(values);
    let of_group =
        signals.filter(|(signal, _)| clip.track(signal.track).owner == Owner::Group(group));
    let said: Vec<_> = of_group
        .map(|(signal, value)| {
            let answer = if value.is_true() { "yes" } else { "no" };
            format!("{} {answer}", signal_word(clip, signal))
        })
        .collect();
    if !said.is_empty() {
        let line = dim(ui, format!("{}: {}", clip.groups[group.index()], said.join(", ")));
        ui.label(line);
    }
}

/// A transform in metres, as a quaternion, and in degrees.
fn transform_ui(ui: &mut Ui, id: &str, transform: &Transform) {
    let place = transform.translation;
    let turn = transform.rotation;
    let (y, x, z) = turn.to_euler(EulerRot::YXZ);
    let degrees = [x, y, z].map(f64::to_degrees);
    table(id, 2).show(ui, |ui| {
        numbers_ui(ui, "position m", "x, y, z in metres", &place.to_array(), 4);
        numbers_ui(ui, "quaternion", "x, y, z, w", &quaternion(turn), 3);
        numbers_ui(ui, "Euler °", "About x, y, z in degrees; order y, x, z", &degrees, 3);
    });
}

fn quaternion(turn: DQuat) -> [f64; 4] {
    [turn.x, turn.y, turn.z, turn.w]
}

fn numbers_ui(ui: &mut Ui, name: &str, help: &str, numbers: &[f64], decimals: usize) {
    let name = dim(ui, name);
    ui.label(name).on_hover_text(help);
    let width = decimals + 3;
    let shown = numbers.iter().map(|&number| format!("{:>width$}", words::fixed(number, decimals)));
    let shown: Vec<_> = shown.collect();
    copyable(ui, &shown.join(" "), || {
        numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
    });
    ui.end_row();
}

/// A value of `track` in the words of its format, if there are any.
pub(super) fn said(clip: &Clip, track: &Track, value: &Value) -> String {
    clip.value_words(track, value).unwrap_or_else(|| value_text(value))
}

/// A value with its sign and point in the same place as any other's.
pub(super) fn value_text(value: &Value) -> String {
    let answer = |is_true: bool| if is_true { "yes" } else { "no" }.to_owned();
    let number = |number: f64, decimals: usize| {
        format!("{:>1$}", words::fixed(number, decimals), decimals + 4)
    };
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(is_true) => answer(*is_true),
        Value::Integer(integer) => format!("{integer:>3}"),
        Value::Number(one) => number(*one, 5),
        Value::Text(text) => format!("{text:?}"),
        Value::Bools(bools) => joined(bools.iter().map(|&is_true| answer(is_true)), " "),
        Value::Integers(integers) => joined(integers.iter().map(|one| format!("{one:>3}")), " "),
        Value::Numbers(numbers) => joined(numbers.iter().map(|&one| number(one, 3)), " "),
    }
}

/// A value with all its digits.
pub(super) fn exact_text(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is_true) => is_true.to_string(),
        Value::Integer(integer) => integer.to_string(),
        Value::Number(number) => exact_number(*number),
        Value::Text(text) => text.to_string(),
        Value::Bools(bools) => joined(bools.iter().map(bool::to_string), ", "),
        Value::Integers(integers) => joined(integers.iter().map(i128::to_string), ", "),
        Value::Numbers(numbers) => joined(numbers.iter().map(|&number| exact_number(number)), ", "),
    }
}

/// Of a number in single precision, the shortest text is the one that was meant.
fn exact_number(number: f64) -> String {
    let single = number as f32;
    if f64::from(single) == number { single.to_string() } else { number.to_string() }
}

fn joined(texts: impl Iterator<Item = String>, separator: &str) -> String {
    texts.collect::<Vec<_>>().join(separator)
}
