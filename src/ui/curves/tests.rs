//! The curve view under the pointer.
