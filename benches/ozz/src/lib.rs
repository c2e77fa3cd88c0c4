//! Recordings converted to ozz's runtime format.
//!
//! The tools of ozz that create animations are not available in Rust. Its runtime reads archives,
//! so [`archive`] writes archives that ozz then reads.

mod animation;
mod archive;

pub use animation::{OzzAnimation, is_near};
