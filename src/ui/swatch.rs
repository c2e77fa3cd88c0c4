//! Converts values to colours.

use bevy_egui::egui::Color32;

use super::style::Palette;
use mutoscope_core::clip::Value;

pub(super) fn value_color(value: &Value, palette: &Palette) -> Color32 {
    match opaque_color(value) {
        Some((color, alpha)) => palette.tint(color, alpha),
        None => palette.background,
    }
}

/// Returns `value` as an opaque colour, and its opacity from 0 to 1. `None` if the value is not
/// numeric.
pub(super) fn opaque_color(value: &Value) -> Option<(Color32, f32)> {
    let full: Vec<f32> = match value {
        Value::Numbers(numbers) => numbers.iter().map(|&number| number as f32).collect(),
        Value::Integers(integers) => {
            integers.iter().map(|&integer| integer as f32 / 255.0).collect()
        }
        _ => return None,
    };
    let part = |index: usize, missing: f32| {
        let part = full.get(index).copied().unwrap_or(missing);
        if part.is_finite() { part.clamp(0.0, 1.0) } else { missing }
    };
    let byte = |part: f32| (part * 255.0).round() as u8;
    let opaque = Color32::from_rgb(byte(part(0, 0.0)), byte(part(1, 0.0)), byte(part(2, 0.0)));
    Some((opaque, part(3, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_numbers_up_to_one_or_bytes() {
        let palette = Palette::over_pictures();
        let orange = Color32::from_rgb(255, 128, 0);
        let numbers = Value::from_numbers([1.0, 0.502, -3.0].into_iter());
        assert_eq!(value_color(&numbers, palette), orange);
        let bytes = Value::from_integers([255, 128, 0, 255].into_iter());
        assert_eq!(value_color(&bytes, palette), orange);
        let clear = Value::from_numbers([1.0, 1.0, 1.0, 0.0].into_iter());
        assert_eq!(value_color(&clear, palette), palette.background);
        assert_eq!(value_color(&Value::Null, palette), palette.background);
    }
}
