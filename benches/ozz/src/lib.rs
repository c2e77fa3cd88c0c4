//! Recordings as ozz has them at run time.
//!
//! ozz's tools that make animations are not in Rust; its runtime reads what they write. So
//! [`archive`] writes such archives, and ozz reads them back.

mod archive;
mod take;

pub use take::{Take, is_near};
