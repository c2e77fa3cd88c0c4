//! Draws text onto images.

use std::borrow::Cow;

use ab_glyph::{Font as _, FontRef, GlyphId, PxScale, ScaleFont as _, point};
use epaint_default_fonts::HACK_REGULAR;
use image::{Rgba, RgbaImage};

/// Formats a time as minutes, seconds and milliseconds: `00:03.217`. Negative times have a minus.
pub fn time_label(seconds: f64) -> String {
    let milliseconds = (seconds.abs() * 1e3).round();
    if !milliseconds.is_finite() || milliseconds >= 1e15 {
        return "--:--.---".to_owned();
    }
    let milliseconds = milliseconds as u64;
    let minus = if seconds < 0.0 && milliseconds > 0 { "-" } else { "" };
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000);
    format!("{minus}{minutes:02}:{:02}.{:03}", rest / 1000, rest % 1000)
}

#[derive(Clone, Debug)]
pub(super) struct Pen {
    font: FontRef<'static>,
    size: PxScale,
    color: [u8; 3],
}

impl Pen {
    /// Creates a pen whose lines are `size` pixels high. Returns `None` if the embedded font cannot
    /// be parsed.
    pub(super) fn new(size: f32, color: [u8; 3]) -> Option<Self> {
        let font = FontRef::try_from_slice(HACK_REGULAR).ok()?;
        Some(Self { font, size: size.into(), color })
    }

    pub(super) fn size(&self) -> f32 {
        self.size.y
    }

    pub(super) fn width(&self, text: &str) -> f32 {
        let font = self.font.as_scaled(self.size);
        self.glyphs(text).map(|glyph| font.h_advance(glyph)).sum()
    }

    pub(super) fn shorten_to_width<'a>(&self, text: &'a str, width: f32) -> Cow<'a, str> {
        if self.width(text) <= width {
            return text.into();
        }
        let max_width = width - self.width("…");
        let mut end = 0;
        for (index, letter) in text.char_indices() {
            let next = index + letter.len_utf8();
            if self.width(&text[..next]) > max_width {
                break;
            }
            end = next;
        }
        format!("{}…", text[..end].trim_end()).into()
    }

    #[cfg_attr(
        target_family = "wasm",
        allow(dead_code, reason = "contact sheets are not made in browsers")
    )]
    pub(super) fn write_centred(&self, picture: &mut RgbaImage, middle: f32, top: f32, text: &str) {
        self.write(picture, middle - self.width(text) / 2.0, top, text);
    }

    pub(super) fn write(&self, picture: &mut RgbaImage, left: f32, top: f32, text: &str) {
        let font = self.font.as_scaled(self.size);
        let mut x = left.round();
        let baseline = (top + font.ascent()).round();
        for glyph in self.glyphs(text) {
            let advance = font.h_advance(glyph);
            let placed = glyph.with_scale_and_position(self.size, point(x, baseline));
            if let Some(outline) = self.font.outline_glyph(placed) {
                let corner = outline.px_bounds().min;
                outline.draw(|dx, dy, coverage| {
                    self.blend_pixel(picture, corner.x + dx as f32, corner.y + dy as f32, coverage);
                });
            }
            x += advance;
        }
    }

    fn glyphs<'a>(&'a self, text: &'a str) -> impl Iterator<Item = GlyphId> + 'a {
        text.chars().map(|letter| self.font.glyph_id(letter))
    }

    fn blend_pixel(&self, picture: &mut RgbaImage, x: f32, y: f32, coverage: f32) {
        let inside = x >= 0.0 && y >= 0.0;
        let pixel = picture.get_pixel_mut_checked(x as u32, y as u32).filter(|_| inside);
        if let Some(Rgba([red, green, blue, _])) = pixel {
            for (channel, ink) in [red, green, blue].into_iter().zip(self.color) {
                let mixed = f32::from(*channel) * (1.0 - coverage) + f32::from(ink) * coverage;
                *channel = mixed.round() as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_labels_have_minutes_seconds_and_milliseconds() {
        let cases = [
            (0.0, "00:00.000"),
            (3.2174, "00:03.217"),
            (59.9996, "01:00.000"),
            (-0.5, "-00:00.500"),
            (-0.0001, "00:00.000"),
            (6000.25, "100:00.250"),
            (f64::NAN, "--:--.---"),
            (1e300, "--:--.---"),
        ];
        for (seconds, label) in cases {
            assert_eq!(time_label(seconds), label);
        }
    }

    #[test]
    fn text_stays_within_its_line() {
        let mut picture = RgbaImage::from_pixel(60, 40, Rgba([0, 0, 0, 255]));
        let pen = Pen::new(16.0, [255, 255, 255]).unwrap();
        pen.write_centred(&mut picture, 30.0, 10.0, "00:00.000 too wide");
        let inked = |&(_, _, pixel): &(u32, u32, &Rgba<u8>)| pixel.0[0] > 128;
        let rows: Vec<u32> = picture.enumerate_pixels().filter(inked).map(|(_, y, _)| y).collect();
        assert!(rows.len() > 100, "{}", rows.len());
        assert!(rows.iter().all(|y| (10..27).contains(y)), "{rows:?}");
    }
}
