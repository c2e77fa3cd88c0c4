//! Images without a window.
//!
//! A [`Studio`] is a Bevy app with the viewer's stage in it and no window. It needs a Vulkan
//! driver, of a graphics card or in software, and nothing else. In a browser it draws with the renderer
//! of the page.
//!
//! ```no_run
//! use mutoscope::{asset::ClipAsset, capture::Studio};
//! use mutoscope_core::formats::{self, DecodeRequest};
//!
//! let clip = formats::decode(&std::fs::read("take.bin")?, &DecodeRequest::default().named("take.bin"))?;
//! let mut studio = Studio::new([320, 180])?;
//! studio.open(ClipAsset::new(clip));
//! studio.picture(1.5)?.save("take.png")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `studio` | poses in, images out |
//! | `renderer` | a renderer without a window, or one sentence on why there is none |
//! | `moment` | which times are worth an image |
//! | `sheet`, `text` | several images on one sheet, with the time under each |
//! | `burn_in` | title, timecode and captions in images |
//! | `file`, `video`, `ffmpeg` | PNG files, GIFs, MP4s and folders of frames that are whole or not there |

mod burn_in;
#[cfg(not(target_family = "wasm"))]
mod ffmpeg;
mod file;
mod moment;
mod renderer;
#[cfg(not(target_family = "wasm"))]
mod sheet;
mod studio;
mod text;
mod video;

pub use burn_in::BurnIn;
pub use file::save_png;
pub use moment::{spread, telling_moment};
#[cfg(target_family = "wasm")]
pub use renderer::lend_renderer;
pub use studio::Studio;
pub use text::time_label;
pub use video::{Video, video_times};
#[cfg(not(target_family = "wasm"))]
pub use {
    renderer::{NoWindow, with_driver},
    sheet::contact_sheet,
};

/// There is nothing to draw with: no driver, or one that is too old.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", NO_DRIVER)]
pub struct NoDriver;

#[cfg(windows)]
const NO_DRIVER: &str = "no driver of Direct3D 12 or Vulkan was found that can be used: install or update the driver \
    of the graphics card. `mutoscope info`, `sample` and `convert` need none";
#[cfg(not(windows))]
const NO_DRIVER: &str = "no Vulkan driver was found: install or update the one of the graphics card, or one that draws \
    in software (on Debian and Ubuntu the packages libvulkan1 and mesa-vulkan-drivers)";

/// Why there is no image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CaptureError {
    /// There is nothing to draw with.
    #[error(transparent)]
    NoDriver(#[from] NoDriver),
    /// The driver cannot draw images this large.
    #[error("an image of {0}×{1} pixels is too large: this driver draws at most {2} each way")]
    TooLarge(u32, u32, u32),
    /// The driver drew nothing, although it was given time.
    #[error("the Vulkan driver accepted the image and never delivered it")]
    NoPicture,
}
