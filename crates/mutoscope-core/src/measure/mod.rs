//! Measures clips, and prepares data for showing them.
//!
//! | module | what it does |
//! |---|---|
//! | [`checks`] | checks that run on every clip |
//! | [`compare`] | comparison and alignment of recordings |
//! | [`analysis`] | fixations, dwells, episodes, speeds of joints |
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
