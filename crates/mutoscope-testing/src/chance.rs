//! Properties that hold whatever the numbers: tried on a thousand, the same in every run.

/// Random numbers.
pub struct Chance(fastrand::Rng);

impl Chance {
    /// A number from `low` to `high`.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.f64()
    }

    /// A whole number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }
}

/// Calls `property` a thousand times.
pub fn always(property: impl Fn(&mut Chance)) {
    some(1000, property);
}

/// Calls `property` this many times, where a thousand would take too long.
pub fn some(times: usize, property: impl Fn(&mut Chance)) {
    let mut chance = Chance(fastrand::Rng::with_seed(7));
    (0..times).for_each(|_| property(&mut chance));
}
