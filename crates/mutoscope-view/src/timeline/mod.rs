//! Prepares the data of a timeline: the positions of times, the rows, and the positions or
//! densities of their keys. Painting is done by the viewer.
//!
//! A [`KeyIndex`] is built once per clip, outside of the drawing thread. After that, the work per
//! frame depends on the width of the screen, and not on the number of keys.
//!
//! | module | what it does |
//! |---|---|
//! | `axis` | maps times to points; zooms and pans |
//! | `folds` | folds long gaps without keys |
//! | `tree` | groups, nodes and their curves as a tree of rows |
//! | `counts` | counts the keys before a time, in ever coarser buckets |
//! | `index` | indexes the keys of every row |
//! | `search` | searches times outwards from a guess |
//! | `points` | maps times to the single points of an axis |
//! | `density` | finds the keys of a row on an axis, one by one or by density |
//! | `isolated_keys` | finds keys that are drawn one by one |
//! | `point_density` | computes the density of other keys |
//! | `glyph` | determines the shape of curves on either side of a key |
//! | `snap` | snaps a time to a near target |

mod axis;
mod counts;
mod density;
mod folds;
mod glyph;
mod index;
mod isolated_keys;
mod point_density;
mod points;
mod search;
mod snap;
mod tree;

pub use axis::{TimeAxis, TimeWindow};
pub use density::{Density, KeyMark};
pub use folds::{FOLD_WIDTH, Folds, Gap};
pub use glyph::{Glyph, GlyphSide};
pub use index::KeyIndex;
pub use point_density::{DENSITY_LEVELS, DensitySpan};
pub use snap::{SnapTarget, SnapTargets, Snapped, nearest_isolated, snap};
pub use tree::{Item, ItemId, ItemKind, Tree};
