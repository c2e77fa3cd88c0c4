//! Fixations of a gaze on one place.
//!
//! Both algorithms are those of Salvucci and Goldberg, *Identifying fixations and saccades in eye-tracking
//! protocols* (2000), with angles in place of pixels.

use std::{f64::consts::PI, ops::Range};

use glam::DVec3;

use super::GazeSample;

const DEGREE: f64 = PI / 180.0;

/// A fixation of a gaze on one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixation {
    /// The time of its first sample, in seconds.
    pub start: f64,
    /// The time of its last sample, in seconds.
    pub end: f64,
    /// The mean direction, of length 1.
    pub direction: DVec3,
    /// The mean origin of the gaze, in metres.
    pub origin: DVec3,
    /// Its samples.
    pub samples: Range<usize>,
}

/// The thresholds of fixations by dispersion (I-DT).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DispersionOptions {
    /// The maximum dispersion: horizontal range plus vertical range of directions, in radians.
    pub dispersion: f64,
    /// The minimum duration, in seconds.
    pub duration: f64,
}

impl Default for DispersionOptions {
    /// 1° and 100 ms.
    fn default() -> Self {
        Self { dispersion: DEGREE, duration: 0.1 }
    }
}

/// The thresholds of fixations by velocity (I-VT).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityOptions {
    /// The maximum angular velocity, in radians per second.
    pub velocity: f64,
    /// The minimum duration, in seconds.
    pub duration: f64,
    /// The maximum gap between fixations that are merged, in seconds.
    pub merged_within: f64,
    /// The maximum angle between fixations that are merged, in radians.
    pub merged_angle: f64,
}

impl Default for VelocityOptions {
    /// 30°/s and 60 ms; merged within 75 ms and 0.5°.
    fn default() -> Self {
        Self {
            velocity: 30.0 * DEGREE,
            duration: 0.06,
            merged_within: 0.075,
            merged_angle: 0.5 * DEGREE,
        }
    }
}

/// The fixations among `samples`, which are in the order of time: as long as the directions stay within
/// a dispersion (I-DT). A sample without a ray ends a fixation.
pub fn fixations_by_dispersion(
    samples: &[GazeSample],
    options: &DispersionOptions,
) -> Vec<Fixation> {
    let mut fixations = Vec::new();
    let mut start = 0;
    while start < samples.len() {
        match longest_within(samples, start, options) {
            Some(end) => {
                fixations.extend(Fixation::of(samples, start..end));
                start = end;
            }
            None => start += 1,
        }
    }
    fixations
}

/// The end of the longest run of samples from `start` that stays within the dispersion; `None` if it is
/// too short.
fn longest_within(
    samples: &[GazeSample],
    start: usize,
    options: &DispersionOptions,
) -> Option<usize> {
    let first = samples[start].ray?.direction;
    let mut spread = Spread::around(first);
    let within = samples[start..].iter().take_while(|sample| {
        sample.ray.is_some_and(|ray| spread.add(ray.direction) <= options.dispersion)
    });
    let end = start + within.count();
    is_long_enough(samples, &(start..end), options.duration).then_some(end)
}

/// Whether samples last at least this many seconds, up to rounding.
fn is_long_enough(samples: &[GazeSample], range: &Range<usize>, duration: f64) -> bool {
    const ROUNDING: f64 = 1e-9;
    let (first, last) = (&samples[range.start], &samples[range.end.max(1) - 1]);
    !range.is_empty() && last.time - first.time >= duration - ROUNDING
}

/// The ranges of directions relative to the first of them, so that no pole is near.
struct Spread {
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    min: [f64; 2],
    max: [f64; 2],
}

impl Spread {
    fn around(forward: DVec3) -> Self {
        // Y is up, unless the ray itself is vertical.
        let upward = if forward.y.abs() < 0.99 { DVec3::Y } else { DVec3::Z };
        let right = forward.cross(upward).normalize();
        let up = right.cross(forward);
        Self { forward, right, up, min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] }
    }

    /// The dispersion with one direction more, in radians.
    fn add(&mut self, direction: DVec3) -> f64 {
        let yaw = direction.dot(self.right).atan2(direction.dot(self.forward));
        let pitch = direction.dot(self.up).clamp(-1.0, 1.0).asin();
        let mut dispersion = 0.0;
        for (axis, angle) in [yaw, pitch].into_iter().enumerate() {
            self.min[axis] = self.min[axis].min(angle);
            self.max[axis] = self.max[axis].max(angle);
            dispersion += self.max[axis] - self.min[axis];
        }
        dispersion
    }
}

/// The fixations among `samples`, which are in the order of time: as long as the gaze turns slowly from
/// sample to sample (I-VT). A sample without a ray ends a fixation; those close to each other are
/// merged, then those that are too short are dropped.
pub fn fixations_by_velocity(samples: &[GazeSample], options: &VelocityOptions) -> Vec<Fixation> {
    let mut merged: Vec<Fixation> = Vec::new();
    for range in slow_stretches(samples, options.velocity) {
        let Some(next) = Fixation::of(samples, range) else { continue };
        match merged.last_mut() {
            Some(last) if last.is_continued_by(&next, options) => {
                let range = last.samples.start..next.samples.end;
                *last = Fixation::of(samples, range).unwrap_or(next);
            }
            _ => merged.push(next),
        }
    }
    merged.retain(|one| is_long_enough(samples, &one.samples, options.duration));
    merged
}

/// The longest runs of samples in which the gaze turns no faster than `velocity`.
fn slow_stretches(samples: &[GazeSample], velocity: f64) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        let Some(ray) = sample.ray else { continue };
        let is_slow = |last: &Range<usize>| {
            let before = &samples[last.end - 1];
            let turn = before.ray.map(|before| angle_between(before.direction, ray.direction));
            last.end == index
                && turn.is_some_and(|turn| turn <= velocity * (sample.time - before.time))
        };
        match stretches.last_mut().filter(|last| is_slow(last)) {
            Some(last) => last.end = index + 1,
            None => stretches.push(index..index + 1),
        }
    }
    stretches
}

/// The angle between two directions, in radians: exact for small ones.
fn angle_between(one: DVec3, other: DVec3) -> f64 {
    one.cross(other).length().atan2(one.dot(other))
}

impl Fixation {
    /// The fixation of these samples; `None` if none has a ray, or their directions cancel out.
    fn of(samples: &[GazeSample], range: Range<usize>) -> Option<Self> {
        let rays = || samples[range.clone()].iter().filter_map(|sample| sample.ray);
        let (first, last) = (samples.get(range.start)?, samples.get(range.end.checked_sub(1)?)?);
        let (start, end) = (first.time, last.time);
        let direction = rays().map(|ray| ray.direction).sum::<DVec3>().try_normalize()?;
        let origin = rays().map(|ray| ray.origin).sum::<DVec3>() / rays().count() as f64;
        Some(Self { start, end, direction, origin, samples: range })
    }

    fn is_continued_by(&self, next: &Self, options: &VelocityOptions) -> bool {
        next.start - self.end <= options.merged_within
            && angle_between(self.direction, next.direction) <= options.merged_angle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::analysis::Ray;
    use mutoscope_testing::chance;

    const RATE: f64 = 120.0;

    /// A gaze at this yaw and pitch, in degrees.
    fn sample(index: usize, [yaw, pitch]: [f64; 2]) -> GazeSample {
        let (yaw, pitch) = (yaw * DEGREE, pitch * DEGREE);
        let direction = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), -yaw.cos() * pitch.cos());
        let ray = Some(Ray { origin: DVec3::Y, direction });
        GazeSample { time: index as f64 / RATE, ray }
    }

    /// A gaze that rests on each place for the given number of samples, and goes to the next in
    /// three.
    fn scanned(places: &[([f64; 2], usize)]) -> (Vec<GazeSample>, Vec<Range<usize>>) {
        let mut angles: Vec<[f64; 2]> = Vec::new();
        let mut resting = Vec::new();
        for &(place, count) in places {
            if let Some(&last) = angles.last() {
                let part = |step: f64, axis: usize| last[axis] + (place[axis] - last[axis]) * step;
                angles.extend([0.25, 0.5, 0.75].map(|step| [part(step, 0), part(step, 1)]));
            }
            let start = angles.len();
            resting.push(start..start + count);
            let tremor =
                |index: usize| [0.1 * ((index % 3) as f64 - 1.0), 0.1 * (index % 2) as f64];
            angles.extend((0..count).map(|index| {
                let [x, y] = tremor(index);
                [place[0] + x, place[1] + y]
            }));
        }
        let samples = angles.into_iter().enumerate().map(|(index, one)| sample(index, one));
        (samples.collect(), resting)
    }

    fn ranges(fixations: &[Fixation]) -> Vec<Range<usize>> {
        fixations.iter().map(|one| one.samples.clone()).collect()
    }

    const PLACES: [([f64; 2], usize); 4] =
        [([0.0, 0.0], 30), ([12.0, -4.0], 60), ([12.0, 20.0], 9), ([-30.0, 5.0], 40)];

    #[test]
    fn fixations_are_found_between_saccades() {
        let (samples, resting) = scanned(&PLACES);
        // The third takes 67 ms: enough for I-VT and not for I-DT.
        let by_dispersion = fixations_by_dispersion(&samples, &DispersionOptions::default());
        let long: Vec<_> = [0, 1, 3].map(|index| resting[index].clone()).into();
        assert_eq!(ranges(&by_dispersion), long);
        let by_velocity = fixations_by_velocity(&samples, &VelocityOptions::default());
        assert_eq!(ranges(&by_velocity), resting);
        for (fixation, (place, _)) in by_velocity.iter().zip(PLACES) {
            let expected = sample(0, place).ray.unwrap().direction;
            assert!(angle_between(fixation.direction, expected) < 0.1 * DEGREE);
            assert_eq!(fixation.origin, DVec3::Y);
            assert_eq!(fixation.start, fixation.samples.start as f64 / RATE);
            assert_eq!(fixation.end, (fixation.samples.end - 1) as f64 / RATE);
        }
    }

    #[test]
    fn fixations_do_not_depend_on_direction() {
        let (samples, resting) = scanned(&PLACES);
        for turn in [glam::DQuat::from_rotation_x(1.5), glam::DQuat::from_rotation_x(-1.57)] {
            let turned: Vec<_> = samples
                .iter()
                .map(|sample| GazeSample {
                    ray: sample.ray.map(|ray| Ray { direction: turn * ray.direction, ..ray }),
                    ..*sample
                })
                .collect();
            let by_velocity = fixations_by_velocity(&turned, &VelocityOptions::default());
            assert_eq!(ranges(&by_velocity), resting);
            let by_dispersion = fixations_by_dispersion(&turned, &DispersionOptions::default());
            assert_eq!(by_dispersion.len(), 3);
        }
    }

    #[test]
    fn lost_gaze_ends_a_fixation() {
        let (mut samples, _) = scanned(&PLACES[..2]);
        samples[60].ray = None;
        let by_dispersion = fixations_by_dispersion(&samples, &DispersionOptions::default());
        assert_eq!(ranges(&by_dispersion), [0..30, 33..60, 61..93]);
        let apart = VelocityOptions { merged_within: 0.0, ..VelocityOptions::default() };
        assert_eq!(ranges(&fixations_by_velocity(&samples, &apart)), [0..30, 33..60, 61..93]);
        let merged = fixations_by_velocity(&samples, &VelocityOptions::default());
        assert_eq!(ranges(&merged), [0..30, 33..93], "lost for less than 75 ms");
    }

    #[test]
    fn thresholds_are_exact_limits() {
        // 0.2° from sample to sample: 24 degrees a second.
        let drift: Vec<_> = (0..60).map(|index| sample(index, [0.2 * index as f64, 0.0])).collect();
        let velocity = |limit: f64| {
            let options =
                VelocityOptions { velocity: limit * DEGREE, ..VelocityOptions::default() };
            ranges(&fixations_by_velocity(&drift, &options))
        };
        assert_eq!(velocity(24.1).first(), Some(&(0..60)));
        assert!(velocity(23.9).is_empty());
        let dispersion = |limit: f64, duration: f64| {
            let options = DispersionOptions { dispersion: limit * DEGREE, duration };
            ranges(&fixations_by_dispersion(&drift, &options)).len()
        };
        // Twelve steps make 2.4°, and take 100 ms.
        assert_eq!([dispersion(2.5, 0.1), dispersion(2.3, 0.1), dispersion(2.3, 0.09)], [4, 0, 5]);
    }

    #[test]
    fn empty_and_lost_gaze_has_no_fixations() {
        let lost = (0..50).map(|index| GazeSample { ray: None, ..sample(index, [0.0; 2]) });
        let lost: Vec<_> = lost.collect();
        for samples in [&[][..], &lost] {
            assert_eq!(fixations_by_dispersion(samples, &DispersionOptions::default()), []);
            assert_eq!(fixations_by_velocity(samples, &VelocityOptions::default()), []);
        }
    }

    #[test]
    fn fixations_never_overlap() {
        chance::some(200, |chance| {
            let mut angle = 0.0;
            let samples: Vec<_> = (0..200)
                .map(|index| {
                    let reach = if chance.below(10) == 0 { 10.0 } else { 0.2 };
                    angle += chance.within(-reach, reach);
                    let mut one = sample(index, [angle, 0.0]);
                    one.ray = one.ray.filter(|_| chance.below(50) > 0);
                    one
                })
                .collect();
            let both = [
                fixations_by_dispersion(&samples, &DispersionOptions::default()),
                fixations_by_velocity(&samples, &VelocityOptions::default()),
            ];
            for fixations in both {
                for pair in fixations.windows(2) {
                    assert!(pair[0].samples.end <= pair[1].samples.start);
                }
                assert!(fixations.iter().all(|one| one.end - one.start >= 0.06 - 1e-9));
            }
        });
    }
}
