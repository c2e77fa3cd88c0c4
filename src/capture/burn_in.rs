//! Text that is part of the images of a video.

use image::{Rgba, RgbaImage};

use super::text::{Pen, time_label};
use mutoscope_core::clip::{Clip, Pose};

/// The text that images have in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BurnIn {
    /// A line at the top.
    pub title: Option<String>,
    /// Whether the time of the recording is at the bottom right: minutes, seconds and milliseconds.
    pub timecode: bool,
    /// Whether subtitles and events are at the bottom, as in the viewer.
    pub captions: bool,
}

const INK: [u8; 3] = [0xff, 0xff, 0xff];

/// The shade behind text, and its opacity.
const SHADE: (u8, f32) = (0x10, 0.62);

/// Where text is in an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    TopLeft,
    BottomRight,
    Bottom,
}

impl BurnIn {
    /// Writes the text of `time`, in seconds, on an image of `clip`.
    pub fn write(&self, image: &mut RgbaImage, clip: &Clip, time: f64) {
        let size = text_size(image.height());
        let Some(pen) = Pen::new(size, INK) else { return };
        let title = self.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
        if let Some(title) = title {
            label(image, &pen, Place::TopLeft, title, 0.0);
        }
        let mut above = 0.0;
        if self.timecode {
            label(image, &pen, Place::BottomRight, &time_label(time), 0.0);
            above = 1.6 * size;
        }
        if let Some(caption) = self.captions.then(|| caption(clip, time)).flatten() {
            label(image, &pen, Place::Bottom, &caption, above);
        }
    }
}

fn caption(clip: &Clip, time: f64) -> Option<String> {
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    clip.caption(&pose, time)
}

/// The size of text on images of some height, in pixels: legible on a telephone.
fn text_size(height: u32) -> f32 {
    (height as f32 / 24.0).clamp(12.0, 64.0)
}

/// Writes `text`, shortened to the width of the image, this far above its place.
fn label(image: &mut RgbaImage, pen: &Pen, place: Place, text: &str, above: f32) {
    let [width, height] = [image.width() as f32, image.height() as f32];
    let (margin, pad) = (0.6 * pen.size(), 0.3 * pen.size());
    let text = pen.fitted(text, width - 2.0 * (margin + pad));
    let (wide, high) = (pen.width(&text), pen.size());
    let left = match place {
        Place::TopLeft => margin,
        Place::BottomRight => width - margin - wide - 2.0 * pad,
        Place::Bottom => (width - wide) / 2.0 - pad,
    };
    let top = match place {
        Place::TopLeft => margin,
        Place::BottomRight | Place::Bottom => height - margin - high - pad - above,
    };
    shade(image, [left, top, wide + 2.0 * pad, high + pad]);
    pen.write(image, left + pad, top + 0.5 * pad, &text);
}

/// Darkens a rectangle: left, top, width and height.
fn shade(image: &mut RgbaImage, [left, top, width, height]: [f32; 4]) {
    let span = |from: f32, length: f32, most: u32| {
        let end = (from + length).round().clamp(0.0, most as f32) as u32;
        (from.round().max(0.0) as u32).min(end)..end
    };
    let rows = span(top, height, image.height());
    for y in rows {
        for x in span(left, width, image.width()) {
            let Rgba([red, green, blue, _]) = image.get_pixel_mut(x, y);
            for channel in [red, green, blue] {
                let (shade, part) = SHADE;
                let mixed = f32::from(*channel) * (1.0 - part) + f32::from(shade) * part;
                *channel = mixed.round() as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::formats::{self, DecodeRequest};

    const BLUE: Rgba<u8> = Rgba([40, 80, 200, 255]);

    fn lanterns() -> Clip {
        let bytes = include_bytes!("../../assets/animj/lantern-show.animj");
        formats::decode(bytes, &DecodeRequest::default().named("lantern-show.animj")).unwrap()
    }

    /// Whether anything is written in a part of the image: from and to, in parts of its width and height.
    fn is_written(image: &RgbaImage, x: [f32; 2], y: [f32; 2]) -> bool {
        let within = |at: u32, all: u32, [from, to]: [f32; 2]| {
            (from..to).contains(&(at as f32 / all as f32))
        };
        image.enumerate_pixels().any(|(at_x, at_y, pixel)| {
            within(at_x, image.width(), x)
                && within(at_y, image.height(), y)
                && pixel.0[..3].iter().all(|channel| *channel > 230)
        })
    }

    fn written(burn_in: &BurnIn, clip: &Clip, time: f64) -> RgbaImage {
        let mut image = RgbaImage::from_pixel(640, 360, BLUE);
        burn_in.write(&mut image, clip, time);
        image
    }

    #[test]
    fn each_text_has_its_place() {
        let clip = lanterns();
        let (top, bottom) = ([0.0, 0.15], [0.85, 1.0]);
        let (left, right) = ([0.0, 0.5], [0.6, 1.0]);
        let title = BurnIn { title: Some("Take 3".to_owned()), ..BurnIn::default() };
        let image = written(&title, &clip, 0.0);
        assert!(is_written(&image, left, top));
        assert!(!is_written(&image, [0.0, 1.0], [0.15, 1.0]));
        let timecode = BurnIn { timecode: true, ..BurnIn::default() };
        let image = written(&timecode, &clip, 1.5);
        assert!(is_written(&image, right, bottom));
        assert!(!is_written(&image, [0.0, 1.0], [0.0, 0.85]));
        let nothing = BurnIn { title: Some(" ".to_owned()), ..BurnIn::default() };
        let image = written(&nothing, &clip, 0.0);
        assert!(image.pixels().all(|pixel| *pixel == BLUE));
    }

    #[test]
    fn captions_are_those_of_the_time() {
        let clip = lanterns();
        let mut pose = Pose::default();
        let mut said = |time: f64| {
            clip.sample(time, &mut pose);
            clip.caption(&pose, time)
        };
        let times: Vec<f64> = (0..=40).map(|index| f64::from(index) * 0.1).collect();
        let with = times.iter().copied().find(|time| said(*time).is_some());
        let bytes = include_bytes!("../../assets/bvh/walk.bvh");
        let silent = formats::decode(bytes, &DecodeRequest::default().named("walk.bvh")).unwrap();
        let captions = BurnIn { captions: true, ..BurnIn::default() };
        let image = written(&captions, &clip, with.expect("the sample has captions"));
        assert!(is_written(&image, [0.0, 1.0], [0.8, 1.0]));
        let image = written(&captions, &silent, 0.0);
        assert!(image.pixels().all(|pixel| *pixel == BLUE), "there is nothing to say");
    }

    #[test]
    fn long_titles_are_shortened_and_tiny_images_written_on() {
        let title = BurnIn { title: Some("long ".repeat(100)), timecode: true, captions: true };
        let image = written(&title, &lanterns(), 0.0);
        assert!(!is_written(&image, [0.985, 1.0], [0.0, 0.15]), "the margin is free");
        for (width, height) in [(1, 1), (3, 200), (200, 3)] {
            title.write(&mut RgbaImage::from_pixel(width, height, BLUE), &lanterns(), 0.0);
        }
    }
}
