//! Several images on one sheet.

use image::{Rgba, RgbaImage, imageops};

use super::text::{Pen, time_label};

/// The space between images, in pixels.
const GAP: u32 = 8;

const PAPER: Rgba<u8> = Rgba([0x15, 0x17, 0x1a, 0xff]);
const INK: [u8; 3] = [0xd7, 0xdb, 0xe2];

/// The widest a sheet may get, in pixels, before its images continue in another row.
const WIDEST: u32 = 3840;

/// All images, which are of one size, on one sheet in rows, each above its time in seconds.
pub fn contact_sheet(pictures: &[(f64, RgbaImage)]) -> RgbaImage {
    let Some((_, first)) = pictures.first() else { return RgbaImage::new(1, 1) };
    let (width, height) = first.dimensions();
    let line = line_height(height);
    let columns = columns(pictures.len() as u32, width, height + line);
    let rows = (pictures.len() as u32).div_ceil(columns);
    let sheet_size = [columns * (width + GAP) + GAP, rows * (height + line + GAP) + GAP];
    let mut sheet = RgbaImage::from_pixel(sheet_size[0], sheet_size[1], PAPER);
    let pen = Pen::new(line as f32 * 0.75, INK);
    for (index, (time, picture)) in (0..).zip(pictures) {
        let x = GAP + index % columns * (width + GAP);
        let y = GAP + index / columns * (height + line + GAP);
        imageops::replace(&mut sheet, picture, x.into(), y.into());
        if let Some(pen) = &pen {
            let middle = x as f32 + width as f32 / 2.0;
            let top = (y + height) as f32 + line as f32 * 0.125;
            pen.write_centred(&mut sheet, middle, top, &time_label(*time));
        }
    }
    sheet
}

/// The height of a line of text under an image of some height: always legible.
fn line_height(height: u32) -> u32 {
    (height / 16).clamp(18, 48)
}

/// How many of `count` images are in a row: the sheet is about as wide as a screen, rows are
/// equally long if that is possible, and no sheet of several columns is wider than [`WIDEST`].
fn columns(count: u32, width: u32, height: u32) -> u32 {
    let screen_wide = (f64::from(count) * f64::from(height) / f64::from(width) * 16.0 / 9.0).sqrt();
    let fitting = ((WIDEST - GAP) / (width + GAP)).max(1);
    let usual = (screen_wide.ceil() as u32).clamp(1, count.max(1)).min(fitting);
    let choices = [usual, usual + 1, usual.saturating_sub(1)];
    let is_even = |columns: &u32| (1..=fitting).contains(columns) && count.is_multiple_of(*columns);
    choices.into_iter().find(is_even).unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_sheet_rows_are_even_and_fit_a_screen() {
        let cases = [
            ((1, 1280, 760), 1),
            ((2, 1280, 760), 2),
            ((6, 320, 200), 3),
            ((8, 320, 200), 4),
            ((9, 320, 200), 3),
            ((5, 320, 200), 3),
            ((12, 1280, 760), 2),
            ((3, 5000, 100), 1),
        ];
        for ((count, width, height), expected) in cases {
            assert_eq!(columns(count, width, height), expected, "{count} of {width}×{height}");
        }
    }

    #[test]
    fn contact_sheet_has_every_image_with_a_caption() {
        let color = |index: u8| Rgba([index * 40, 200, 100, 255]);
        let pictures: Vec<_> = (0..5u8)
            .map(|index| (f64::from(index) / 4.0, RgbaImage::from_pixel(160, 90, color(index))))
            .collect();
        let sheet = contact_sheet(&pictures);
        assert_eq!(sheet.dimensions(), (3 * 168 + 8, 2 * (90 + 18 + 8) + 8));
        for index in 0..5u8 {
            let x = 8 + u32::from(index) % 3 * 168 + 80;
            let y = 8 + u32::from(index) / 3 * 116 + 45;
            assert_eq!(*sheet.get_pixel(x, y), color(index));
        }
        let written = (98..116).any(|y| (8..168).any(|x| sheet.get_pixel(x, y).0[0] > 180));
        assert!(written, "the time stands under the first picture");
    }
}
