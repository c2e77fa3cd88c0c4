//! Bounds-checked readers that know where they are.

mod cursor;

pub use cursor::Cursor;
