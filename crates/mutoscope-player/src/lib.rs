//! Motion recordings as web pages that play them: one file, no network.
//!
//! | module | what it does |
//! |---|---|
//! | `page` | a page of one or more recordings: what is shown, and writing it |
//! | `pack` | recordings as blocks of compressed bytes, within stated bounds |
//! | `html` | the page around these: its policy, the still picture, the table of events |
//! | `embedded` | a recording for pages of other content, such as reports |
//! | `still` | the still picture, an SVG drawn from one pose |
//! | `full` | one file with the whole viewer and what it opens |
//! | `script` | the player's modules joined to one script |
//! | `player/` | the player itself: ES modules, WebGL2, nothing else; also `<mutoscope-player>` for other pages |
//!
//! [`register`] adds the targets `html` and `html-exact` to those of [`mutoscope_core::export`]. A [`Page`] can have
//! several recordings, and say what is shown first:
//!
//! ```
//! use std::ops::ControlFlow;
//! use mutoscope_core::{export::ExportOptions, formats::{self, DecodeRequest}};
//! use mutoscope_player::{Page, PageRecording, PageView};
//!
//! # let bvh = "HIERARCHY\nROOT hips\n{ OFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
//! # End Site\n{ OFFSET 0 10 0\n} }\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n90 0 0\n";
//! let clip = formats::decode(bvh.as_bytes(), &DecodeRequest::default().named("take.bvh"))?;
//! let options = ExportOptions { title: "take".to_owned(), ..ExportOptions::default() };
//! let page = Page {
//!     view: PageView { at: Some(0.25), ..PageView::default() },
//!     ..Page::new("Two takes", vec![
//!         PageRecording::new(&clip, &options),
//!         PageRecording { offset: 0.1, tint: Some([255, 180, 84]), ..PageRecording::new(&clip, &options) },
//!     ])
//! };
//! let mut html = Vec::new();
//! let report = page.write(&mut html, &mut |_| ControlFlow::Continue(()))?;
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
pub use page::{Page, PageCamera, PageRecording, PageView, Selected, bounds_of};
pub use script::{element_script, player_script, player_size};

use mutoscope_core::export::{self, ExportTarget};

static TARGETS: [ExportTarget; 2] = [page::TARGET, page::EXACT];

/// Registers the targets, so that recordings can be exported as pages.
pub fn register() {
    export::register(&TARGETS);
}
