//! Pictures without a window.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no driver")]
pub struct NoDriver;
pub fn probe_driver() -> Result<(), NoDriver> {
    Ok(())
}
