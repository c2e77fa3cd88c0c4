//! The key that is selected in the curve view.

use bevy_egui::egui::{Label, Sense, Ui};

use super::node::{exact_text, said};
use crate::ui::{
    widgets::{copyable, dim, heading, table},
    words,
};
use mutoscope_core::clip::{Clip, HandleEnd, KeyId, ScalarCurve, Track};

/// `key`: its time and value, the interpolation on both sides, and where the file has it. Nothing
/// if the clip has no such key.
pub(super) fn selected_key_ui(ui: &mut Ui, clip: &Clip, key: KeyId) {
    let Some(track) = clip.tracks.get(key.track.index()) else { return };
    let Some(&time) = track.curve.key_times().get(key.index) else { return };
    heading(ui, "Selected key");
    let of =
        format!("{} of {}", words::count(key.index + 1), words::count(track.curve.key_count()));
    let line = dim(ui, format!("{}, key {of}", clip.property_words(&track.property)));
    ui.label(line);
    table("selected key", 2).show(ui, |ui| {
        let frame = words::Frames::of(clip).map(|frames| frames.at(time));
        row_ui(ui, "Time", &time_text(time, frame), &time.to_string());
        let value = track.curve.key_value(key.index);
        let shown = format!("{} {}", said(clip, track, &value).trim(), track.unit.symbol());
        row_ui(ui, "Value", shown.trim(), &exact_text(&value));
        if let [curve] = track.curve.components() {
            shape_ui(ui, track, curve, key.index);
        }
        if let Some(approximation) = clip.approximation(key.track, Some(key.index)) {
            let text = format!("approximate: {}", approximation.reason);
            row_ui(ui, approximation.subject, &text, "approximate");
        }
        let place = track.source.key(key.index).to_string();
        row_ui(ui, "In the file", &place, &place);
    });
}

fn time_text(time: f64, frame: Option<String>) -> String {
    let seconds = format!("{} s", words::trimmed(time, 5));
    frame.map_or(seconds.clone(), |frame| format!("{seconds}, {frame}"))
}

/// How the curve comes to the key `index` and goes on from it.
fn shape_ui(ui: &mut Ui, track: &Track, curve: &ScalarCurve, index: usize) {
    let handles = curve.handles(index);
    let before = index.checked_sub(1).and_then(|left| curve.interpolation(left));
    for (name, interpolation, handle) in
        [("Before", before, handles.before), ("After", curve.interpolation(index), handles.after)]
    {
        let Some(interpolation) = interpolation else { continue };
        let mut text = words::interpolation(interpolation).to_owned();
        if let Some(handle) = handle {
            text = format!("{text}, {}", handle_text(handle, track.unit.symbol()));
        }
        row_ui(ui, name, &text, &text);
    }
}

/// A handle's slope and length: `12.5 cm/s over 0.04 s`.
fn handle_text(handle: HandleEnd, unit: &str) -> String {
    let length = format!("{} s", words::trimmed(handle.seconds.abs(), 4));
    if handle.seconds == 0.0 {
        return "vertical".to_owned();
    }
    let slope = words::trimmed(handle.value / handle.seconds, 4);
    let per_second = if unit.is_empty() { "/s".to_owned() } else { format!(" {unit}/s") };
    format!("{slope}{per_second} over {length}")
}

fn row_ui(ui: &mut Ui, name: &str, shown: &str, exact: &str) {
    let name = dim(ui, name);
    ui.add(Label::new(name).sense(Sense::hover()));
    copyable(ui, shown, || exact.to_owned());
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_show_slope_and_length() {
        let cases = [
            ((0.5, 6.0), "cm", "12 cm/s over 0.5 s"),
            ((-0.25, 1.0), "", "-4/s over 0.25 s"),
            ((0.0, 2.0), "cm", "vertical"),
        ];
        for ((seconds, value), unit, expected) in cases {
            assert_eq!(handle_text(HandleEnd { seconds, value }, unit), expected);
        }
    }
}
