//! Finds the fixations of a gaze.
//!
//! Both algorithms are described by Salvucci and Goldberg, *Identifying fixations and saccades in
//! eye-tracking protocols* (2000). Angles replace their pixels.

use std::{f64::consts::PI, ops::Range};

use glam::DVec3;

use super::GazeSample;

const DEGREE_RAD: f64 = PI / 180.0;

/// A fixation: the gaze stays in one direction for some time.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixation {
    /// The time of the first sample, in seconds.
    pub start: f64,
    /// The time of the last sample, in seconds.
    pub end: f64,
    /// The mean direction, of length 1.
    pub direction: DVec3,
    /// The mean origin of the gaze, in metres.
    pub origin: DVec3,
    /// The indices of the samples.
    pub samples: Range<usize>,
}

/// The thresholds of fixations by dispersion (I-DT).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DispersionOptions {
    /// The maximum dispersion: horizontal range plus vertical range of directions, in radians.
    pub max_dispersion: f64,
    /// The minimum duration, in seconds.
    pub min_duration: f64,
}

impl Default for DispersionOptions {
    fn default() -> Self {
        Self { max_dispersion: DEGREE_RAD, min_duration: 0.1 }
    }
}

/// The thresholds of fixations by velocity (I-VT).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityOptions {
    /// The maximum angular velocity, in radians per second.
    pub max_velocity: f64,
    /// The minimum duration, in seconds.
    pub min_duration: f64,
    /// The maximum gap between fixations that are merged, in seconds.
    pub max_merge_gap: f64,
    /// The maximum angle between fixations that are merged, in radians.
    pub max_merge_angle: f64,
}

impl Default for VelocityOptions {
    fn default() -> Self {
        Self {
            max_velocity: 30.0 * DEGREE_RAD,
            min_duration: 0.06,
            max_merge_gap: 0.075,
            max_merge_angle: 0.5 * DEGREE_RAD,
        }
    }
}

/// Finds the fixations among `samples` by dispersion (I-DT). The samples must ascend in time. A
/// fixation lasts as long as all its directions stay within the maximum dispersion. A sample
/// without a ray ends a fixation.
pub fn fixations_by_dispersion(
    samples: &[GazeSample],
    options: &DispersionOptions,
) -> Vec<Fixation> {
    let mut fixations = Vec::new();
    let mut start = 0;
    while start < samples.len() {
        match longest_run_within(samples, start, options) {
            Some(end) => {
                fixations.extend(Fixation::from_samples(samples, start..end));
                start = end;
            }
            None => start += 1,
        }
    }
    fixations
}

fn longest_run_within(
    samples: &[GazeSample],
    start: usize,
    options: &DispersionOptions,
) -> Option<usize> {
    let first = samples[start].ray?.direction;
    let mut spread = Spread::around(first);
    let within = samples[start..].iter().take_while(|sample| {
        sample
            .ray
            .is_some_and(|ray| spread.dispersion_with(ray.direction) <= options.max_dispersion)
    });
    let end = start + within.count();
    is_long_enough(samples, &(start..end), options.min_duration).then_some(end)
}

fn is_long_enough(samples: &[GazeSample], range: &Range<usize>, duration: f64) -> bool {
    const ROUNDING: f64 = 1e-9;
    let (first, last) = (&samples[range.start], &samples[range.end.max(1) - 1]);
    !range.is_empty() && last.time - first.time >= duration - ROUNDING
}

/// The ranges of yaw and pitch of the gaze directions. They are measured relative to the first
/// direction, because yaw is undefined near the poles.
struct Spread {
    forward: DVec3,
    right: DVec3,
    up: DVec3,
    min: [f64; 2],
    max: [f64; 2],
}

impl Spread {
    fn around(forward: DVec3) -> Self {
        // Y is up, unless the direction itself is nearly vertical.
        let upward = if forward.y.abs() < 0.99 { DVec3::Y } else { DVec3::Z };
        let right = forward.cross(upward).normalize();
        let up = right.cross(forward);
        Self { forward, right, up, min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] }
    }

    fn dispersion_with(&mut self, direction: DVec3) -> f64 {
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

/// Finds the fixations among `samples` by velocity (I-VT). The samples must ascend in time. A
/// fixation lasts as long as the gaze turns slower than the maximum velocity. A sample without a
/// ray ends a fixation. Adjacent fixations are merged if they are near each other. Short fixations
/// are dropped after merging.
pub fn fixations_by_velocity(samples: &[GazeSample], options: &VelocityOptions) -> Vec<Fixation> {
    let mut merged: Vec<Fixation> = Vec::new();
    for range in slow_runs(samples, options.max_velocity) {
        let Some(next) = Fixation::from_samples(samples, range) else { continue };
        match merged.last_mut() {
            Some(last) if last.is_continued_by(&next, options) => {
                let range = last.samples.start..next.samples.end;
                *last = Fixation::from_samples(samples, range).unwrap_or(next);
            }
            _ => merged.push(next),
        }
    }
    merged.retain(|fixation| is_long_enough(samples, &fixation.samples, options.min_duration));
    merged
}

fn slow_runs(samples: &[GazeSample], velocity: f64) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        let Some(ray) = sample.ray else { continue };
        let is_slow = |last: &Range<usize>| {
            let before = &samples[last.end - 1];
            let turn = before.ray.map(|before| angle_between(before.direction, ray.direction));
            last.end == index
                && turn.is_some_and(|turn| turn <= velocity * (sample.time - before.time))
        };
        match runs.last_mut().filter(|last| is_slow(last)) {
            Some(last) => last.end = index + 1,
            None => runs.push(index..index + 1),
        }
    }
    runs
}

/// Returns the angle between two directions in radians, accurate for small angles.
fn angle_between(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}

impl Fixation {
    /// Returns the fixation of a range of samples. Returns `None` if no sample has a ray, or if the
    /// mean direction is zero.
    fn from_samples(samples: &[GazeSample], range: Range<usize>) -> Option<Self> {
        let rays = || samples[range.clone()].iter().filter_map(|sample| sample.ray);
        let (first, last) = (samples.get(range.start)?, samples.get(range.end.checked_sub(1)?)?);
        let (start, end) = (first.time, last.time);
        let direction = rays().map(|ray| ray.direction).sum::<DVec3>().try_normalize()?;
        let origin = rays().map(|ray| ray.origin).sum::<DVec3>() / rays().count() as f64;
        Some(Self { start, end, direction, origin, samples: range })
    }

    fn is_continued_by(&self, next: &Self, options: &VelocityOptions) -> bool {
        next.start - self.end <= options.max_merge_gap
            && angle_between(self.direction, next.direction) <= options.max_merge_angle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::analysis::Ray;
    use mutoscope_testing::property;

    const RATE: f64 = 120.0;

    fn sample(index: usize, [yaw, pitch]: [f64; 2]) -> GazeSample {
        let (yaw, pitch) = (yaw * DEGREE_RAD, pitch * DEGREE_RAD);
        let direction = DVec3::new(yaw.sin() * pitch.cos(), pitch.sin(), -yaw.cos() * pitch.cos());
        let ray = Some(Ray { origin: DVec3::Y, direction });
        GazeSample { time: index as f64 / RATE, ray }
    }

    fn scan(targets: &[([f64; 2], usize)]) -> (Vec<GazeSample>, Vec<Range<usize>>) {
        let mut angles: Vec<[f64; 2]> = Vec::new();
        let mut rests = Vec::new();
        for &(target, count) in targets {
            if let Some(&last) = angles.last() {
                let part = |step: f64, axis: usize| last[axis] + (target[axis] - last[axis]) * step;
                angles.extend([0.25, 0.5, 0.75].map(|step| [part(step, 0), part(step, 1)]));
            }
            let start = angles.len();
            rests.push(start..start + count);
            let tremor =
                |index: usize| [0.1 * ((index % 3) as f64 - 1.0), 0.1 * (index % 2) as f64];
            angles.extend((0..count).map(|index| {
                let [x, y] = tremor(index);
                [target[0] + x, target[1] + y]
            }));
        }
        let samples = angles
            .into_iter()
            .enumerate()
            .map(|(index, yaw_and_pitch)| sample(index, yaw_and_pitch));
        (samples.collect(), rests)
    }

    fn ranges(fixations: &[Fixation]) -> Vec<Range<usize>> {
        fixations.iter().map(|fixation| fixation.samples.clone()).collect()
    }

    const TARGETS: [([f64; 2], usize); 4] =
        [([0.0, 0.0], 30), ([12.0, -4.0], 60), ([12.0, 20.0], 9), ([-30.0, 5.0], 40)];

    #[test]
    fn fixations_are_found_between_saccades() {
        let (samples, rests) = scan(&TARGETS);
        // The third rest takes 67 ms, which is enough for I-VT and too short for I-DT.
        let by_dispersion = fixations_by_dispersion(&samples, &DispersionOptions::default());
        let long: Vec<_> = [0, 1, 3].map(|index| rests[index].clone()).into();
        assert_eq!(ranges(&by_dispersion), long);
        let by_velocity = fixations_by_velocity(&samples, &VelocityOptions::default());
        assert_eq!(ranges(&by_velocity), rests);
        for (fixation, (target, _)) in by_velocity.iter().zip(TARGETS) {
            let expected = sample(0, target).ray.unwrap().direction;
            assert!(angle_between(fixation.direction, expected) < 0.1 * DEGREE_RAD);
            assert_eq!(fixation.origin, DVec3::Y);
            assert_eq!(fixation.start, fixation.samples.start as f64 / RATE);
            assert_eq!(fixation.end, (fixation.samples.end - 1) as f64 / RATE);
        }
    }

    #[test]
    fn fixations_do_not_depend_on_direction() {
        let (samples, rests) = scan(&TARGETS);
        for turn in [glam::DQuat::from_rotation_x(1.5), glam::DQuat::from_rotation_x(-1.57)] {
            let turned: Vec<_> = samples
                .iter()
                .map(|sample| GazeSample {
                    ray: sample.ray.map(|ray| Ray { direction: turn * ray.direction, ..ray }),
                    ..*sample
                })
                .collect();
            let by_velocity = fixations_by_velocity(&turned, &VelocityOptions::default());
            assert_eq!(ranges(&by_velocity), rests);
            let by_dispersion = fixations_by_dispersion(&turned, &DispersionOptions::default());
            assert_eq!(by_dispersion.len(), 3);
        }
    }

    #[test]
    fn lost_gaze_ends_a_fixation() {
        let (mut samples, _) = scan(&TARGETS[..2]);
        samples[60].ray = None;
        let by_dispersion = fixations_by_dispersion(&samples, &DispersionOptions::default());
        assert_eq!(ranges(&by_dispersion), [0..30, 33..60, 61..93]);
        let apart = VelocityOptions { max_merge_gap: 0.0, ..VelocityOptions::default() };
        assert_eq!(ranges(&fixations_by_velocity(&samples, &apart)), [0..30, 33..60, 61..93]);
        let merged = fixations_by_velocity(&samples, &VelocityOptions::default());
        assert_eq!(ranges(&merged), [0..30, 33..93], "lost for less than 75 ms");
    }

    #[test]
    fn fixation_thresholds_are_exact() {
        // The gaze turns 0.2° per sample, which is 24°/s.
        let drift: Vec<_> = (0..60).map(|index| sample(index, [0.2 * index as f64, 0.0])).collect();
        let velocity = |limit: f64| {
            let options =
                VelocityOptions { max_velocity: limit * DEGREE_RAD, ..VelocityOptions::default() };
            ranges(&fixations_by_velocity(&drift, &options))
        };
        assert_eq!(velocity(24.1).first(), Some(&(0..60)));
        assert!(velocity(23.9).is_empty());
        let dispersion = |limit: f64, duration: f64| {
            let options =
                DispersionOptions { max_dispersion: limit * DEGREE_RAD, min_duration: duration };
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
        property::check_property_times(200, |random| {
            let mut angle = 0.0;
            let samples: Vec<_> = (0..200)
                .map(|index| {
                    let reach = if random.below(10) == 0 { 10.0 } else { 0.2 };
                    angle += random.in_range(-reach, reach);
                    let mut gaze_sample = sample(index, [angle, 0.0]);
                    gaze_sample.ray = gaze_sample.ray.filter(|_| random.below(50) > 0);
                    gaze_sample
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
                assert!(
                    fixations.iter().all(|fixation| fixation.end - fixation.start >= 0.06 - 1e-9)
                );
            }
        });
    }
}
