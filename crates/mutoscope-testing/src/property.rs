//! Property tests with a thousand random inputs. Every run uses the same seed.

/// A random number generator with a fixed seed.
pub struct RandomInput(fastrand::Rng);

impl RandomInput {
    /// Returns a random number from `low` to `high`.
    pub fn in_range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.f64()
    }

    /// Returns a random integer below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }
}

/// Calls `property` a thousand times.
pub fn check_property(property: impl Fn(&mut RandomInput)) {
    check_property_times(1000, property);
}

/// Calls `property` the given number of times. Use it if a thousand calls would take too long.
pub fn check_property_times(times: usize, property: impl Fn(&mut RandomInput)) {
    let mut chance = RandomInput(fastrand::Rng::with_seed(7));
    (0..times).for_each(|_| property(&mut chance));
}
