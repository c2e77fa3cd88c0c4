//! Entities as jointed figures of boxes, by kind.
//!
//! | file | what it has |
//! |---|---|
//! | `figure` | what figures are made of |
//! | `kinds` | a row for each kind: its size, its figure, its colours |
//! | `table` | the figure of an entity |
//! | `bipeds`, `folk`, `quadrupeds`, `wild`, `small`, `swimmers`, `blocky`, `vehicles`, `projectiles` | the figures |
//! | `motion` | how their parts are turned |
//!
//! Places and sizes of boxes are sixteenths of a block, feet at y = 0, −Z ahead, right at +X. They are
//! like those of the game from memory, and simpler; every figure is scaled to the height of its kind.

mod bipeds;
mod blocky;
mod figure;
mod folk;
mod kinds;
mod motion;
mod projectiles;
mod quadrupeds;
mod small;
mod swimmers;
mod table;
#[cfg(test)]
mod tests;
mod vehicles;
mod wild;

pub use figure::{Creature, CreaturePart, Joint};
pub(crate) use kinds::{Kind, Nature};
pub use motion::CreatureState;
pub(crate) use table::has_figure;
pub use table::{creature_of, creature_or_box};
