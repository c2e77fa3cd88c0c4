//! Prepares motion recordings for showing. Computes numbers and meshes, and does not draw.
//!
//! | module | what it does |
//! |---|---|
//! | [`figure`] | proportions, palms, hand surfaces, and the moving parts of a recording |
//! | [`listing`] | a file row by row, and the positions of its keys |
//! | [`timeline`] | the rows of a timeline, and the positions of their keys |
//! | [`trails`] | motion trails of joints |
//!
//! ```
//! use mutoscope_core::{ReadOptions, decode};
//! use mutoscope_view::timeline::{KeyIndex, TimeAxis, TimeWindow};
//!
//! let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
//! let clip = decode(bytes, &ReadOptions::default())?;
//! let index = KeyIndex::new(&clip, &clip.sample_times());
//! let axis = TimeAxis::new(TimeWindow::around(clip.span), 0.0, 800.0); // points
//! let density = index.density_of_all(&clip, &axis);
//! assert!(!density.runs.is_empty(), "most keys are too close to draw one by one");
//! # Ok::<(), mutoscope_core::Failure>(())
//! ```

pub mod figure;
pub mod listing;
pub mod timeline;
pub mod trails;
