//! Runs `mutoscope thumbnail`, which draws a small picture of a recording for file managers,
//! without a graphics card.

use std::path::PathBuf;

use clap::Args;
use image::RgbaImage;
use tiny_skia::{Color, LineCap, Paint, PathBuilder, Pixmap, Stroke as Pen, Transform};

use mutoscope_cli::{ReadArgs, Status, failure_status, print_message, report_input};
use mutoscope_core::{
    ReadOptions,
    read::{Input, Message, Source},
};

use crate::{
    capture::save_png,
    session::{Stroke, Thumbnail},
};
use bevy_mutoscope::stage::side_color;
use mutoscope_core::clip::Side;

/// The arguments of `thumbnail`.
#[derive(Debug, Args)]
pub struct ThumbnailArgs {
    /// Write to this file, as PNG
    #[arg(short, long, value_name = "OUT.png")]
    pub output: PathBuf,
    /// Width and height of the picture, in pixels
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(16..=2048))]
    pub size: u32,
    /// The recording; - is standard input
    #[arg(value_name = "FILE")]
    pub source: Source,
}

/// The empty border on each side, as a fraction of the picture's width.
const MARGIN: f32 = 0.1;

pub(super) fn run(
    args: &ThumbnailArgs,
    read_options: &ReadOptions,
    read_args: &ReadArgs,
) -> Status {
    let mut inputs = read_args.input_files();
    args.source.add_to_inputs(&mut inputs, "the recording");
    let output = args.output.display().to_string();
    if let Err(message) = inputs.check_output(&args.output) {
        print_message(Message::for_file(&output, message));
        return Status::Failed;
    }
    let input = Input::open(&args.source, read_options);
    let Some(clip) = report_input(&input) else { return failure_status(&input) };
    let thumbnail = Thumbnail::from_clip(&clip.clone().with_placeholder_offsets());
    let picture = draw_strokes(&thumbnail.still, args.size);
    match save_png(&picture, &args.output) {
        Ok(()) => Status::Done,
        Err(error) => {
            print_message(Message::for_file(&output, format!("cannot be written: {error}")));
            Status::Failed
        }
    }
}

/// Draws `strokes` on a dark square with round corners, `size` pixels wide.
fn draw_strokes(strokes: &[Stroke], size: u32) -> RgbaImage {
    let mut pixels = Pixmap::new(size, size).expect("a thumbnail has pixels");
    let side = size as f32;
    fill_background(&mut pixels, side);
    let to_pixels = |part: f32| (MARGIN + (1.0 - 2.0 * MARGIN) * part) * side;
    let pen = |width: f32| Pen { width, line_cap: LineCap::Round, ..Pen::default() };
    for Stroke { ends: [[from_x, from_y], [to_x, to_y]], side: body_side } in strokes {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        let [red, green, blue] = side_rgb(*body_side);
        paint.set_color_rgba8(red, green, blue, 255);
        let is_dot = [from_x, from_y] == [to_x, to_y];
        let from = [to_pixels(*from_x), to_pixels(*from_y)];
        let to = [to_pixels(*to_x), to_pixels(*to_y)];
        let mut path = PathBuilder::new();
        path.move_to(from[0], from[1]);
        // tiny-skia does not draw a line of zero length, so draw a dot as a very short line.
        path.line_to(to[0] + if is_dot { 0.01 } else { 0.0 }, to[1]);
        if let Some(path) = path.finish() {
            let width = side * if is_dot { 0.03 } else { 0.018 };
            pixels.stroke_path(&path, &paint, &pen(width), Transform::identity(), None);
        }
    }
    let rgba = pixels.pixels().iter().flat_map(|pixel| {
        let color = pixel.demultiply();
        [color.red(), color.green(), color.blue(), color.alpha()]
    });
    RgbaImage::from_raw(size, size, rgba.collect()).expect("four bytes for each pixel")
}

fn fill_background(pixels: &mut Pixmap, side: f32) {
    let radius = side / 12.0;
    // Fill a smaller square, and stroke its outline with a round pen. The pen makes the corners
    // round.
    let inner = tiny_skia::Rect::from_ltrb(radius, radius, side - radius, side - radius);
    let Some(inner) = inner else { return };
    let path = PathBuilder::from_rect(inner);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(Color::from_rgba8(0x17, 0x1a, 0x1f, 255));
    let pen = Pen { width: 2.0 * radius, line_join: tiny_skia::LineJoin::Round, ..Pen::default() };
    pixels.fill_path(&path, &paint, tiny_skia::FillRule::Winding, Transform::identity(), None);
    pixels.stroke_path(&path, &paint, &pen, Transform::identity(), None);
}

fn side_rgb(side: Option<Side>) -> [u8; 3] {
    match side {
        Some(side) => side_color(side),
        None => [0xc8, 0xcd, 0xd6],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_have_the_colour_of_their_side_and_corners_are_round() {
        let stroke = |x: f32, side| Stroke { ends: [[x, 0.0], [x, 1.0]], side };
        let strokes = [
            stroke(0.0, Some(Side::Left)),
            stroke(1.0, Some(Side::Right)),
            Stroke { ends: [[0.5, 0.5]; 2], side: None },
        ];
        let picture = draw_strokes(&strokes, 100);
        assert_eq!(picture.get_pixel(0, 0).0[3], 0, "the corner is round");
        assert_eq!(picture.get_pixel(50, 2).0, [0x17, 0x1a, 0x1f, 255]);
        assert_eq!(picture.get_pixel(10, 50).0, [0x5a, 0xa9, 0xff, 255]);
        assert_eq!(picture.get_pixel(90, 50).0, [0xff, 0x7a, 0x90, 255]);
        assert_eq!(picture.get_pixel(50, 50).0, [0xc8, 0xcd, 0xd6, 255]);
    }
}
