//! A recording: its clip, its timing on its clock, and its pose.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bevy::prelude::*;

use crate::asset::ClipAsset;
use mutoscope_core::{
    clip::{Clip, Convention, InterpolationOverride, Pose},
    io::bytes::FileContent,
    measure::compare::Timing,
};

/// One recording in the world: its clip, its timing on its clock, and its pose at the clock's time.
///
/// Inserting it is enough to play a clip that is already in memory;
/// [`PlayRecording`](super::PlayRecording) does so for an asset once it is loaded.
#[derive(Component, Clone, Debug)]
#[require(Transform, Visibility, super::Tint, super::Displacement, super::HiddenNodes)]
pub struct Recording {
    asset: ClipAsset,
    /// The clip, interpolated in another way than its file defines.
    overridden: Option<Arc<Clip>>,
    interpolation: InterpolationOverride,
    timing: Timing,
    pose: Pose,
    /// The revision that the pose was sampled from, and the bits of the clip's time.
    sampled: Option<(Revision, u64)>,
    order: Revision,
    revision: Revision,
}

/// The revision of a recording's clip: unique among all recordings. Results that are computed from
/// a clip are cached under it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(u64);

impl Revision {
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Recording {
    /// A recording of `asset` that starts with its clock, at the rate it was recorded at, posed as at
    /// its start.
    pub fn new(asset: ClipAsset) -> Self {
        let order = Revision::next();
        let mut recording = Self {
            asset,
            overridden: None,
            interpolation: InterpolationOverride::AsDefined,
            timing: Timing::default(),
            pose: Pose::default(),
            sampled: None,
            order,
            revision: order,
        };
        recording.sample(recording.asset.clip.span.start);
        recording
    }

    /// Takes another asset in place of the one before; timing and interpolation stay.
    pub fn replace(&mut self, asset: ClipAsset) {
        self.asset = asset;
        self.interpolate_again();
    }

    /// The clip that plays.
    pub fn clip(&self) -> &Arc<Clip> {
        self.overridden.as_ref().unwrap_or(&self.asset.clip)
    }

    /// The asset: the clip as its file defines it, prepared for display.
    pub fn asset(&self) -> &ClipAsset {
        &self.asset
    }

    /// The file that the clip was decoded from, if it was kept.
    pub fn file(&self) -> Option<&FileContent> {
        self.asset.file.as_ref()
    }

    /// The times in seconds at which the clip has samples of its own, ascending.
    pub fn sample_times(&self) -> &[f64] {
        &self.asset.sample_times
    }

    /// The clip at its clock's time, in the viewer's space. The pose's time is the clip's.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Its timing on its clock.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Sets its offset and rate on its clock. An offset that is not finite and a rate that is not
    /// above 0 are left as they are.
    pub fn set_timing(&mut self, timing: Timing) {
        if timing.offset.is_finite() {
            self.timing.offset = timing.offset;
        }
        if timing.rate.is_finite() && timing.rate > 0.0 {
            self.timing.rate = timing.rate;
        }
    }

    /// Whether it plays when its clock is at `time`, in seconds, rather than being over or not begun.
    pub fn plays_at(&self, time: f64) -> bool {
        // Recordings that are placed end to end may be off by a rounding error.
        const ROUNDING: f64 = 1e-9;
        let (time, span) = (self.timing.second(time), self.clip().span);
        (span.start - ROUNDING..=span.end() + ROUNDING).contains(&time)
    }

    /// The interpolation between keys.
    pub fn interpolation(&self) -> InterpolationOverride {
        self.interpolation
    }

    /// Interpolates values between keys in this way.
    pub fn set_interpolation(&mut self, interpolation: InterpolationOverride) {
        if self.interpolation != interpolation {
            self.interpolation = interpolation;
            self.interpolate_again();
        }
    }

    /// Changes how the clip's numbers are understood, such as the rule for its rotations.
    pub fn edit_convention(&mut self, edit: impl FnOnce(&mut Convention)) {
        edit(&mut Arc::make_mut(&mut self.asset.clip).convention);
        self.interpolate_again();
    }

    /// The revision of its clip: it changes with the clip, and is unique among all recordings.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Its place among all recordings, by the time at which they were opened.
    pub fn order(&self) -> Revision {
        self.order
    }

    /// Samples the pose at its clock's `time`, in seconds, unless that is the pose it has.
    pub fn sample(&mut self, time: f64) {
        if self.needs_sample(time) {
            let time = self.timing.second(time);
            self.sampled = Some((self.revision, time.to_bits()));
            let clip = self.overridden.as_ref().unwrap_or(&self.asset.clip);
            clip.sample(time, &mut self.pose);
        }
    }

    /// Whether the pose is another than that at its clock's `time`.
    pub(super) fn needs_sample(&self, time: f64) -> bool {
        self.sampled != Some((self.revision, self.timing.second(time).to_bits()))
    }

    fn interpolate_again(&mut self) {
        let clip = &self.asset.clip;
        self.overridden = match self.interpolation {
            InterpolationOverride::AsDefined => None,
            _ if !clip.has_ways_to_sample() => None,
            other => Some(Arc::new(clip.sampled(other))),
        };
        self.revision = Revision::next();
        // The clock's time is not known here: it is that of the pose.
        let time = self.timing.first(self.pose.time);
        self.sample(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::formats;

    fn walk() -> ClipAsset {
        let bytes = include_bytes!("../../assets/prime/walk.ANIM");
        ClipAsset::new(formats::decode(bytes, &formats::DecodeRequest::default()).unwrap())
    }

    #[test]
    fn the_interpolation_override_survives_a_new_convention_and_a_reload() {
        let mut recording = Recording::new(walk());
        let revision = recording.revision();
        let times = recording.clip().tracks[0].curve.key_times();
        recording.sample(0.3 * times[0] + 0.7 * times[1]);
        let defined = recording.pose().clone();
        recording.set_interpolation(InterpolationOverride::Nearest);
        assert_ne!(recording.pose().nodes, defined.nodes);
        assert_ne!(recording.revision(), revision);
        recording.edit_convention(|_| ());
        recording.replace(walk());
        assert_ne!(recording.pose().nodes, defined.nodes, "still nearest");
        recording.set_interpolation(InterpolationOverride::AsDefined);
        assert_eq!(recording.pose().nodes, defined.nodes);
    }

    #[test]
    fn pose_uses_offset_and_rate() {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        let asset =
            ClipAsset::new(formats::decode(bytes, &formats::DecodeRequest::default()).unwrap());
        let mut expected = Pose::default();
        asset.clip.sample(1.0, &mut expected);
        let mut recording = Recording::new(asset);
        recording.set_timing(Timing { offset: 0.5, rate: 0.5 });
        recording.sample(2.5);
        assert_eq!(recording.pose().nodes, expected.nodes);
        assert!(recording.plays_at(2.5) && !recording.plays_at(0.4));
        recording.set_timing(Timing { offset: f64::NAN, rate: -1.0 });
        assert_eq!(recording.timing(), Timing { offset: 0.5, rate: 0.5 });
    }
}
