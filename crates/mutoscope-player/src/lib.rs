//! Writes motion recordings as web pages that play them: a single file, no network.
//!
//! | module | what it does |
//! |---|---|
//! | `page` | describes a page of recordings and its initial view, and writes it |
//! | `pack` | packs recordings into blocks of compressed bytes, within stated bounds |
//! | `html` | writes the page around the blocks: policy, still image, table of events |
//! | `embedded` | packs a recording for other pages, such as reports |
//! | `still` | draws the still image, an SVG of one pose |
//! | `full` | writes a single file with the whole viewer and the files that it opens |
//! | `script` | bundles the player's modules into one script |
//! | `player/` | the player itself: ES modules and WebGL2, no dependencies; also `<mutoscope-player>` for other pages |
//!
//! [`targets`] returns the targets `html` and `html-exact`. A [`Page`] can hold several recordings and set the initial view:
//!
//! ```
//! use mutoscope_core::{ReadOptions, SourceFile, decode, export::{ExportOptions, Progress}};
//! use mutoscope_player::{Page, PageRecording, PageView};
//!
//! # let bvh = "HIERARCHY\nROOT hips\n{ OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
//! # End Site\n{ OFFSET 0 10 0\n} }\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";
//! let clip = decode(SourceFile::new("take.bvh", bvh.as_bytes()), &ReadOptions::default())?;
//! let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
//! let page = Page {
//!     view: PageView { at: Some(0.25), ..PageView::default() },
//!     ..Page::new("Two takes", vec![
//!         PageRecording::new(&clip, &options),
//!         PageRecording { offset: 0.1, tint: Some([255, 180, 84]), ..PageRecording::new(&clip, &options) },
//!     ])
//! };
//! let mut html = Vec::new();
//! let report = page.write(&mut html, &mut Progress::default())?;
//! assert!(html.starts_with(b"<!doctype html>"));
//! assert!(report.remarks().iter().any(|remark| remark.message.contains("within 0.100 mm")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod embedded;
mod full;
mod html;
mod pack;
mod page;
mod script;
mod still;

pub use embedded::Embedded;
pub use full::{FullPage, ViewerPage};
pub use pack::{Bounds, Pack};
pub use page::{Page, PageCamera, PageRecording, PageView, SelectedNode, bounds_for_target};
pub use script::{element_script, player_script, player_size};

use mutoscope_core::export::ExportTarget;

static TARGETS: [ExportTarget; 2] = [page::TARGET, page::EXACT_TARGET];

/// Returns the targets `html` and `html-exact`, which export recordings as pages.
pub fn targets() -> &'static [ExportTarget] {
    &TARGETS
}
