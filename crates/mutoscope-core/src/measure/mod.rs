//! Measurements of a clip, and data prepared for showing one.
//!
//! | module | what it does |
//! |---|---|
//! | [`checks`] | checks that run on every clip |
//! | [`compare`] | recordings compared with each other, and aligned |
//! | [`analysis`] | fixations, dwell, episodes, speed of joints |
//! | [`figure`] | proportions, palms, and the moving parts of a recording |
//! | [`trails`] | motion trails of joints |
//! | [`timeline`] | the rows of a timeline, and the positions of their keys |
//! | [`listing`] | a file row by row, and the positions of its keys |

pub mod analysis;
pub mod checks;
pub mod compare;
pub mod figure;
pub mod listing;
pub mod timeline;
pub mod trails;
