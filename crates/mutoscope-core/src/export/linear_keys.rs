//! Keys with f32 times for targets whose curves are either linear or stepped throughout.

use super::keyed_curve::{Interpolate, Key, SegmentKind};

/// The keys of a curve for a target with f32 times and either linear or held keys, in seconds from
/// the start of the file.
pub(super) struct ChannelKeys<T> {
    /// Ascending and unique.
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<T>,
    pub(super) is_stepped: bool,
}

impl<T: Interpolate> ChannelKeys<T> {
    pub(super) fn value_at(&self, time: f32) -> T {
        let next = self.times.partition_point(|known| *known <= time);
        let Some(before) = next.checked_sub(1) else { return self.values[0] };
        let Some(&after) = self.values.get(next).filter(|_| !self.is_stepped) else {
            return self.values[before];
        };
        let length = f64::from(self.times[next]) - f64::from(self.times[before]);
        let part = (f64::from(time) - f64::from(self.times[before])) / length;
        self.values[before].interpolate(after, part)
    }

    /// Converts keys for a target that interpolates linearly. A key that holds its value gets a
    /// second key with this value directly before the next key.
    pub(super) fn linear(keys: &[Key<T>], from: f64) -> Self {
        Self::new(keys, false, from)
    }

    /// Converts keys for a target that holds each value until the next key.
    pub(super) fn stepped(keys: &[Key<T>], from: f64) -> Self {
        Self::new(keys, true, from)
    }

    fn new(keys: &[Key<T>], is_stepped: bool, from: f64) -> Self {
        let mut times: Vec<f32> = Vec::with_capacity(keys.len());
        let mut values: Vec<T> = Vec::with_capacity(keys.len());
        let since_start = |key: &Key<T>| (key.time - from) as f32;
        let mut add = |time: f32, value: T| {
            // If f32 cannot distinguish two times, keep the later key.
            if times.last().is_some_and(|&last| time <= last) {
                times.pop();
                values.pop();
            }
            times.push(time.max(times.last().map_or(0.0, |last: &f32| last.next_up())));
            values.push(value);
        };
        for (index, key) in keys.iter().enumerate() {
            let here = since_start(key);
            let next =
                keys.get(index + 1).filter(|_| !is_stepped && key.segment == SegmentKind::Hold);
            match next.map(|next| since_start(next).next_down()) {
                Some(before_next) if before_next > here => {
                    add(here, key.value);
                    add(before_next, key.value);
                }
                // The next key would replace this key, so that the value would change too early. Move
                // this key one f32 step back.
                Some(before_next) if before_next < here && before_next >= 0.0 => {
                    add(before_next, key.value);
                }
                _ => add(here, key.value),
            }
        }
        Self { times, values, is_stepped }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn values_between_keys_are_linear_unless_stepped() {
        let key =
            |time: f64, x: f64| Key { time, value: DVec3::X * x, segment: SegmentKind::Linear };
        let keys = [key(1.0, 2.0), key(1.5, 6.0), key(4.0, 1.0)];
        let values = |keys: ChannelKeys<DVec3>| {
            [-1.0, 0.0, 0.125, 0.5, 1.75, 3.0, 9.0].map(|time| keys.value_at(time).x)
        };
        assert_eq!(values(ChannelKeys::linear(&keys, 1.0)), [2.0, 2.0, 3.0, 6.0, 3.5, 1.0, 1.0]);
        assert_eq!(values(ChannelKeys::stepped(&keys, 1.0)), [2.0, 2.0, 2.0, 6.0, 6.0, 1.0, 1.0]);
    }
}
