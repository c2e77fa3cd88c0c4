//! Signals at even times: the grid, filters, derivatives, spectra, and statistics.
//!
//! | file | what it does |
//! |---|---|
//! | `grid` | evenly spaced sample times, and the samples within a range |
//! | `rate` | the rate of a recording, and the source of the rate |
//! | `stretch` | runs of consecutive samples |
//! | `filter` | a low-pass Butterworth filter without delay |
//! | `derivative` | central differences |
//! | `spectrum` | power spectral density by Welch's method |
//! | `peaks` | local maxima by their prominence |
//! | `hull` | the volume of a convex hull |
//! | `correlation` | the correlation of two signals at a lag |
//! | `statistics` | medians, means, standard deviations, line fits |
//! | `angle` | angles between directions and between rotations |

pub(crate) mod angle;
pub(crate) mod correlation;
pub(crate) mod derivative;
pub(crate) mod filter;
pub(crate) mod grid;
pub(crate) mod hull;
pub(crate) mod peaks;
pub(crate) mod rate;
pub(crate) mod spectrum;
pub(crate) mod statistics;
pub(crate) mod stretch;

pub use derivative::gradient;
pub use filter::LowPass;
pub use grid::Grid;
pub use hull::hull_volume;
pub use rate::{Rate, RateSource};
