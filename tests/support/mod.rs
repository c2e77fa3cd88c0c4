//! What several test binaries and the benches share.

pub(crate) mod chance;
pub(crate) mod fixtures;
pub(crate) mod mcmocap;
pub(crate) mod prime;
pub(crate) mod recording;
pub(crate) mod scaling;
#[cfg(unix)]
pub(crate) mod signals;
