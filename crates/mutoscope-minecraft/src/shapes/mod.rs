//! Shapes of entities, items and blocks, made of coloured boxes. They contain no assets of the game
//! and need no engine.
//!
//! | file | what it has |
//! |---|---|
//! | `shape` | coloured boxes, and their mesh |
//! | `colors` | the colour of a name |
//! | `creatures` | figures of entities, and their motion |
//! | `items` | items, and how hands hold them |
//! | `blocks` | blocks by their states |
//! | `ground` | the ground that players walk on |

mod blocks;
mod colors;
mod creatures;
mod ground;
mod items;
mod shape;

pub use blocks::{block_after_clicks, block_shape};
pub use colors::{color_of, opacity_of};
pub use creatures::{
    Creature, CreaturePart, CreatureState, Joint, creature_for_entity, creature_or_box,
};
pub(crate) use creatures::{Kind, Nature, has_figure};
pub use ground::ground_mesh;
pub use items::{ItemFamily, held_item_transform, item_shape};
pub use shape::{Rgb, Shape, ShapeBox, ShapeMesh, linear_rgba};
