//! Writes animated GIFs.

use std::io::{self, Write};

use gif::{Encoder, Frame, Repeat};
use image::RgbaImage;

pub(super) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    rate: f64,
    count: u32,
}

impl<W: Write> GifWriter<W> {
    /// Begins a GIF of the size of `picture`, with `rate` images per second.
    ///
    /// # Errors
    /// If the GIF cannot be written, or if a side is longer than 65,535 pixels.
    pub(super) fn begin(out: W, picture: &RgbaImage, rate: f64) -> io::Result<Self> {
        let [width, height] = gif_size(picture)?;
        let mut encoder = Encoder::new(out, width, height, &[]).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        Ok(Self { encoder, rate, count: 0 })
    }

    pub(super) fn add(&mut self, picture: RgbaImage) -> io::Result<()> {
        let [width, height] = gif_size(&picture)?;
        let mut pixels = picture.into_raw();
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, 10);
        frame.delay = self.next_delay_cs();
        self.count += 1;
        self.encoder.write_frame(&frame).map_err(io::Error::other)
    }

    /// Returns the display time of the next image, in hundredths of a second. The display times are
    /// rounded so that each image begins at most half a hundredth early or late.
    fn next_delay_cs(&self) -> u16 {
        let end_of = |count: u32| (f64::from(count) * 100.0 / self.rate).round();
        (end_of(self.count + 1) - end_of(self.count)) as u16
    }

    pub(super) fn finish(self) -> io::Result<W> {
        let mut out = self.encoder.into_inner().map_err(io::Error::other)?;
        out.flush()?;
        Ok(out)
    }
}

fn gif_size(picture: &RgbaImage) -> io::Result<[u16; 2]> {
    let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
    Ok([side(picture.width())?, side(picture.height())?])
}
