//! Shapes of entities, items and blocks, made of coloured boxes, without anything of the game
//! and without an engine.
//!
//! | file | what it has |
//! |---|---|
//! | `shape` | boxes of colours, and their mesh |
//! | `colors` | a colour by name |
//! | `creatures` | figures of entities, and how they move |
//! | `items` | items, and how hands hold them |
//! | `blocks` | blocks by their states |
//! | `ground` | the ground that players walk on |

mod blocks;
mod colors;
mod creatures;
mod ground;
mod items;
mod shape;

pub use blocks::{shape_of as block_shape, toggled};
pub use colors::{color_of, opacity_of};
pub use creatures::{Creature, CreaturePart, CreatureState, Joint, creature_of, creature_or_box};
pub(crate) use creatures::{Kind, Nature, has_figure};
pub use ground::ground;
pub use items::{ItemFamily, held, item_shape};
pub use shape::{Rgb, Shape, ShapeBox, ShapeMesh, linear};
