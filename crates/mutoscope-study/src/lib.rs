//! Measures recordings for studies: labelled ranges, what gaze, hands and bodies do in them, and
//! reports.
//!
//! ```text
//! Clip ─▶ sampling on a Grid ─▶ signal: filters, derivatives ─▶ hands, gaze, body: events
//!                                                                      │ by range: Labels
//!                                                                      ▼
//!                                            report: JSON, tables, a page ◀─ Measures
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`labels`] | named ranges, in files of CSV, ELAN and Praat |
//! | [`signal`] | even times, filters, derivatives, spectra |
//! | [`hands`] | movements, smoothness, pinches |
//! | [`gaze`] | saccades, fixations, dwells |
//! | `body` | root motion, loops, feet |
//! | [`report`] | reports as JSON, tables and a page |
//! | `study` | all measures of one recording |
//! | [`verdict`] | whether a recording is usable, by checks and profiles |
//! | `quality` | loss, jerk, still stretches and clipped ends at a glance |
//! | `options`, `measures`, `range` | thresholds; measures by name; the samples and events of a range |
//! | `subjects`, `sampling` | which nodes are measured, and their samples |
//!
//! Every measure is computed on even times, in the viewer's space. A value that cannot be known is
//! `None` or NaN, never 0.
//!
//! ```
//! use mutoscope_core::{ReadOptions, decode, io::progress::Progress};
//! use mutoscope_study::{Request, study};
//!
//! let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
//! let clip = decode(bytes, &ReadOptions::default())?;
//! let study = study(&clip, &Request::default(), &mut Progress::default())?;
//! let path = study.ranges[0].measures.get("right_path_length_m").and_then(|number| number.value());
//! assert!(path > Some(0.1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod body;
pub mod gaze;
pub mod hands;
pub mod labels;
mod measures;
mod options;
mod quality;
mod range;
pub mod report;
mod sampling;
pub mod signal;
mod study;
mod subjects;
pub mod verdict;

pub use measures::{Measures, Number};
pub use options::StudyOptions;
pub use quality::{ClippedEnds, Quality, quality};
pub use study::{Events, Note, RangeMeasures, Request, Study, StudyError, study};

use mutoscope_core::diagnostics::Code;

/// The codes of diagnostics about label files and about motion.
pub const CODES: &[&[Code]] = &{
    let [hand, head, gaze, body, marker, time] = verdict::CODES;
    [labels::codes::CODES, hand, head, gaze, body, marker, time]
};
