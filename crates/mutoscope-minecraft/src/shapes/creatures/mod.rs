//! Jointed figures of entities, made of boxes.
//!
//! | file | what it has |
//! |---|---|
//! | `figure` | the parts of figures, and their joints |
//! | `kinds` | the kinds of entities, with their sizes, figures and colours |
//! | `table` | the figure of an entity |
//! | `bipeds`, `folk`, `quadrupeds`, `wild`, `small`, `swimmers`, `blocky`, `vehicles`, `projectiles` | the figures |
//! | `motion` | the pose of the parts |
//!
//! Positions and sizes of boxes are in sixteenths of a block. The feet are at y = 0, −Z is forwards
//! and +X is right. The figures imitate those of the game from memory and are simpler. Most of them
//! are scaled to the height of their kind.

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
pub use table::{creature_for_entity, creature_or_box};
