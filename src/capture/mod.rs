//! Pictures without a window.
