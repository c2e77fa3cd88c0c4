//! Arranges several images on one contact sheet.

use image::{Rgba, RgbaImage, imageops};

use super::text::{Pen, time_label};

const GAP_PX: u32 = 8;

const BACKGROUND_COLOR: Rgba<u8> = Rgba([0x15, 0x17, 0x1a, 0xff]);
const TEXT_COLOR: [u8; 3] = [0xd7, 0xdb, 0xe2];

const MAX_SHEET_WIDTH_PX: u32 = 3840;

/// Draws all images onto one sheet in rows, with the time in seconds under each. All images must
/// have the size of the first.
pub fn contact_sheet(pictures: &[(f64, RgbaImage)]) -> RgbaImage {
    let Some((_, first)) = pictures.first() else { return RgbaImage::new(1, 1) };
    let (width, height) = first.dimensions();
    let line = line_height(height);
    let columns = column_count(pictures.len() as u32, width, height + line);
    let rows = (pictures.len() as u32).div_ceil(columns);
    let sheet_size =
        [columns * (width + GAP_PX) + GAP_PX, rows * (height + line + GAP_PX) + GAP_PX];
    let mut sheet = RgbaImage::from_pixel(sheet_size[0], sheet_size[1], BACKGROUND_COLOR);
    let pen = Pen::new(line as f32 * 0.75, TEXT_COLOR);
    for (index, (time, picture)) in (0..).zip(pictures) {
        let x = GAP_PX + index % columns * (width + GAP_PX);
        let y = GAP_PX + index / columns * (height + line + GAP_PX);
        imageops::replace(&mut sheet, picture, x.into(), y.into());
        if let Some(pen) = &pen {
            let middle = x as f32 + width as f32 / 2.0;
            let top = (y + height) as f32 + line as f32 * 0.125;
            pen.write_centred(&mut sheet, middle, top, &time_label(*time));
        }
    }
    sheet
}

fn line_height(height: u32) -> u32 {
    (height / 16).clamp(18, 48)
}

/// Returns the number of images in a row. The sheet has roughly the aspect ratio 16:9. If one
/// column more or less fills all rows, that number is used. A sheet of several columns is at most
/// [`MAX_SHEET_WIDTH_PX`] wide.
fn column_count(count: u32, width: u32, height: u32) -> u32 {
    let aspect_columns =
        (f64::from(count) * f64::from(height) / f64::from(width) * 16.0 / 9.0).sqrt();
    let max_columns = ((MAX_SHEET_WIDTH_PX - GAP_PX) / (width + GAP_PX)).max(1);
    let usual = (aspect_columns.ceil() as u32).clamp(1, count.max(1)).min(max_columns);
    let choices = [usual, usual + 1, usual.saturating_sub(1)];
    let fills_rows =
        |columns: &u32| (1..=max_columns).contains(columns) && count.is_multiple_of(*columns);
    choices.into_iter().find(fills_rows).unwrap_or(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_sheet_rows_have_equal_lengths_and_a_screen_aspect() {
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
            assert_eq!(column_count(count, width, height), expected, "{count} of {width}×{height}");
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
        let has_label = (98..116).any(|y| (8..168).any(|x| sheet.get_pixel(x, y).0[0] > 180));
        assert!(has_label, "the time is under the first image");
    }
}
