//! The selected node: its authored values and its transforms.

use bevy_egui::egui::{RichText, Ui};
use glam::{DQuat, EulerRot};

use super::{motion_trail::node_motion_trail_ui, selected_key::selected_key_ui};
use crate::{
    session::{CameraCommand, Command, ViewCommand},
    ui::{
        Model, display_text,
        style::Palette,
        timeline::rows::signal_name,
        widgets::{copyable_value, dim_text, heading, table, with_action_tooltip},
    },
};
use mutoscope_core::clip::{Clip, NodeId, Owner, Track, Transform, Value};

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
        let hint = dim_text(ui, "The file has no curve for it");
        ui.label(hint);
    }
    table("authored", 2).show(ui, |ui| {
        for (id, track) in tracks {
            let property = dim_text(ui, clip.property_label(&track.property));
            ui.label(property);
            let value = clip.value(id, time);
            copyable_value(ui, &format_track_value(clip, track, &value), || format_exact(&value));
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
        let same = dim_text(ui, "No parent: local is the same").small();
        ui.label(same);
    }
}

fn title_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    let node = &clip.nodes[id];
    let palette = Palette::for_visuals(ui.visuals());
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
    let side =
        node.side.map(|side| format!(", {}", display_text::side_label(side))).unwrap_or_default();
    let pose = model.pose().and_then(|pose| pose.nodes.get(id.index()));
    let shown = pose.is_some_and(|pose| pose.is_visible);
    let state = if shown { "shown" } else { "untracked" };
    let line = dim_text(ui, format!("{}{side}, {state} now", node.kind.as_str()));
    ui.label(line);
    signals_ui(ui, model, clip, id);
}

fn signals_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, id: NodeId) {
    let Some(group) = clip.nodes[id].group else { return };
    let values = model.pose().map_or(&[][..], |pose| &pose.signals);
    let signals = clip.signals.iter().zip(values);
    let group_signals =
        signals.filter(|(signal, _)| clip.track(signal.track).owner == Owner::Group(group));
    let texts: Vec<_> = group_signals
        .map(|(signal, value)| {
            let yes_or_no = if value.is_true() { "yes" } else { "no" };
            format!("{} {yes_or_no}", signal_name(clip, signal))
        })
        .collect();
    if !texts.is_empty() {
        let line = dim_text(ui, format!("{}: {}", clip.groups[group.index()], texts.join(", ")));
        ui.label(line);
    }
}

fn transform_ui(ui: &mut Ui, id: &str, transform: &Transform) {
    let position = transform.translation;
    let rotation = transform.rotation;
    let (y, x, z) = rotation.to_euler(EulerRot::YXZ);
    let degrees = [x, y, z].map(f64::to_degrees);
    table(id, 2).show(ui, |ui| {
        numbers_ui(ui, "position m", "x, y, z in metres", &position.to_array(), 4);
        numbers_ui(ui, "quaternion", "x, y, z, w", &quaternion(rotation), 3);
        numbers_ui(ui, "Euler °", "Angles about x, y, z in degrees; order y, x, z", &degrees, 3);
    });
}

fn quaternion(rotation: DQuat) -> [f64; 4] {
    [rotation.x, rotation.y, rotation.z, rotation.w]
}

fn numbers_ui(ui: &mut Ui, name: &str, help: &str, numbers: &[f64], decimals: usize) {
    let name = dim_text(ui, name);
    ui.label(name).on_hover_text(help);
    let width = decimals + 3;
    let shown = numbers
        .iter()
        .map(|&number| format!("{:>width$}", display_text::format_fixed(number, decimals)));
    let shown: Vec<_> = shown.collect();
    copyable_value(ui, &shown.join(" "), || {
        numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")
    });
    ui.end_row();
}

pub(super) fn format_track_value(clip: &Clip, track: &Track, value: &Value) -> String {
    clip.value_label(track, value).unwrap_or_else(|| format_aligned(value))
}

/// Formats a value with a fixed width, so that signs and decimal points stay in place while it
/// changes.
pub(super) fn format_aligned(value: &Value) -> String {
    let yes_or_no = |is_true: bool| if is_true { "yes" } else { "no" }.to_owned();
    let padded = |number: f64, decimals: usize, width: usize| {
        format!("{:>width$}", display_text::format_fixed(number, decimals))
    };
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(is_true) => yes_or_no(*is_true),
        Value::Integer(integer) => format!("{integer:>3}"),
        Value::Number(value) => padded(*value, 5, 9),
        Value::Text(text) => format!("{text:?}"),
        Value::Bools(bools) => join(bools.iter().map(|&is_true| yes_or_no(is_true)), " "),
        Value::Integers(integers) => join(integers.iter().map(|value| format!("{value:>3}")), " "),
        Value::Numbers(numbers) => {
            // Quaternions have no digits before the point, and four numbers have to fit.
            let width = if numbers.len() == 4 { 6 } else { 7 };
            join(numbers.iter().map(|&value| padded(value, 3, width)), " ")
        }
    }
}

pub(super) fn format_exact(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(is_true) => is_true.to_string(),
        Value::Integer(integer) => integer.to_string(),
        Value::Number(number) => format_exact_number(*number),
        Value::Text(text) => text.to_string(),
        Value::Bools(bools) => join(bools.iter().map(bool::to_string), ", "),
        Value::Integers(integers) => join(integers.iter().map(i128::to_string), ", "),
        Value::Numbers(numbers) => {
            join(numbers.iter().map(|&number| format_exact_number(number)), ", ")
        }
    }
}

/// Formats a number that is exactly an `f32` as `f32`, because the shortest `f64` text would show
/// false digits.
fn format_exact_number(number: f64) -> String {
    let single = number as f32;
    if f64::from(single) == number { single.to_string() } else { number.to_string() }
}

fn join(texts: impl Iterator<Item = String>, separator: &str) -> String {
    texts.collect::<Vec<_>>().join(separator)
}
