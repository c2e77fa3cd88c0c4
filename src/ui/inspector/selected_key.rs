//! The key that is selected in the curve view.

use bevy_egui::egui::{Label, Sense, Ui};

use super::{
    keys::describe_extrapolation,
    node::{format_exact, format_track_value},
};
use crate::ui::{
    display_text,
    widgets::{copyable_value, dim_text, heading, table},
};
use mutoscope_core::clip::{Clip, HandleEnd, KeyId, ScalarCurve, Track};

pub(super) fn selected_key_ui(ui: &mut Ui, clip: &Clip, key: KeyId) {
    let Some(track) = clip.tracks.get(key.track.index()) else { return };
    let Some(&time) = track.curve.key_times().get(key.index) else { return };
    heading(ui, "Selected key");
    let position = format!(
        "{} of {}",
        display_text::format_count(key.index + 1),
        display_text::format_count(track.curve.key_count())
    );
    let line = dim_text(ui, format!("{}, key {position}", clip.property_label(&track.property)));
    ui.label(line);
    table("selected key", 2).show(ui, |ui| {
        let frame = display_text::Frames::for_clip(clip).map(|frames| frames.format_at(time));
        row_ui(ui, "Time", &format_time(time, frame), &time.to_string());
        let value = track.curve.key_value(key.index);
        let shown =
            format!("{} {}", format_track_value(clip, track, &value).trim(), track.unit.symbol());
        row_ui(ui, "Value", shown.trim(), &format_exact(&value));
        if let [curve] = track.curve.components() {
            interpolation_ui(ui, track, curve, key.index);
        }
        if let Some([before, after]) = clip.tangent_types(key.track, key.index) {
            let types = format!("{before} in, {after} out");
            row_ui(ui, "Tangents", &types, &types);
        }
        let extrapolation = describe_extrapolation(&[(key.track, track)]);
        row_ui(ui, "Beyond the keys", &extrapolation, &extrapolation);
        if let Some(approximation) = clip.approximation(key.track, Some(key.index)) {
            let text = format!("approximate: {}", approximation.reason);
            row_ui(ui, approximation.part, &text, "approximate");
        }
        let location = track.source.key_location(key.index).to_string();
        row_ui(ui, "In the file", &location, &location);
    });
}

fn format_time(time: f64, frame: Option<String>) -> String {
    let seconds = format!("{} s", display_text::format_decimal(time, 5));
    frame.map_or(seconds.clone(), |frame| format!("{seconds}, {frame}"))
}

fn interpolation_ui(ui: &mut Ui, track: &Track, curve: &ScalarCurve, index: usize) {
    let handles = curve.handles(index);
    let before = index.checked_sub(1).and_then(|left| curve.interpolation(left));
    for (name, interpolation, handle) in
        [("Before", before, handles.before), ("After", curve.interpolation(index), handles.after)]
    {
        let Some(interpolation) = interpolation else { continue };
        let mut text = display_text::interpolation_label(interpolation).to_owned();
        if let Some(handle) = handle {
            text = format!("{text}, {}", describe_handle(handle, track.unit.symbol()));
        }
        row_ui(ui, name, &text, &text);
    }
}

fn describe_handle(handle: HandleEnd, unit: &str) -> String {
    let length = format!("{} s", display_text::format_decimal(handle.seconds.abs(), 4));
    if handle.seconds == 0.0 {
        return "vertical".to_owned();
    }
    let slope = display_text::format_decimal(handle.value / handle.seconds, 4);
    let per_second = if unit.is_empty() { "/s".to_owned() } else { format!(" {unit}/s") };
    format!("{slope}{per_second} over {length}")
}

fn row_ui(ui: &mut Ui, name: &str, shown: &str, exact: &str) {
    let name = dim_text(ui, name);
    ui.add(Label::new(name).sense(Sense::hover()));
    copyable_value(ui, shown, || exact.to_owned());
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::ui::testing::{PanelFixture, show};
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn key_of_maya_shows_its_tangents_and_infinities() {
        let bytes = include_bytes!("../../../tests/data/maya/infinities.anim");
        let clip = decode(&bytes[..], &ReadOptions::default()).unwrap();
        let (index, track) = clip
            .tracks
            .iter()
            .enumerate()
            .find(|(_, track)| clip.owner_name(track.owner) == "constant_cycle")
            .unwrap();
        assert!(track.curve.key_count() > 0);
        let key = KeyId { track: mutoscope_core::clip::TrackId::new(index), index: 0 };
        let mut fixture = PanelFixture::<Option<KeyId>>::with_clip(clip);
        fixture.state = Some(key);
        let inspector = show(fixture, [400.0, 300.0], |ui, model, key| {
            selected_key_ui(ui, model.clip().unwrap(), key.unwrap());
        });
        assert!(inspector.query_by_label("constant before, cycle after").is_some());
        assert!(inspector.query_by_label("spline in, spline out").is_some());
    }

    #[test]
    fn handles_show_slope_and_length() {
        let cases = [
            ((0.5, 6.0), "cm", "12 cm/s over 0.5 s"),
            ((-0.25, 1.0), "", "-4/s over 0.25 s"),
            ((0.0, 2.0), "cm", "vertical"),
        ];
        for ((seconds, value), unit, expected) in cases {
            assert_eq!(describe_handle(HandleEnd { seconds, value }, unit), expected);
        }
    }
}
