//! A recording: a clip, its timing on a clock, and its pose.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bevy::prelude::*;

use crate::ClipAsset;
use mutoscope_core::{
    clip::{Clip, Convention, InterpolationOverride, Pose},
    io::bytes::FileContent,
    measure::compare::Timing,
};

/// One recording in the world: its clip, its timing on its clock, and its pose at the clock's time.
///
/// To play a clip that is already in memory, insert this component. To play an asset once it is
/// loaded, insert [`RecordingPlayer`](crate::RecordingPlayer).
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(opaque, Component, Clone, Debug)]
#[require(Transform, Visibility)]
#[cfg_attr(
    feature = "stage",
    require(crate::stage::Tint, crate::stage::Displacement, crate::stage::HiddenNodes)
)]
pub struct Recording {
    asset: ClipAsset,
    /// The clip with its interpolation overridden, or with placeholder offsets. `None` if it plays
    /// as the file defines it.
    overridden: Option<Arc<Clip>>,
    interpolation: InterpolationOverride,
    with_placeholder_offsets: bool,
    timing: Timing,
    pose: Pose,
    /// The revision of the clip and the bits of the clip time for which the pose was sampled.
    sampled: Option<(Revision, u64)>,
    order: Revision,
    revision: Revision,
}

/// The revision of a recording's clip, unique among all recordings. Caches use it as the key of
/// results that were computed from the clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(u64);

impl Revision {
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Recording {
    /// Creates a recording of `asset` with the default timing, posed at the start of its clip.
    pub fn new(asset: ClipAsset) -> Self {
        let order = Revision::next();
        let mut recording = Self {
            asset,
            overridden: None,
            interpolation: InterpolationOverride::AsDefined,
            with_placeholder_offsets: false,
            timing: Timing::default(),
            pose: Pose::default(),
            sampled: None,
            order,
            revision: order,
        };
        recording.sample(recording.asset.clip.span.start);
        recording
    }

    /// Replaces the asset. Timing and interpolation are kept.
    pub fn replace(&mut self, asset: ClipAsset) {
        self.asset = asset;
        self.rebuild_overridden_clip();
    }

    /// Returns the clip that plays, including the interpolation override.
    pub fn clip(&self) -> &Arc<Clip> {
        self.overridden.as_ref().unwrap_or(&self.asset.clip)
    }

    /// Returns the asset: the clip as its file defines it.
    pub fn asset(&self) -> &ClipAsset {
        &self.asset
    }

    /// Returns the file that the clip was decoded from, or `None` if it was not kept.
    pub fn file(&self) -> Option<&FileContent> {
        self.asset.file.as_ref()
    }

    /// Returns the times at which the clip has samples of its own, in seconds, ascending.
    pub fn sample_times(&self) -> &[f64] {
        &self.asset.sample_times
    }

    /// Returns the pose at the clock's time, in the viewer's space. [`Pose::time`] is the clip
    /// time.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Returns the timing of the clip on its clock.
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Sets the offset and rate of the clip on its clock. Ignores an offset that is not finite, and
    /// a rate that is not finite and positive.
    pub fn set_timing(&mut self, timing: Timing) {
        if timing.offset.is_finite() {
            self.timing.offset = timing.offset;
        }
        if timing.rate.is_finite() && timing.rate > 0.0 {
            self.timing.rate = timing.rate;
        }
    }

    /// Returns `true` if the clip has begun and not yet ended at the clock time `time`, in seconds.
    pub fn plays_at(&self, time: f64) -> bool {
        // If one recording starts where another ends, a rounding error must not leave a gap between
        // them.
        const ROUNDING_TOLERANCE_S: f64 = 1e-9;
        let (time, span) = (self.timing.to_clip_time(time), self.clip().span);
        (span.start - ROUNDING_TOLERANCE_S..=span.end() + ROUNDING_TOLERANCE_S).contains(&time)
    }

    /// Returns the interpolation between keys.
    pub fn interpolation(&self) -> InterpolationOverride {
        self.interpolation
    }

    /// Sets the interpolation between keys.
    pub fn set_interpolation(&mut self, interpolation: InterpolationOverride) {
        if self.interpolation != interpolation {
            self.interpolation = interpolation;
            self.rebuild_overridden_clip();
        }
    }

    /// Returns `true` if joints have placeholder offsets where the file has none.
    #[cfg(feature = "stage")]
    pub(crate) fn has_placeholder_offsets(&self) -> bool {
        self.with_placeholder_offsets
    }

    /// Gives joints a placeholder offset from their parents if the file has none.
    #[cfg(feature = "stage")]
    pub(crate) fn add_placeholder_offsets(&mut self) {
        self.with_placeholder_offsets = true;
        if !self.asset.clip.skeleton.placeholder_offsets().is_empty() {
            self.rebuild_overridden_clip();
        }
    }

    /// Changes the conventions that give the clip's numbers their meaning, such as the rotation
    /// rule.
    pub fn edit_convention(&mut self, edit: impl FnOnce(&mut Convention)) {
        self.edit_clip(|clip| edit(&mut clip.convention));
    }

    /// Changes the clip of this recording. The asset that it was loaded from stays as it is.
    pub fn edit_clip(&mut self, edit: impl FnOnce(&mut Clip)) {
        edit(Arc::make_mut(&mut self.asset.clip));
        self.rebuild_overridden_clip();
    }

    /// Returns the revision of the clip. It changes whenever the clip changes, and is unique among
    /// all recordings.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the revision with which the recording was created. Recordings sort by it in the
    /// order in which they were opened.
    pub fn order(&self) -> Revision {
        self.order
    }

    /// Samples the pose at the clock time `time`, in seconds, unless the pose is already up to
    /// date.
    pub fn sample(&mut self, time: f64) {
        if self.needs_sample(time) {
            let time = self.timing.to_clip_time(time);
            self.sampled = Some((self.revision, time.to_bits()));
            let clip = self.overridden.as_ref().unwrap_or(&self.asset.clip);
            clip.sample(time, &mut self.pose);
        }
    }

    pub(crate) fn needs_sample(&self, time: f64) -> bool {
        self.sampled != Some((self.revision, self.timing.to_clip_time(time).to_bits()))
    }

    fn rebuild_overridden_clip(&mut self) {
        let clip = &self.asset.clip;
        let interpolated = match self.interpolation {
            InterpolationOverride::AsDefined => None,
            _ if !clip.supports_interpolation_override() => None,
            other => Some(clip.with_interpolation(other)),
        };
        let needs_offsets =
            self.with_placeholder_offsets && !clip.skeleton.placeholder_offsets().is_empty();
        self.overridden = match (interpolated, needs_offsets) {
            (interpolated, true) => {
                Some(interpolated.unwrap_or_else(|| Clip::clone(clip)).with_placeholder_offsets())
            }
            (interpolated, false) => interpolated,
        }
        .map(Arc::new);
        self.revision = Revision::next();
        // The clock is not accessible here, so compute the clock time from the clip time of the
        // pose.
        let time = self.timing.to_clock_time(self.pose.time);
        self.sample(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mutoscope_core::{ReadOptions, decode};

    fn walk() -> ClipAsset {
        let bytes = include_bytes!("../../../assets/prime/walk.ANIM");
        ClipAsset::new(decode(bytes, &ReadOptions::default()).unwrap())
    }

    #[test]
    fn interpolation_override_survives_edit_convention_and_replace() {
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
        assert_ne!(recording.pose().nodes, defined.nodes, "the override is kept");
        recording.set_interpolation(InterpolationOverride::AsDefined);
        assert_eq!(recording.pose().nodes, defined.nodes);
    }

    #[test]
    fn pose_uses_offset_and_rate() {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        let asset = ClipAsset::new(decode(bytes, &ReadOptions::default()).unwrap());
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
