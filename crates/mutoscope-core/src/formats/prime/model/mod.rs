//! The models of characters: meshes (CMDL), skins (CSKR) and textures (TXTR).
//!
//! | file | contents |
//! |---|---|
//! | `cmdl` | reads a model and its sections |
//! | `material` | reads materials, and chooses the base colour texture |
//! | `surface` | turns the display lists of surfaces into triangles |
//! | `cskr` | reads a skin: groups of vertices and their bones |
//! | `txtr`, `blocks` | read a texture and its blocks of pixels |
//! | `skin_fit` | checks that a skin belongs to a model and to a skeleton |
//! | `skinned` | assembles all of these into a model on a skeleton |

mod blocks;
mod cmdl;
mod cskr;
mod material;
mod skin_fit;
mod skinned;
mod surface;
mod txtr;

pub use cmdl::Cmdl;
pub(super) use cmdl::is_model;
pub use cskr::{Cskr, SkinGroup};
pub use material::{Blending, Material, MaterialSet};
pub(super) use skin_fit::{PositionCounts, report_missing_bones};
pub use skinned::{CharacterModel, PieceSource, assemble};
pub use surface::{Corner, Surface};
pub use txtr::{Texture, TextureFormat};
