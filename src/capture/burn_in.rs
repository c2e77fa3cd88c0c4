//! Draws a title, the time and captions into the images of a video.

use image::{Rgba, RgbaImage};

use super::text::{Pen, time_label};
use mutoscope_core::clip::{Clip, Pose};

/// The text that is drawn into each image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BurnIn {
    /// The line at the top left.
    pub title: Option<String>,
    /// `true` to draw the recording's time at the bottom right, as minutes, seconds and
    /// milliseconds.
    pub timecode: bool,
    /// `true` to draw subtitles and events at the bottom, as in the viewer.
    pub captions: bool,
}

const TEXT_COLOR: [u8; 3] = [0xff, 0xff, 0xff];

const SHADE_GREY: u8 = 0x10;

const SHADE_OPACITY: f32 = 0.62;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextAnchor {
    TopLeft,
    BottomRight,
    Bottom,
}

impl BurnIn {
    /// Draws the text for `time`, in seconds, onto an image of `clip`.
    pub fn draw(&self, image: &mut RgbaImage, clip: &Clip, time: f64) {
        let size = text_size(image.height());
        let Some(pen) = Pen::new(size, TEXT_COLOR) else { return };
        let title = self.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
        if let Some(title) = title {
            draw_label(image, &pen, TextAnchor::TopLeft, title, 0.0);
        }
        let mut caption_raise = 0.0;
        if self.timecode {
            draw_label(image, &pen, TextAnchor::BottomRight, &time_label(time), 0.0);
            caption_raise = 1.6 * size;
        }
        if let Some(caption) = self.captions.then(|| sample_caption(clip, time)).flatten() {
            draw_label(image, &pen, TextAnchor::Bottom, &caption, caption_raise);
        }
    }
}

fn sample_caption(clip: &Clip, time: f64) -> Option<String> {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    clip.caption(&pose, time)
}

fn text_size(height: u32) -> f32 {
    (height as f32 / 24.0).clamp(12.0, 64.0)
}

fn draw_label(image: &mut RgbaImage, pen: &Pen, anchor: TextAnchor, text: &str, raise: f32) {
    let [width, height] = [image.width() as f32, image.height() as f32];
    let (margin, pad) = (0.6 * pen.size(), 0.3 * pen.size());
    let text = pen.shorten_to_width(text, width - 2.0 * (margin + pad));
    let (text_width, text_height) = (pen.width(&text), pen.size());
    let left = match anchor {
        TextAnchor::TopLeft => margin,
        TextAnchor::BottomRight => width - margin - text_width - 2.0 * pad,
        TextAnchor::Bottom => (width - text_width) / 2.0 - pad,
    };
    let top = match anchor {
        TextAnchor::TopLeft => margin,
        TextAnchor::BottomRight | TextAnchor::Bottom => height - margin - text_height - pad - raise,
    };
    darken_rectangle(image, [left, top, text_width + 2.0 * pad, text_height + pad]);
    pen.write(image, left + pad, top + 0.5 * pad, &text);
}

fn darken_rectangle(image: &mut RgbaImage, [left, top, width, height]: [f32; 4]) {
    let pixel_range = |from: f32, length: f32, limit: u32| {
        let end = (from + length).round().clamp(0.0, limit as f32) as u32;
        (from.round().max(0.0) as u32).min(end)..end
    };
    let rows = pixel_range(top, height, image.height());
    for y in rows {
        for x in pixel_range(left, width, image.width()) {
            let Rgba([red, green, blue, _]) = image.get_pixel_mut(x, y);
            for channel in [red, green, blue] {
                let mixed = f32::from(*channel) * (1.0 - SHADE_OPACITY)
                    + f32::from(SHADE_GREY) * SHADE_OPACITY;
                *channel = mixed.round() as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, SourceFile, decode};

    const BLUE: Rgba<u8> = Rgba([40, 80, 200, 255]);

    fn lanterns() -> Clip {
        let bytes = include_bytes!("../../assets/animj/lantern-show.animj");
        decode(SourceFile::new("lantern-show.animj", bytes), &ReadOptions::default()).unwrap()
    }

    fn has_text_in(image: &RgbaImage, x: [f32; 2], y: [f32; 2]) -> bool {
        let within = |index: u32, count: u32, [from, to]: [f32; 2]| {
            (from..to).contains(&(index as f32 / count as f32))
        };
        image.enumerate_pixels().any(|(column, row, pixel)| {
            within(column, image.width(), x)
                && within(row, image.height(), y)
                && pixel.0[..3].iter().all(|channel| *channel > 230)
        })
    }

    fn render_text(burn_in: &BurnIn, clip: &Clip, time: f64) -> RgbaImage {
        let mut image = RgbaImage::from_pixel(640, 360, BLUE);
        burn_in.draw(&mut image, clip, time);
        image
    }

    #[test]
    fn title_and_timecode_are_drawn_in_their_corners() {
        let clip = lanterns();
        let (top, bottom) = ([0.0, 0.15], [0.85, 1.0]);
        let (left, right) = ([0.0, 0.5], [0.6, 1.0]);
        let title = BurnIn { title: Some("Take 3".to_owned()), ..BurnIn::default() };
        let image = render_text(&title, &clip, 0.0);
        assert!(has_text_in(&image, left, top));
        assert!(!has_text_in(&image, [0.0, 1.0], [0.15, 1.0]));
        let timecode = BurnIn { timecode: true, ..BurnIn::default() };
        let image = render_text(&timecode, &clip, 1.5);
        assert!(has_text_in(&image, right, bottom));
        assert!(!has_text_in(&image, [0.0, 1.0], [0.0, 0.85]));
        let blank_title = BurnIn { title: Some(" ".to_owned()), ..BurnIn::default() };
        let image = render_text(&blank_title, &clip, 0.0);
        assert!(image.pixels().all(|pixel| *pixel == BLUE));
    }

    #[test]
    fn captions_are_drawn_only_if_the_clip_has_some() {
        let clip = lanterns();
        let mut pose = Pose::default();
        let mut caption_at = |time: f64| {
            clip.sample(time, &mut pose);
            clip.caption(&pose, time)
        };
        let times: Vec<f64> = (0..=40).map(|index| f64::from(index) * 0.1).collect();
        let captioned_time = times.iter().copied().find(|time| caption_at(*time).is_some());
        let bytes = include_bytes!("../../assets/bvh/walk.bvh");
        let silent = decode(SourceFile::new("walk.bvh", bytes), &ReadOptions::default()).unwrap();
        let captions = BurnIn { captions: true, ..BurnIn::default() };
        let image = render_text(&captions, &clip, captioned_time.expect("the sample has captions"));
        assert!(has_text_in(&image, [0.0, 1.0], [0.8, 1.0]));
        let image = render_text(&captions, &silent, 0.0);
        assert!(image.pixels().all(|pixel| *pixel == BLUE), "the clip has no captions");
    }

    #[test]
    fn long_titles_are_shortened_and_tiny_images_do_not_panic() {
        let title = BurnIn { title: Some("long ".repeat(100)), timecode: true, captions: true };
        let image = render_text(&title, &lanterns(), 0.0);
        assert!(!has_text_in(&image, [0.985, 1.0], [0.0, 0.15]), "the margin is empty");
        for (width, height) in [(1, 1), (3, 200), (200, 3)] {
            title.draw(&mut RgbaImage::from_pixel(width, height, BLUE), &lanterns(), 0.0);
        }
    }
}
