//! Compares a recording with its base: matches joints, measures distances and aligns times. Each
//! computation runs as a background job.

use std::sync::Arc;

use bevy::prelude::*;

use crate::session::{
    files::{ComparedOpened, Files},
    jobs::{Job, Jobs},
};
use bevy_mutoscope::{
    Recording, RecordingNode, Revision,
    stage::{CameraRequest, MatchedSelection, Overlay, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{
        self, AlignError, Alignment, Comparison, JointMatching, JointPair, NoCommonTime, Placement,
        Timing,
    },
};

/// The comparison of a recording with the base that its [`Overlay`] names. A component on the
/// entity of the [`Recording`].
#[derive(Component, Debug, Default)]
pub struct Comparing {
    matching: JointMatching,
    /// The revisions of the base and of this recording for which the joints were matched.
    matched_for: Option<[Revision; 2]>,
    measured: Option<MeasuredDistances>,
    measuring: Job<(), MeasuredDistances>,
    aligning: Job<(), Result<Alignment, AlignError>>,
    aligned: Option<Result<Alignment, AlignError>>,
    is_alignment_requested: bool,
}

/// The distances between two recordings.
#[derive(Clone, Debug)]
pub struct MeasuredDistances {
    input: MeasureInput,
    /// The deviation of each joint, or an error if the recordings never play at the same time.
    pub comparison: Result<Arc<Comparison>, NoCommonTime>,
    /// The RMS distance over all joints in metres, at each time of the comparison. `None` where it
    /// cannot be measured.
    pub rms_distances: Arc<[Option<f64>]>,
    /// The indices of the comparison's deviations, in descending order of their RMS.
    pub worst_first: Arc<[usize]>,
}

#[derive(Clone, Debug, PartialEq)]
struct MeasureInput {
    revisions: [Revision; 2],
    pairs: Arc<[JointPair]>,
    timing: Timing,
}

impl MeasureInput {
    fn measure(self, first: &Clip, second: &Clip) -> MeasuredDistances {
        let comparison = Comparison::new([first, second], &self.pairs, self.timing).map(Arc::new);
        let together = comparison.as_ref().map(|comparison| comparison.rms_distances());
        let worst_first = comparison.as_ref().map(|comparison| worst_first(comparison));
        MeasuredDistances {
            input: self,
            rms_distances: together.unwrap_or_default().into(),
            worst_first: worst_first.unwrap_or_default().into(),
            comparison,
        }
    }
}

fn worst_first(comparison: &Comparison) -> Vec<usize> {
    let rms = |index: usize| comparison.deviations[index].rms;
    let mut indices: Vec<usize> = (0..comparison.deviations.len()).collect();
    indices.sort_by(|&a, &b| rms(b).total_cmp(&rms(a)));
    indices
}

impl Comparing {
    /// Returns the matched joints of the base and of this recording.
    pub fn matching(&self) -> &JointMatching {
        &self.matching
    }

    /// Returns the last measured distances, even while a new measurement runs. `None` if a clip has
    /// changed since, or if nothing was measured yet.
    pub fn measured(&self) -> Option<&MeasuredDistances> {
        self.measured.as_ref().filter(|measured| Some(measured.input.revisions) == self.matched_for)
    }

    /// Returns `true` while distances are being measured.
    pub fn is_measuring(&self) -> bool {
        self.measuring.is_running()
    }

    /// Returns `true` if an alignment is running or requested.
    pub fn is_aligning(&self) -> bool {
        self.is_alignment_requested || self.aligning.is_running()
    }

    /// Returns the result of the last alignment.
    pub fn alignment_result(&self) -> Option<&Result<Alignment, AlignError>> {
        self.aligned.as_ref()
    }

    #[cfg(test)]
    pub(crate) fn measured_immediately(base: &Recording, recording: &Recording) -> Self {
        let mut comparing = Self::default();
        comparing.match_joints(base, recording);
        let subject = comparing.current_input(base, recording);
        comparing.measured = Some(subject.measure(base.clip(), recording.clip()));
        comparing
    }

    pub(in crate::session) fn align(
        &mut self,
        base: &Recording,
        recording: &Recording,
        jobs: &Jobs,
    ) {
        let clips = [Arc::clone(base.clip()), Arc::clone(recording.clip())];
        let rate = recording.timing().relative_to(base.timing()).rate;
        let pairs = self.matching.pairs().clone();
        self.aligning.start(jobs, (), move |_| {
            let [first, second] = &clips;
            compare::align([first, second], &pairs, rate)
        });
    }

    /// Requests an alignment, which starts in a later frame because the joints must be matched
    /// first.
    pub(in crate::session) fn request_alignment(&mut self) {
        self.is_alignment_requested = true;
    }

    pub(in crate::session) fn clear_alignment(&mut self) {
        self.aligning.cancel();
        (self.aligned, self.is_alignment_requested) = (None, false);
    }

    /// Matches a joint of the base with a joint of this recording. `None` matches the joint by name
    /// again.
    pub(crate) fn choose_match(
        &mut self,
        clips: [&Clip; 2],
        first: NodeId,
        second: Option<NodeId>,
    ) {
        self.matching.choose(clips, first, second);
    }

    fn match_joints(&mut self, base: &Recording, recording: &Recording) -> bool {
        let revisions = Some([base.revision(), recording.revision()]);
        if self.matched_for == revisions {
            return false;
        }
        self.matched_for = revisions;
        self.matching.rematch([base.clip(), recording.clip()])
    }

    fn current_input(&self, base: &Recording, recording: &Recording) -> MeasureInput {
        MeasureInput {
            revisions: [base.revision(), recording.revision()],
            pairs: self.matching.pairs().clone(),
            timing: recording.timing().relative_to(base.timing()),
        }
    }
}

/// Aligns a recording that was opened to be aligned.
pub(super) fn request_alignment(opened: On<ComparedOpened>, mut compared: Query<&mut Comparing>) {
    if opened.options.align
        && let Ok(mut comparing) = compared.get_mut(opened.entity)
    {
        comparing.request_alignment();
    }
}

pub(in crate::session) fn match_joints(
    mut compared: Query<(&Recording, &mut Overlay, &mut Comparing)>,
    recordings: Query<&Recording>,
    jobs: Res<Jobs>,
) {
    for (recording, mut overlay, mut comparing) in &mut compared {
        let Ok(base) = recordings.get(overlay.base) else { continue };
        let is_matched = comparing.matched_for == Some([base.revision(), recording.revision()]);
        if !is_matched && comparing.match_joints(base, recording) && overlay.mean_offset.is_some() {
            overlay.mean_offset = None;
        }
        if comparing.is_alignment_requested {
            comparing.is_alignment_requested = false;
            comparing.align(base, recording, &jobs);
        }
    }
}

pub(in crate::session) fn measure_distances(
    mut compared: Query<(&Recording, &mut Overlay, &mut Comparing)>,
    recordings: Query<&Recording>,
    mut camera: MessageWriter<CameraRequest>,
    jobs: Res<Jobs>,
    screen: Res<StageScreen>,
) {
    for (recording, mut overlay, mut comparing) in &mut compared {
        let Ok(base) = recordings.get(overlay.base) else { continue };
        let subject = comparing.current_input(base, recording);
        let untracked = comparing.bypass_change_detection();
        let is_outdated = untracked.measured.as_ref().is_none_or(|last| last.input != subject);
        if is_outdated && !untracked.measuring.is_running() {
            let clips = [Arc::clone(base.clip()), Arc::clone(recording.clip())];
            let subject = subject.clone();
            untracked.measuring.start(&jobs, (), move |_| subject.measure(&clips[0], &clips[1]));
        }
        let measured = match untracked.measuring.poll() {
            None => continue,
            Some((_, Ok(measured))) => measured,
            Some((_, Err(crashed))) => {
                error!("comparing recordings: {crashed}");
                continue;
            }
        };
        if measured.input.revisions != subject.revisions {
            continue;
        }
        let mean = measured.comparison.as_ref().ok().map(|comparison| comparison.mean_offset());
        let mean = mean.filter(|_| !measured.input.pairs.is_empty());
        let moves = overlay.mean_offset.is_none() && overlay.placement != Placement::AsRecorded;
        if overlay.mean_offset != mean {
            overlay.mean_offset = mean;
            if moves && screen.frames_all {
                camera.write(CameraRequest::FrameAll { at_once: false });
            }
        }
        comparing.measured = Some(measured);
    }
}

pub(in crate::session) fn apply_alignments(
    mut compared: Query<(Entity, &Overlay, &mut Comparing)>,
    mut recordings: Query<&mut Recording>,
    mut files: ResMut<Files>,
) {
    for (entity, overlay, mut comparing) in &mut compared {
        let result = match comparing.bypass_change_detection().aligning.poll() {
            None => continue,
            Some((_, Ok(result))) => result,
            Some((_, Err(crashed))) => {
                error!("aligning recordings: {crashed}");
                continue;
            }
        };
        if let Ok(alignment) = &result
            && let Ok([base, mut recording]) = recordings.get_many_mut([overlay.base, entity])
        {
            let rate = recording.timing().relative_to(base.timing()).rate;
            let relative = Timing { offset: alignment.offset, rate };
            recording.set_timing(relative.on_clock_of(base.timing()));
        }
        files.notify(match &result {
            Ok(alignment) => format!(
                "Aligned by {:+.3} s; the speeds of the joints correlate by {:.2}",
                alignment.offset, alignment.correlation
            ),
            Err(error) => format!("Not aligned: {error}"),
        });
        comparing.aligned = Some(result);
    }
}

pub(in crate::session) fn update_matched_selection(
    compared: Query<(Entity, &Overlay, &Comparing)>,
    view: Res<View>,
    mut matched: ResMut<MatchedSelection>,
) {
    let result = view.selected.and_then(|selected| {
        compared.iter().find_map(|(entity, overlay, comparing)| {
            let pairs = comparing.matching().pairs();
            let (base_node, node) = if overlay.base == selected.recording {
                (selected.node, comparing.matching().matched(selected.node)?)
            } else if entity == selected.recording {
                let pair = pairs.iter().find(|pair| pair.second == selected.node)?;
                (pair.first, pair.second)
            } else {
                return None;
            };
            let node = RecordingNode::new(entity, node);
            Some([RecordingNode::new(overlay.base, base_node), node])
        })
    });
    matched.set_if_neq(MatchedSelection(result));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_mutoscope::ClipAsset;
    use mutoscope_core::{ReadOptions, decode};

    fn hands() -> Recording {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        Recording::new(ClipAsset::new(decode(bytes, &ReadOptions::default()).unwrap()))
    }

    fn run_until_idle(app: &mut App) {
        for _ in 0..10_000 {
            app.update();
            if app.world().resource::<Jobs>().running_count() == 0 {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("background jobs do not end");
    }

    fn app() -> (App, [Entity; 2]) {
        let mut app = App::new();
        app.add_plugins(TaskPoolPlugin::default())
            .init_resource::<Jobs>()
            .init_resource::<Files>()
            .init_resource::<StageScreen>()
            .add_message::<CameraRequest>()
            .add_systems(Update, (match_joints, measure_distances, apply_alignments).chain());
        let base = app.world_mut().spawn(hands()).id();
        let recording = compare(&mut app, base);
        (app, [base, recording])
    }

    fn compare(app: &mut App, base: Entity) -> Entity {
        let overlay = Overlay::new(base, Placement::default());
        app.world_mut().spawn((hands(), overlay, Comparing::default())).id()
    }

    fn set_timing(app: &mut App, recording: Entity, timing: Timing) {
        app.world_mut().get_mut::<Recording>(recording).unwrap().set_timing(timing);
    }

    fn measured(app: &App, recording: Entity) -> Option<&MeasuredDistances> {
        app.world().get::<Comparing>(recording).unwrap().measured()
    }

    fn rms(app: &App, recording: Entity) -> f64 {
        measured(app, recording).unwrap().comparison.as_ref().unwrap().rms().unwrap()
    }

    fn align(app: &mut App, [base, recording]: [Entity; 2]) {
        app.world_mut().resource_scope(|world, jobs: Mut<Jobs>| {
            let mut comparing =
                std::mem::take(&mut *world.get_mut::<Comparing>(recording).unwrap());
            let [base, other] =
                [base, recording].map(|entity| world.get::<Recording>(entity).unwrap());
            comparing.align(base, other, &jobs);
            *world.get_mut::<Comparing>(recording).unwrap() = comparing;
        });
    }

    #[test]
    fn delayed_recording_has_no_distance_once_aligned() {
        let (mut app, [base, recording]) = app();
        run_until_idle(&mut app);
        assert_eq!(rms(&app, recording), 0.0);
        set_timing(&mut app, recording, Timing { offset: 0.4, rate: 1.0 });
        run_until_idle(&mut app);
        assert!(rms(&app, recording) > 0.01, "{}", rms(&app, recording));
        align(&mut app, [base, recording]);
        run_until_idle(&mut app);
        run_until_idle(&mut app);
        let timing = app.world().get::<Recording>(recording).unwrap().timing();
        // Alignment samples speeds at 120 Hz, so that is the precision of the offset.
        assert!(timing.offset.abs() < 1.0 / 120.0, "{timing:?}");
        assert!(rms(&app, recording) < 0.003, "{}", rms(&app, recording));
        let comparing = app.world().get::<Comparing>(recording).unwrap();
        let alignment = comparing.alignment_result().unwrap().as_ref().unwrap();
        assert!(alignment.correlation > 0.99 && alignment.is_certain());
    }

    #[test]
    fn any_two_recordings_are_compared_at_their_timing() {
        let (mut app, [_, second]) = app();
        let third = compare(&mut app, second);
        set_timing(&mut app, second, Timing { offset: 1.5, rate: 0.5 });
        set_timing(&mut app, third, Timing { offset: 1.5, rate: 0.5 });
        run_until_idle(&mut app);
        assert_eq!(rms(&app, third), 0.0, "both start at the same time");
        assert!(rms(&app, second) > 0.01);
        set_timing(&mut app, third, Timing { offset: 2.0, rate: 0.5 });
        run_until_idle(&mut app);
        align(&mut app, [second, third]);
        run_until_idle(&mut app);
        run_until_idle(&mut app);
        let timing = app.world().get::<Recording>(third).unwrap().timing();
        assert!((timing.offset - 1.5).abs() < 2.0 / 120.0, "{timing:?}");
    }

    #[test]
    fn recordings_without_common_time_are_reported() {
        let (mut app, [_, recording]) = app();
        set_timing(&mut app, recording, Timing { offset: 1e4, rate: 1.0 });
        run_until_idle(&mut app);
        let measured = measured(&app, recording).unwrap();
        assert_eq!(measured.comparison, Err(NoCommonTime));
        assert!(measured.rms_distances.is_empty());
    }

    #[test]
    fn distances_of_a_replaced_clip_are_dropped() {
        let (mut app, [_, recording]) = app();
        run_until_idle(&mut app);
        let asset = hands().asset().clone();
        app.world_mut().get_mut::<Recording>(recording).unwrap().replace(asset);
        let mut comparing = app.world_mut().get_mut::<Comparing>(recording).unwrap();
        comparing.matched_for = None;
        assert!(comparing.measured().is_none());
        run_until_idle(&mut app);
        assert!(measured(&app, recording).is_some());
    }
}
