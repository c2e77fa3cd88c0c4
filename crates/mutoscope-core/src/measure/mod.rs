//! Measures clips.
//!
//! | module | what it does |
//! |---|---|
//! | [`checks`] | checks that run on every clip |
//! | [`compare`] | comparison and alignment of recordings |
//! | [`Measurement`] | distances, heights, angles and speeds, as curves and signals |
//! | [`analysis`] | fixations, dwells, episodes, speeds of joints |

pub mod analysis;
pub mod checks;
pub mod compare;
mod measurement;

pub use measurement::Measurement;
