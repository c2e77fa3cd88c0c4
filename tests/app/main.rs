//! Integration tests of the viewer: images without a window, and the plugins in another app.

mod capture;
