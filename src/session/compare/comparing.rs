//! Comparing a recording with another one: matched joints, distances, and alignment; each computed
//! on a task.

use std::sync::Arc;

use bevy::prelude::*;

use crate::session::{Job, Jobs};
use crate::{
    recording::{Overlay, Recording, RecordingNode, Revision},
    stage::{CameraRequest, MatchedSelection, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::compare::{
        self, Alignment, Comparison, JointMatching, JointPair, NeverTogether, Placement, Timing,
        Unaligned,
    },
};

/// The comparison of a recording with its base, which its [`Overlay`] names; on the entity of the
/// [`Recording`].
#[derive(Component, Debug, Default)]
pub struct Comparing {
    matching: JointMatching,
    /// The revisions that the joints were matched for: of the base and of this one.
    matched_for: Option<[Revision; 2]>,
    measured: Option<Measured>,
    measuring: Job<(), Measured>,
    aligning: Job<(), Result<Alignment, Unaligned>>,
    aligned: Option<Result<Alignment, Unaligned>>,
    /// Whether that is to be looked for as soon as the joints are matched.
    aligns_next: bool,
}

/// The distances between two recordings.
#[derive(Clone, Debug)]
pub struct Measured {
    of: Subject,
    /// Joint by joint; nothing if the two never play together.
    pub comparison: Result<Arc<Comparison>, NeverTogether>,
    /// All joints together, at each of the comparison's times, in metres.
    pub together: Arc<[Option<f64>]>,
    /// The indices of the comparison's deviations, those with the greatest RMS first.
    pub worst_first: Arc<[usize]>,
}

/// The revisions and timing that were measured.
#[derive(Clone, Debug, PartialEq)]
struct Subject {
    revisions: [Revision; 2],
    pairs: Arc<[JointPair]>,
    timing: Timing,
}

impl Subject {
    fn measure(self, first: &Clip, second: &Clip) -> Measured {
        let comparison = Comparison::new([first, second], &self.pairs, self.timing).map(Arc::new);
        let together = comparison.as_ref().map(|comparison| comparison.distances());
        let worst_first = comparison.as_ref().map(|comparison| worst_first(comparison));
        Measured {
            of: self,
            together: together.unwrap_or_default().into(),
            worst_first: worst_first.unwrap_or_default().into(),
            comparison,
        }
    }
}

fn worst_first(comparison: &Comparison) -> Vec<usize> {
    let rms = |index: usize| comparison.deviations[index].rms;
    let mut indices: Vec<usize> = (0..comparison.deviations.len()).collect();
    indices.sort_by(|&one, &other| rms(other).total_cmp(&rms(one)));
    indices
}

impl Comparing {
    /// A new comparison, which aligns as soon as the joints are matched, if `align`.
    pub(in crate::session) fn new(aligns: bool) -> Self {
        Self { aligns_next: aligns, ..Self::default() }
    }

    /// The matched joints of the other recording and of this one.
    pub fn matching(&self) -> &JointMatching {
        &self.matching
    }

    /// The distances, as far as they are known: the former ones while they are measured again.
    /// `None` if they are of other clips.
    pub fn measured(&self) -> Option<&Measured> {
        self.measured.as_ref().filter(|measured| Some(measured.of.revisions) == self.matched_for)
    }

    /// Whether it is being measured.
    pub fn is_measuring(&self) -> bool {
        self.measuring.is_running()
    }

    /// Whether alignment is under way.
    pub fn is_aligning(&self) -> bool {
        self.aligns_next || self.aligning.is_running()
    }

    /// The result of the last alignment.
    pub fn aligned(&self) -> Option<&Result<Alignment, Unaligned>> {
        self.aligned.as_ref()
    }

    /// Matches and measures at once.
    #[cfg(test)]
    pub(crate) fn of(base: &Recording, own: &Recording) -> Self {
        let mut comparing = Self::default();
        comparing.match_joints(base, own);
        let subject = comparing.subject(base, own);
        comparing.measured = Some(subject.measure(base.clip(), own.clip()));
        comparing
    }

    /// Starts alignment.
    pub(in crate::session) fn align(&mut self, base: &Recording, own: &Recording, jobs: &Jobs) {
        let clips = [Arc::clone(base.clip()), Arc::clone(own.clip())];
        let rate = own.timing().relative_to(base.timing()).rate;
        let pairs = self.matching.pairs().clone();
        self.aligning.start(jobs, (), move |_| {
            let [first, second] = &clips;
            compare::align([first, second], &pairs, rate)
        });
    }

    /// Starts alignment in a later frame.
    pub(in crate::session) fn align_next(&mut self) {
        self.aligns_next = true;
    }

    /// Clears the result of the last alignment.
    pub(in crate::session) fn forget_alignment(&mut self) {
        self.aligning.cancel();
        (self.aligned, self.aligns_next) = (None, false);
    }

    /// Matches a joint of the other recording with one of this one, or by its name again.
    pub(crate) fn choose_match(
        &mut self,
        clips: [&Clip; 2],
        first: NodeId,
        second: Option<NodeId>,
    ) {
        self.matching.choose(clips, first, second);
    }

    /// Matches joints unless that is done for these clips; returns whether the matches changed.
    fn match_joints(&mut self, base: &Recording, own: &Recording) -> bool {
        let revisions = Some([base.revision(), own.revision()]);
        if self.matched_for == revisions {
            return false;
        }
        self.matched_for = revisions;
        self.matching.rematch([base.clip(), own.clip()])
    }

    fn subject(&self, base: &Recording, own: &Recording) -> Subject {
        Subject {
            revisions: [base.revision(), own.revision()],
            pairs: self.matching.pairs().clone(),
            timing: own.timing().relative_to(base.timing()),
        }
    }
}

/// Matches the joints of recordings that are compared, and begins to align those that wait for it.
pub(in crate::session) fn match_joints(
    mut compared: Query<(&Recording, &mut Overlay, &mut Comparing)>,
    recordings: Query<&Recording>,
    jobs: Res<Jobs>,
) {
    for (own, mut overlay, mut comparing) in &mut compared {
        let Ok(base) = recordings.get(overlay.base) else { continue };
        let is_matched = comparing.matched_for == Some([base.revision(), own.revision()]);
        if !is_matched && comparing.match_joints(base, own) && overlay.mean.is_some() {
            overlay.mean = None;
        }
        if comparing.aligns_next {
            comparing.aligns_next = false;
            comparing.align(base, own, &jobs);
        }
    }
}

/// Measures distances whenever one of two recordings, or their relation, has changed.
pub(in crate::session) fn measure(
    mut compared: Query<(&Recording, &mut Overlay, &mut Comparing)>,
    recordings: Query<&Recording>,
    mut camera: MessageWriter<CameraRequest>,
    (jobs, screen): (Res<Jobs>, Res<StageScreen>),
) {
    for (own, mut overlay, mut comparing) in &mut compared {
        let Ok(base) = recordings.get(overlay.base) else { continue };
        let subject = comparing.subject(base, own);
        let quiet = comparing.bypass_change_detection();
        let is_old = quiet.measured.as_ref().is_none_or(|last| last.of != subject);
        if is_old && !quiet.measuring.is_running() {
            let clips = [Arc::clone(base.clip()), Arc::clone(own.clip())];
            let subject = subject.clone();
            quiet.measuring.start(&jobs, (), move |_| subject.measure(&clips[0], &clips[1]));
        }
        let measured = match quiet.measuring.poll() {
            None => continue,
            Some((_, Ok(measured))) => measured,
            Some((_, Err(crashed))) => {
                error!("comparing recordings: {crashed}");
                continue;
            }
        };
        if measured.of.revisions != subject.revisions {
            continue;
        }
        let mean = measured.comparison.as_ref().ok().map(|comparison| comparison.mean());
        let mean = mean.filter(|_| !measured.of.pairs.is_empty());
        let moves = overlay.mean.is_none() && overlay.placement != Placement::AsRecorded;
        if overlay.mean != mean {
            overlay.mean = mean;
            if moves && screen.sees_all {
                camera.write(CameraRequest::FrameAll { at_once: false });
            }
        }
        comparing.measured = Some(measured);
    }
}

/// Applies the offset of an alignment, once it is found.
pub(in crate::session) fn take_alignment(
    mut compared: Query<(Entity, &Overlay, &mut Comparing)>,
    mut recordings: Query<&mut Recording>,
) {
    for (entity, overlay, mut comparing) in &mut compared {
        let found = match comparing.bypass_change_detection().aligning.poll() {
            None => continue,
            Some((_, Ok(found))) => found,
            Some((_, Err(crashed))) => {
                error!("aligning recordings: {crashed}");
                continue;
            }
        };
        if let Ok(alignment) = &found
            && let Ok([base, mut own]) = recordings.get_many_mut([overlay.base, entity])
        {
            let rate = own.timing().relative_to(base.timing()).rate;
            let relative = Timing { offset: alignment.offset, rate };
            own.set_timing(relative.on_clock_of(base.timing()));
        }
        comparing.aligned = Some(found);
    }
}

/// Tells the stage which joint the selected one is matched with.
pub(in crate::session) fn note_matched_selection(
    compared: Query<(Entity, &Overlay, &Comparing)>,
    view: Res<View>,
    mut matched: ResMut<MatchedSelection>,
) {
    let found = view.selected.and_then(|selected| {
        compared.iter().find_map(|(entity, overlay, comparing)| {
            let pairs = comparing.matching().pairs();
            let (one, other) = if overlay.base == selected.recording {
                (selected.node, comparing.matching().matched(selected.node)?)
            } else if entity == selected.recording {
                let pair = pairs.iter().find(|pair| pair.second == selected.node)?;
                (pair.first, pair.second)
            } else {
                return None;
            };
            let other = RecordingNode::new(entity, other);
            Some([RecordingNode::new(overlay.base, one), other])
        })
    });
    matched.set_if_neq(MatchedSelection(found));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::ClipAsset;
    use mutoscope_core::formats;

    fn take() -> Recording {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        Recording::new(ClipAsset::new(
            formats::decode(bytes, &formats::DecodeRequest::default()).unwrap(),
        ))
    }

    /// Runs frames until nothing is under way.
    fn run(app: &mut App) {
        for _ in 0..10_000 {
            app.update();
            if app.world().resource::<Jobs>().busy() == 0 {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("it never ends");
    }

    /// An app in which a take is compared with another of the same, and the entities of both.
    fn app() -> (App, [Entity; 2]) {
        let mut app = App::new();
        app.add_plugins(TaskPoolPlugin::default())
            .init_resource::<Jobs>()
            .init_resource::<StageScreen>()
            .add_message::<CameraRequest>()
            .add_systems(Update, (match_joints, measure, take_alignment).chain());
        let base = app.world_mut().spawn(take()).id();
        let own = compare(&mut app, base);
        (app, [base, own])
    }

    fn compare(app: &mut App, base: Entity) -> Entity {
        let overlay = Overlay { base, placement: Placement::default(), mean: None };
        app.world_mut().spawn((take(), overlay, Comparing::default())).id()
    }

    fn set_timing(app: &mut App, of: Entity, timing: Timing) {
        app.world_mut().get_mut::<Recording>(of).unwrap().set_timing(timing);
    }

    fn measured(app: &App, of: Entity) -> Option<&Measured> {
        app.world().get::<Comparing>(of).unwrap().measured()
    }

    fn rms(app: &App, of: Entity) -> f64 {
        measured(app, of).unwrap().comparison.as_ref().unwrap().rms().unwrap()
    }

    fn align(app: &mut App, [base, own]: [Entity; 2]) {
        app.world_mut().resource_scope(|world, jobs: Mut<Jobs>| {
            let mut comparing = std::mem::take(&mut *world.get_mut::<Comparing>(own).unwrap());
            let [base, other] = [base, own].map(|one| world.get::<Recording>(one).unwrap());
            comparing.align(base, other, &jobs);
            *world.get_mut::<Comparing>(own).unwrap() = comparing;
        });
    }

    #[test]
    fn delayed_recording_has_no_distance_once_aligned() {
        let (mut app, [base, own]) = app();
        run(&mut app);
        assert_eq!(rms(&app, own), 0.0);
        set_timing(&mut app, own, Timing { offset: 0.4, rate: 1.0 });
        run(&mut app);
        assert!(rms(&app, own) > 0.01, "{}", rms(&app, own));
        align(&mut app, [base, own]);
        run(&mut app);
        run(&mut app);
        let timing = app.world().get::<Recording>(own).unwrap().timing();
        // Speeds are compared 120 times a second.
        assert!(timing.offset.abs() < 1.0 / 120.0, "{timing:?}");
        assert!(rms(&app, own) < 0.003, "{}", rms(&app, own));
        let comparing = app.world().get::<Comparing>(own).unwrap();
        let alignment = comparing.aligned().unwrap().as_ref().unwrap();
        assert!(alignment.correlation > 0.99 && alignment.is_certain());
    }

    #[test]
    fn any_two_recordings_are_compared_at_their_timing() {
        let (mut app, [_, second]) = app();
        let third = compare(&mut app, second);
        set_timing(&mut app, second, Timing { offset: 1.5, rate: 0.5 });
        set_timing(&mut app, third, Timing { offset: 1.5, rate: 0.5 });
        run(&mut app);
        assert_eq!(rms(&app, third), 0.0, "both are late by as much");
        assert!(rms(&app, second) > 0.01);
        set_timing(&mut app, third, Timing { offset: 2.0, rate: 0.5 });
        run(&mut app);
        align(&mut app, [second, third]);
        run(&mut app);
        run(&mut app);
        let timing = app.world().get::<Recording>(third).unwrap().timing();
        assert!((timing.offset - 1.5).abs() < 2.0 / 120.0, "{timing:?}");
    }

    #[test]
    fn recordings_without_common_time_are_reported() {
        let (mut app, [_, own]) = app();
        set_timing(&mut app, own, Timing { offset: 1e4, rate: 1.0 });
        run(&mut app);
        let measured = measured(&app, own).unwrap();
        assert_eq!(measured.comparison, Err(NeverTogether));
        assert!(measured.together.is_empty());
    }

    #[test]
    fn figures_of_a_replaced_clip_are_dropped() {
        let (mut app, [_, own]) = app();
        run(&mut app);
        let asset = take().asset().clone();
        app.world_mut().get_mut::<Recording>(own).unwrap().replace(asset);
        let mut comparing = app.world_mut().get_mut::<Comparing>(own).unwrap();
        comparing.matched_for = None;
        assert!(comparing.measured().is_none());
        run(&mut app);
        assert!(measured(&app, own).is_some());
    }
}
