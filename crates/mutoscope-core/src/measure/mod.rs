//! What is measured of a clip, and what is prepared of one to be shown.
//!
//! | module | what it does |
//! |---|---|
//! | [`checks`] | checks that run on every clip |
//! | [`compare`] | recordings compared with each other, and aligned |
//! | [`analysis`] | fixations, dwell, episodes, speed of joints |
//! | [`figure`] | proportions, palms, and what of a recording moves |
//! | [`trails`] | where joints have been and will be |
//! | [`timeline`] | which rows a timeline has, and where their keys are on it |
//! | [`listing`] | a file row by row, and where its keys are |

pub mod analysis;
pub mod checks;
pub mod compare;
pub mod figure;
pub mod listing;
pub mod timeline;
pub mod trails;
