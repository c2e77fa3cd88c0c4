//! Renders images without a window.
//!
//! A [`Studio`] is a Bevy app that contains the viewer's stage and has no window. It only needs a
//! graphics driver, which may be a software renderer. In a browser it uses the renderer of the
//! page.
//!
//! ```no_run
//! use bevy_mutoscope::ClipAsset;
//! use mutoscope::capture::Studio;
//! use mutoscope_core::{ReadOptions, SourceFile, decode};
//!
//! let clip = decode(SourceFile::new("take.bin", &std::fs::read("take.bin")?), &ReadOptions::default())?;
//! let mut studio = Studio::new([320, 180])?;
//! studio.open(ClipAsset::new(clip));
//! studio.render_image(1.5)?.save("take.png")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | purpose |
//! |---|---|
//! | `studio` | renders a recording at a given time |
//! | `renderer` | creates a renderer without a window, or reports in one sentence why it cannot |
//! | `image_times` | chooses the times of images |
//! | `sheet`, `text` | draw several images on one sheet, with the time under each |
//! | `burn_in` | draws title, timecode and captions into images |
//! | `file`, `video`, `ffmpeg` | write PNG files, GIFs, MP4s and folders of frames atomically |

mod burn_in;
#[cfg(not(target_family = "wasm"))]
mod ffmpeg;
mod file;
mod image_times;
mod renderer;
#[cfg(not(target_family = "wasm"))]
mod sheet;
mod studio;
mod text;
mod video;

pub use burn_in::BurnIn;
pub use file::save_png;
pub use image_times::{evenly_spaced_times, representative_time};
#[cfg(target_family = "wasm")]
pub use renderer::share_renderer;
pub use studio::Studio;
pub use text::time_label;
pub use video::{Video, video_times};
#[cfg(not(target_family = "wasm"))]
pub use {
    renderer::{WindowError, catch_window_errors},
    sheet::contact_sheet,
};

/// The error for a missing or outdated graphics driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", NO_DRIVER)]
pub struct NoDriver;

#[cfg(windows)]
const NO_DRIVER: &str = "no usable Direct3D 12 or Vulkan driver was found. Install or update the driver of the \
    graphics card. `mutoscope info`, `sample` and `convert` work without one";
#[cfg(not(windows))]
const NO_DRIVER: &str = "no Vulkan driver was found. Install or update the driver of the graphics card, or install \
    a software renderer (on Debian and Ubuntu the packages libvulkan1 and mesa-vulkan-drivers)";

/// A reason why no image was rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// No usable graphics driver was found.
    #[error(transparent)]
    NoDriver(#[from] NoDriver),
    /// The driver cannot render images of this size: width, height and the driver's limit, in
    /// pixels.
    #[error(
        "an image of {0}×{1} pixels is too large for this graphics driver; nothing rendered. Choose at most {2} pixels per side"
    )]
    TooLarge(u32, u32, u32),
    /// The driver did not deliver an image within [`Studio`]'s limit of frames.
    #[error("the graphics driver accepted the image but never delivered it")]
    ImageNotDelivered,
}
