//! The data of a timeline, apart from painting: the positions of times, the rows, and the positions
//! or the density of their keys.
//!
//! A [`KeyIndex`] is made of a clip once, off the thread that draws; after that a frame costs what
//! the width of the screen costs, however many keys there are.
//!
//! | module | what it does |
//! | `axis` | the mapping of times to points; zooming and panning |
//! | `axis` | which times are shown where; zooming and panning |
//! | `folds` | long stretches without keys, and times without them |
//! | `tree` | groups, nodes and their curves as rows that fold |
//! | `counts` | how many keys there are before a time, in ever coarser steps |
//! | `index` | the keys of every row; which share theirs, none twice |
//! | `search` | searching times from about where something is |
//! | `points` | which times are in each point of an axis |
//! | `density` | the keys of a row on an axis: each, or how dense |
//! | `apart` | the separate ones among a few keys |
//! | `crowd` | keys too close to be distinguished: how dense they are |
//! | `glyph` | how curves run on either side of a key |
//! | `snap` | snapping a time to what is near |

mod apart;
mod axis;
mod counts;
mod crowd;
mod density;
mod folds;
mod glyph;
mod index;
mod points;
mod search;
mod snap;
mod tree;

pub use axis::{TimeAxis, Window};
pub use crowd::{DensitySpan, LEVELS};
pub use density::{Density, Mark};
pub use folds::{BAND, Folds, Gap};
pub use glyph::{Glyph, Half};
pub use index::KeyIndex;
pub use snap::{Snapped, Target, Targets, lone, snap};
pub use tree::{Item, ItemId, Kind, Tree};
