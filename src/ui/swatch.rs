//! Values that are colours.

use bevy_egui::egui::Color32;

use super::style::Palette;
use mutoscope_core::clip::Value;

/// The colour that a value is; what is not opaque, over the background.
pub(super) fn color(value: &Value, palette: &Palette) -> Color32 {
    match opaque(value) {
        Some((color, alpha)) => palette.tint(color, alpha),
        None => palette.background,
    }
}

/// The colour that a value is, if it is one, as if it were opaque; and how opaque it is.
pub(super) fn opaque(value: &Value) -> Option<(Color32, f32)> {
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
        let palette = Palette::over_picture();
        let orange = Color32::from_rgb(255, 128, 0);
        let numbers = Value::of_numbers([1.0, 0.502, -3.0].into_iter());
        assert_eq!(color(&numbers, palette), orange);
        let bytes = Value::of_integers([255, 128, 0, 255].into_iter());
        assert_eq!(color(&bytes, palette), orange);
        let clear = Value::of_numbers([1.0, 1.0, 1.0, 0.0].into_iter());
        assert_eq!(color(&clear, palette), palette.background);
        assert_eq!(color(&Value::Null, palette), palette.background);
    }
}
