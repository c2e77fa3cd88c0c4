//! The models of characters: meshes (CMDL), skins (CSKR) and textures (TXTR).
//!
//! | file | what it does |
//! |---|---|
//! | `cmdl` | reads a model: its sections |
//! | `material` | its materials, and which texture is the base colour |
//! | `surface` | its surfaces: display lists, as triangles |
//! | `cskr` | reads a skin: groups of vertices and their bones |
//! | `txtr`, `blocks` | read a texture, and its blocks of pixels |
//! | `skinned` | makes a model that a skeleton wears, of all of these |

mod blocks;
mod cmdl;
mod cskr;
mod material;
mod skinned;
mod surface;
mod txtr;

pub use cmdl::Cmdl;
pub(super) use cmdl::is_model;
pub use cskr::{Cskr, SkinGroup};
pub use material::{Blending, Material, MaterialSet};
pub use skinned::{CharacterModel, PieceSource, assemble};
pub use surface::{Corner, Surface};
pub use txtr::{Texture, TextureFormat};
