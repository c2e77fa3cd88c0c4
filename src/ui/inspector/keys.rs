//! The keys before and after now, each with its bytes.

use bevy_egui::egui::{FontId, Label, Rect, Response, RichText, Sense, Stroke, Ui};

use super::node::{exact_text, said};
use crate::{
    session::{Command, ViewCommand},
    ui::{
        Model,
        style::Palette,
        widgets::{dim, heading, table},
    },
};
use mutoscope_core::{
    clip::{Clip, Extrapolation, KeyId, NodeId, Owner, Track, TrackId},
    diagnostics::SourceLocation,
};

/// The keys before and after `time` of each track of `node`, and what the tracks do outside of
/// their keys.
pub(super) fn keys_ui(ui: &mut Ui, model: &Model<'_>, clip: &Clip, node: NodeId) {
    let time = model.time();
    let tracks: Vec<_> = clip.tracks_of(Owner::Node(node)).collect();
    if tracks.is_empty() {
        return;
    }
    let next = |track: &Track| track.curve.key_times().partition_point(|&key| key <= time);
    let mut table = |title, index: &dyn Fn(&Track) -> Option<usize>| {
        table_ui(ui, model, title, &tracks, index);
    };
    table("Previous key", &|track| next(track).checked_sub(1));
    table("Next key", &|track| Some(next(track)));
    let outside = dim(ui, format!("Extrapolation: {}", outside_text(&tracks)));
    ui.add_space(4.0);
    ui.label(outside.small());
}

fn table_ui(
    ui: &mut Ui,
    model: &Model<'_>,
    title: &str,
    tracks: &[(TrackId, &Track)],
    index: &dyn Fn(&Track) -> Option<usize>,
) {
    heading(ui, title);
    let keys = tracks.iter().filter_map(|&(id, track)| {
        let key = KeyId { track: id, index: index(track)? };
        track.curve.key_times().get(key.index).map(|&time| (track, key, time))
    });
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        let none = dim(ui, "None");
        ui.label(none);
        return;
    }
    table(title, 4).show(ui, |ui| {
        for (track, key, time) in keys {
            let left = ui.cursor().left_top();
            let right = key_ui(ui, model, track, key, time);
            let row = Rect::from_min_max(left, right.rect.right_bottom());
            if ui.rect_contains_pointer(row) {
                model.send(Command::View(ViewCommand::Hover(Some(model.on_clock(time)))));
            }
            let next = track.curve.key_times().get(key.index + 1).copied();
            if model
                .hovered_time()
                .is_some_and(|at| time <= at && next.is_none_or(|next| at < next))
            {
                mark_ui(ui, row);
            }
            ui.end_row();
        }
    });
}

/// Marks the row of the key that is in force at the time that the pointer is over elsewhere.
fn mark_ui(ui: &Ui, row: Rect) {
    let x = row.left() - 2.0;
    let stroke = Stroke::new(2.0, Palette::of(ui.visuals()).dim);
    ui.painter().vline(x, row.y_range(), stroke);
}

/// A row of the table; the last thing in it.
fn key_ui(ui: &mut Ui, model: &Model<'_>, track: &Track, key: KeyId, time: f64) -> Response {
    let palette = Palette::of(ui.visuals());
    let index = key.index;
    let Some(clip) = model.clip() else { return ui.label("") };
    let property = dim(ui, clip.property_words(&track.property)).small();
    ui.label(property).on_hover_text(format!("Key {index} of {}", track.curve.key_count()));

    let select = click_ui(ui, &format!("{time:>8.3} s"), "Click to go there and select the key");
    if select.clicked() {
        model.send(Command::View(ViewCommand::SelectKey(model.key(key))));
    }
    let value = track.curve.key_value(index);
    if click_ui(ui, &said(clip, track, &value), "Click to copy").clicked() {
        ui.ctx().copy_text(exact_text(&value));
    }
    let place = track.source.key(index);
    let text = RichText::new(first_byte(&place)).font(small_figures()).color(palette.dim);
    let bytes = ui.add(Label::new(text).sense(Sense::click()).extend());
    let bytes = bytes.on_hover_text(format!("{place}\nClick to copy"));
    if bytes.clicked() {
        ui.ctx().copy_text(place.to_string());
    }
    bytes
}

fn small_figures() -> FontId {
    FontId::monospace(11.5)
}

fn click_ui(ui: &mut Ui, text: &str, help: &str) -> Response {
    let text = RichText::new(text).font(small_figures());
    ui.add(Label::new(text).sense(Sense::click()).extend()).on_hover_text(help)
}

/// The first byte of `place`, as hexadecimal as everywhere.
fn first_byte(place: &SourceLocation) -> String {
    match place.first_byte() {
        Some(byte) => format!("{byte:#x}"),
        None => place.to_string(),
    }
}

/// The extrapolation of tracks before their first key and after their last.
fn outside_text(tracks: &[(TrackId, &Track)]) -> String {
    let mut kinds: Vec<_> = Vec::new();
    for (_, track) in tracks {
        let (before, after) = track.curve.extrapolation();
        let text = if before == after {
            extrapolation_word(before).to_owned()
        } else {
            let (before, after) = (extrapolation_word(before), extrapolation_word(after));
            format!("{before} before, {after} after")
        };
        if !kinds.contains(&text) {
            kinds.push(text);
        }
    }
    kinds.join("; ")
}

fn extrapolation_word(extrapolation: Extrapolation) -> &'static str {
    match extrapolation {
        Extrapolation::Constant => "constant",
        Extrapolation::Linear { .. } => "linear",
        Extrapolation::Cycle => "cycle",
        Extrapolation::CycleWithOffset => "cycle with offset",
        Extrapolation::Oscillate => "ping-pong",
    }
}
