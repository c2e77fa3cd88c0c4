//! Resonite's animations: AnimJ, which people and scripts write, and AnimX, which Resonite stores.
//!
//! `docs/formats/animj.md` describes both formats, their curves and our assumptions.
//!
//! Both formats store the same data. [`animj::decode`] reads JSON and [`animx::decode`] reads bytes
//! into an [`Animation`]. `checks` reports what Resonite would reject or play differently. `curves`
//! turns keys into curves, `convert` makes the clip, and `bindings` finds the fields that Resonite
//! would drive.

pub mod animj;
pub mod animx;
mod annotations;
mod bindings;
mod checks;
pub(crate) mod codes;
mod convert;
mod curves;
mod document;
mod fields;
mod limiter;
mod types;

pub use bindings::{Binding, Unbound, bindings};
pub use document::{
    Animation, Columns, Interpolation, Interpolations, Keys, Tangents, Times, Track, TrackType,
};
pub use types::{Scalar, Shape, TYPES, TypeInfo};
