//! Bounds-checked readers that know where they are.

mod bits;
mod cursor;

pub use bits::BitReader;
pub use cursor::Cursor;
