//! Quantised keys: their bits, integers and quantisation error.

use bevy_egui::egui::{RichText, Ui};

use super::node::{format_aligned, format_exact};
use crate::ui::widgets::{copyable_value, dim_text, heading, table};
use mutoscope_core::{
    clip::{Clip, ErrorBound, NodeId, Owner, QuantizedKey, Track, Unit, Value},
    diagnostics::SourceLocation,
};

pub(super) fn packed_ui(ui: &mut Ui, clip: &Clip, node: NodeId, time: f64) {
    let keys = clip.tracks_of(Owner::Node(node)).filter_map(|(_, track)| {
        let next = track.curve.key_times().partition_point(|&key| key <= time);
        let index = next.checked_sub(1)?;
        Some((track, index, track.source.quantized_key(index)?))
    });
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        return;
    }
    heading(ui, "Encoded value of the previous key");
    for (track, index, quantized) in keys {
        let name = RichText::new(format!("{}, key {index}", track.property)).small();
        ui.label(name);
        table(&format!("encoded {}", track.property), 2).show(ui, |ui| {
            key_ui(ui, track, index, &quantized);
        });
        ui.add_space(3.0);
    }
}

fn key_ui(ui: &mut Ui, track: &Track, index: usize, quantized: &QuantizedKey) {
    let location = track.source.key_location(index);
    row_ui(ui, "in the file", &format_location(&location), &location.to_string());
    let value = track.curve.key_value(index);
    let integers = format_integers(quantized, is_rotation(&value));
    row_ui(ui, "integers", &integers, &integers);
    row_ui(ui, "decoded", &format_aligned(&value), &format_exact(&value));
    let (shown, exact) = format_error_bound(quantized.max_error, track.unit);
    let error = row_ui(ui, "max error", &shown, &exact);
    error.on_hover_text(
        "The largest error of the value from rounding to integers. \
         Click to copy",
    );
}

fn row_ui(ui: &mut Ui, name: &str, shown: &str, exact: &str) -> bevy_egui::egui::Response {
    let name = dim_text(ui, name).small();
    ui.label(name);
    let response = copyable_value(ui, shown, || exact.to_owned());
    ui.end_row();
    response
}

/// Returns the offset and the length, as they are used in a hex editor: `0x1a4 bit 3, 28 bits`.
fn format_location(location: &SourceLocation) -> String {
    match location {
        SourceLocation::Bits { word, bits } => {
            format!("{word:#x} bit {}, {} bits", bits.start, bits.end - bits.start)
        }
        SourceLocation::Bytes(bytes) => {
            format!("{:#x}, {} bytes", bytes.start, bytes.end - bytes.start)
        }
        SourceLocation::File | SourceLocation::Line { .. } | SourceLocation::Unpacked(_) => {
            location.to_string()
        }
    }
}

/// Returns `true` if the value is a quaternion. A file stores only the sign of its w component.
fn is_rotation(value: &Value) -> bool {
    matches!(value, Value::Numbers(numbers) if numbers.len() == 4)
}

fn format_integers(quantized: &QuantizedKey, is_rotation: bool) -> String {
    let mut words: Vec<_> =
        quantized.integers.iter().map(|integer| format!("{integer:>6}")).collect();
    if is_rotation {
        words.push(if quantized.is_negative { "w −" } else { "w +" }.to_owned());
    }
    words.join(" ")
}

fn format_error_bound(error_bound: ErrorBound, unit: Unit) -> (String, String) {
    let (value, symbol) = match error_bound {
        ErrorBound::Turn(radians) => (radians.to_degrees(), "°".to_owned()),
        ErrorBound::Length(length) => (length, format!(" {}", unit.symbol())),
    };
    let decimals = decimals_for(value);
    (format!("± {value:.decimals$}{}", symbol.trim_end()), value.to_string())
}

fn decimals_for(value: f64) -> usize {
    let zeros = -value.abs().log10().floor();
    if zeros.is_finite() { (zeros as usize + 1).clamp(4, 9) } else { 4 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantisation_step_shows_two_digits() {
        let cases = [
            (ErrorBound::Turn(0.0048_f64.to_radians()), Unit::None, "± 0.0048°"),
            (ErrorBound::Turn(0.8_f64.to_radians()), Unit::None, "± 0.8000°"),
            (ErrorBound::Length(8.66e-5), Unit::Metres, "± 0.000087 m"),
            (ErrorBound::Length(0.00025), Unit::None, "± 0.00025"),
            (ErrorBound::Length(0.0), Unit::Metres, "± 0.0000 m"),
        ];
        for (error_bound, unit, expected) in cases {
            assert_eq!(format_error_bound(error_bound, unit).0, expected);
        }
    }

    #[test]
    fn bit_positions_are_hexadecimal_offsets() {
        assert_eq!(format_location(&SourceLocation::bits(0x1a0, 35, 28)), "0x1a4 bit 3, 28 bits");
        assert_eq!(format_location(&SourceLocation::span(0x40, 9)), "0x40, 9 bytes");
    }
}
