//! Resonite's animations: AnimJ, which people and scripts write, and AnimX, which Resonite stores.
//!
//! `docs/formats/animj.md` describes both as they are, how their curves run, and what is assumed.
//!
//! They say the same in two ways: [`animj::decode`] reads JSON and [`animx::decode`] bytes into one
//! [`Animation`], which says what the file says. `checks` tells what Resonite would refuse or play
//! otherwise, `curves` turns keys into curves, `convert` makes the clip, and `bindings` tells which
//! fields Resonite would drive by it.

pub mod animj;
pub mod animx;
mod annotations;
mod bindings;
mod checks;
mod convert;
mod curves;
mod document;
mod fields;
mod oddities;
mod types;

pub use bindings::{Binding, Unbound, bindings};
pub use document::{
    Animation, Columns, Interpolation, Interpolations, Keys, Tangents, Times, Track, TrackType,
};
pub use types::{Scalar, Shape, TYPES, TypeInfo};
