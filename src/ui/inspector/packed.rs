//! Quantised keys: bits, integers, and quantisation error.

use bevy_egui::egui::{RichText, Ui};

use super::node::{exact_text, value_text};
use crate::ui::widgets::{copyable, dim, heading, table};
use mutoscope_core::{
    clip::{Clip, Deviation, NodeId, Owner, QuantizedKey, Track, Unit, Value},
    diagnostics::SourceLocation,
};

/// The key at or before `time` of each track of `node` that is packed into integers; nothing if
/// none is.
pub(super) fn packed_ui(ui: &mut Ui, clip: &Clip, node: NodeId, time: f64) {
    let keys = clip.tracks_of(Owner::Node(node)).filter_map(|(_, track)| {
        let next = track.curve.key_times().partition_point(|&key| key <= time);
        let index = next.checked_sub(1)?;
        Some((track, index, track.source.code(index)?))
    });
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        return;
    }
    heading(ui, "Encoded value of the previous key");
    for (track, index, code) in keys {
        let name = RichText::new(format!("{}, key {index}", track.property)).small();
        ui.label(name);
        table(&format!("encoded {}", track.property), 2).show(ui, |ui| {
            key_ui(ui, track, index, &code);
        });
        ui.add_space(3.0);
    }
}

fn key_ui(ui: &mut Ui, track: &Track, index: usize, code: &QuantizedKey) {
    let place = track.source.key(index);
    row_ui(ui, "in the file", &place_text(&place), &place.to_string());
    let value = track.curve.key_value(index);
    let integers = integers_text(code, is_rotation(&value));
    row_ui(ui, "integers", &integers, &integers);
    row_ui(ui, "decoded", &value_text(&value), &exact_text(&value));
    let (shown, exact) = deviation_text(code.deviation, track.unit);
    let error = row_ui(ui, "max quantisation error", &shown, &exact);
    error.on_hover_text(
        "The largest error of the value from rounding to integers. \
         Click to copy",
    );
}

fn row_ui(ui: &mut Ui, name: &str, shown: &str, exact: &str) -> bevy_egui::egui::Response {
    let name = dim(ui, name).small();
    ui.label(name);
    let response = copyable(ui, shown, || exact.to_owned());
    ui.end_row();
    response
}

/// Where it begins and how long it is, to be found with an editor of bytes: `0x1a4 bit 3, 28 bits`.
fn place_text(place: &SourceLocation) -> String {
    match place {
        SourceLocation::Bits { word, bits } => {
            format!("{word:#x} bit {}, {} bits", bits.start, bits.end - bits.start)
        }
        SourceLocation::Bytes(bytes) => {
            format!("{:#x}, {} bytes", bytes.start, bytes.end - bytes.start)
        }
        SourceLocation::File | SourceLocation::Line { .. } | SourceLocation::Unpacked(_) => {
            place.to_string()
        }
    }
}

/// A quaternion is four numbers; the sign of its w is all that a file has of it.
fn is_rotation(value: &Value) -> bool {
    matches!(value, Value::Numbers(numbers) if numbers.len() == 4)
}

fn integers_text(code: &QuantizedKey, is_rotation: bool) -> String {
    let mut words: Vec<_> = code.integers.iter().map(|integer| format!("{integer:>6}")).collect();
    if is_rotation {
        words.push(if code.is_negative { "w −" } else { "w +" }.to_owned());
    }
    words.join(" ")
}

/// For the eye and with all digits: `± 0.0048°`.
fn deviation_text(deviation: Deviation, unit: Unit) -> (String, String) {
    let (value, symbol) = match deviation {
        Deviation::Turn(radians) => (radians.to_degrees(), "°".to_owned()),
        Deviation::Length(length) => (length, format!(" {}", unit.symbol())),
    };
    let decimals = decimals(value);
    (format!("± {value:.decimals$}{}", symbol.trim_end()), value.to_string())
}

/// As many decimals as show two digits of `value`, four at least.
fn decimals(value: f64) -> usize {
    let zeros = -value.abs().log10().floor();
    if zeros.is_finite() { (zeros as usize + 1).clamp(4, 9) } else { 4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantisation_step_shows_two_digits() {
        let cases = [
            (Deviation::Turn(0.0048_f64.to_radians()), Unit::None, "± 0.0048°"),
            (Deviation::Turn(0.8_f64.to_radians()), Unit::None, "± 0.8000°"),
            (Deviation::Length(8.66e-5), Unit::Metres, "± 0.000087 m"),
            (Deviation::Length(0.00025), Unit::None, "± 0.00025"),
            (Deviation::Length(0.0), Unit::Metres, "± 0.0000 m"),
        ];
        for (deviation, unit, expected) in cases {
            assert_eq!(deviation_text(deviation, unit).0, expected);
        }
    }

    #[test]
    fn bit_positions_are_hexadecimal_offsets() {
        assert_eq!(place_text(&SourceLocation::bits(0x1a0, 35, 28)), "0x1a4 bit 3, 28 bits");
        assert_eq!(place_text(&SourceLocation::span(0x40, 9)), "0x40, 9 bytes");
    }
}
