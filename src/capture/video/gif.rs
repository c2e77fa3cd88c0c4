//! Animated GIFs.

use std::io::{self, Write};

use gif::{Encoder, Frame, Repeat};
use image::RgbaImage;

/// An animated GIF that is being written. It loops.
pub(super) struct GifWriter<W: Write> {
    encoder: Encoder<W>,
    rate: f64,
    count: u32,
}

impl<W: Write> GifWriter<W> {
    /// Begins one of the size of `picture`, with `rate` images a second.
    ///
    /// # Errors
    /// If it cannot be written, or is larger than a GIF can be.
    pub(super) fn begin(out: W, picture: &RgbaImage, rate: f64) -> io::Result<Self> {
        let [width, height] = size(picture)?;
        let mut encoder = Encoder::new(out, width, height, &[]).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        Ok(Self { encoder, rate, count: 0 })
    }

    /// Adds an image, which is as large as the first.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, picture: RgbaImage) -> io::Result<()> {
        let [width, height] = size(&picture)?;
        let mut pixels = picture.into_raw();
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, 10);
        frame.delay = self.hundredths();
        self.count += 1;
        self.encoder.write_frame(&frame).map_err(io::Error::other)
    }

    /// How long the next image is shown, in hundredths of a second: not all of them are the same, but
    /// none is early or late by more than half a hundredth.
    fn hundredths(&self) -> u16 {
        let until = |count: u32| (f64::from(count) * 100.0 / self.rate).round();
        (until(self.count + 1) - until(self.count)) as u16
    }

    /// Completes the GIF and returns its writer.
    ///
    /// # Errors
    /// If it cannot be completed.
    pub(super) fn finish(self) -> io::Result<W> {
        let mut out = self.encoder.into_inner().map_err(io::Error::other)?;
        out.flush()?;
        Ok(out)
    }
}

/// Width and height.
fn size(picture: &RgbaImage) -> io::Result<[u16; 2]> {
    let side = |side: u32| u16::try_from(side).map_err(io::Error::other);
    Ok([side(picture.width())?, side(picture.height())?])
}
