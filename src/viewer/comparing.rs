//! Holding a second recording against the one that plays: reading it, measuring how far the two are
//! apart, and finding where they move alike; each on a task.

use std::sync::Arc;

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, futures::check_ready},
};

use super::{
    FailedLoading, Files, Loading, Progress, Source,
    order::{Order, Outcome},
};
use crate::{
    clip::Clip,
    compare::{self, Alignment, Comparison, JointPair, NeverTogether, Timing, Unaligned},
    counterpart::{Counterpart, Placement, Wish},
    player::Player,
    stage::{CameraRequest, StageScreen},
};

/// What is known of how the two recordings differ, and what is being found out.
#[derive(Resource, Debug, Default)]
pub struct Comparing {
    /// The second recording, while it is being read.
    pub loading: Option<Loading>,
    reading: Option<(Task<Outcome>, Wish)>,
    measured: Option<Measured>,
    measuring: Option<Task<Measured>>,
    aligning: Option<Task<Result<Alignment, Unaligned>>>,
    aligned: Option<Result<Alignment, Unaligned>>,
    /// Whether that is to be looked for as soon as the joints are paired.
    aligns_next: bool,
}

/// How far two recordings are apart.
#[derive(Clone, Debug)]
pub struct Measured {
    of: Matter,
    /// Joint by joint; nothing if the two never play together.
    pub comparison: Result<Arc<Comparison>, NeverTogether>,
    /// All joints together, at each of the comparison's times, in metres.
    pub together: Arc<[Option<f64>]>,
    /// The indices of the comparison's deviations, those that are farthest apart first.
    pub worst_first: Arc<[usize]>,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq)]
struct Matter {
    generations: [u32; 2],
    pairs: Arc<[JointPair]>,
    timing: Timing,
}

/// Which recordings there are.
fn generations(player: &Player, counterpart: &Counterpart) -> [u32; 2] {
    [player.generation(), counterpart.generation()]
}

impl Matter {
    fn of(player: &Player, counterpart: &Counterpart) -> Self {
        Self {
            generations: generations(player, counterpart),
            pairs: counterpart.pairs().clone(),
            timing: counterpart.timing(),
        }
    }

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
    /// How far the two recordings are apart, as far as that is known: while something is measured
    /// anew, that is how far they were. Nothing that was measured of other recordings.
    pub fn measured(&self, player: &Player, counterpart: &Counterpart) -> Option<&Measured> {
        let generations = generations(player, counterpart);
        self.measured.as_ref().filter(|measured| measured.of.generations == generations)
    }

    /// Whether something is measured anew.
    pub fn is_measuring(&self) -> bool {
        self.measuring.is_some()
    }

    /// Whether the offset is looked for at which both move alike.
    pub fn is_aligning(&self) -> bool {
        self.aligning.is_some()
    }

    /// What came of looking for it last.
    pub fn aligned(&self) -> Option<&Result<Alignment, Unaligned>> {
        self.aligned.as_ref()
    }

    /// Whether something is under way.
    pub(super) fn is_busy(&self) -> bool {
        self.reading.is_some() || self.aligns_next || self.is_measuring() || self.is_aligning()
    }

    /// Measures at once how far `counterpart` is from what plays.
    #[cfg(test)]
    pub(crate) fn of(player: &Player, counterpart: &Counterpart) -> Self {
        let clips = player.clip().zip(counterpart.clip());
        let measured =
            clips.map(|(one, other)| Matter::of(player, counterpart).measure(one, other));
        Self { measured, ..Self::default() }
    }

    /// Reads a second recording, or the one that there is anew.
    pub(super) fn read(&mut self, order: Order, wish: Wish) {
        let progress = Progress::default();
        self.loading = Some(Loading { name: order.name(), progress: progress.clone() });
        let task = AsyncComputeTaskPool::get().spawn(async move { order.carry_out(&progress) });
        self.reading = Some((task, wish));
    }

    /// Looks for the offset at which both move alike.
    pub(super) fn align(&mut self, player: &Player, counterpart: &Counterpart) {
        let Some((first, second)) = player.clip().cloned().zip(counterpart.clip().cloned()) else {
            return;
        };
        let (pairs, rate) = (counterpart.pairs().clone(), counterpart.timing().rate);
        let task = async move { compare::align([&first, &second], &pairs, rate) };
        self.aligning = Some(AsyncComputeTaskPool::get().spawn(task));
    }

    /// Forgets what was found at another offset.
    pub(super) fn forget_alignment(&mut self) {
        (self.aligning, self.aligned) = (None, None);
    }
}

/// Takes the second recording away, or stops reading it.
pub(super) fn stop(comparing: &mut Comparing, counterpart: &mut Counterpart, files: &mut Files) {
    *comparing = Comparing::default();
    counterpart.close();
    files.against = None;
}

/// Takes over a second recording that was read, or says why it could not be.
pub(super) fn take_over(
    mut comparing: ResMut<Comparing>,
    mut counterpart: ResMut<Counterpart>,
    mut files: ResMut<Files>,
    mut camera: MessageWriter<CameraRequest>,
    screen: Res<StageScreen>,
) {
    let Some((task, wish)) = &mut comparing.bypass_change_detection().reading else { return };
    let Some(outcome) = check_ready(task) else { return };
    let wish = *wish;
    (comparing.reading, comparing.loading) = (None, None);
    if outcome.failed.is_some() {
        files.failed = outcome.failed;
    }
    let Some((source, recording)) = outcome.opened else { return };
    let is_the_same = files.against.as_ref() == Some(&source) && counterpart.clip().is_some();
    match is_the_same {
        true => counterpart.replace(recording),
        false => {
            comparing.forget_alignment();
            counterpart.open(recording);
        }
    }
    files.against = Some(source);
    counterpart.obey(wish);
    comparing.aligns_next = wish.align;
    if !is_the_same && screen.sees_all {
        camera.write(CameraRequest::FrameAll { at_once: false });
    }
}

/// Measures how far the two are apart whenever one of them, or how they lie, is another.
pub(super) fn measure(
    mut comparing: ResMut<Comparing>,
    mut counterpart: ResMut<Counterpart>,
    mut camera: MessageWriter<CameraRequest>,
    (player, screen): (Res<Player>, Res<StageScreen>),
) {
    let Some((first, second)) = player.clip().zip(counterpart.clip()) else {
        if comparing.measured.is_some() {
            comparing.measured = None;
        }
        return;
    };
    let matter = Matter::of(&player, &counterpart);
    let quiet = comparing.bypass_change_detection();
    if quiet.measuring.is_none() && quiet.measured.as_ref().is_none_or(|last| last.of != matter) {
        let (first, second) = (first.clone(), second.clone());
        let task = async move { matter.measure(&first, &second) };
        quiet.measuring = Some(AsyncComputeTaskPool::get().spawn(task));
    }
    let Some(measured) = quiet.measuring.as_mut().and_then(check_ready) else { return };
    comparing.measuring = None;
    if measured.of.generations != generations(&player, &counterpart) {
        return;
    }
    let mean = measured.comparison.as_ref().ok().map(|comparison| comparison.mean());
    let mean = mean.filter(|_| !measured.of.pairs.is_empty());
    let moves = counterpart.mean.is_none() && counterpart.placement != Placement::AsRecorded;
    if counterpart.mean != mean {
        counterpart.mean = mean;
        if moves && screen.sees_all {
            camera.write(CameraRequest::FrameAll { at_once: false });
        }
    }
    comparing.measured = Some(measured);
}

/// Lays the second recording where both move alike, once that is found.
pub(super) fn align(
    mut comparing: ResMut<Comparing>,
    mut counterpart: ResMut<Counterpart>,
    player: Res<Player>,
) {
    // What names suggest is known only after a frame.
    if comparing.aligns_next && counterpart.is_paired() {
        comparing.aligns_next = false;
        comparing.align(&player, &counterpart);
    }
    let quiet = comparing.bypass_change_detection();
    let Some(found) = quiet.aligning.as_mut().and_then(check_ready) else { return };
    comparing.aligning = None;
    if let Ok(alignment) = &found {
        let timing = counterpart.timing();
        counterpart.set_timing(Timing { offset: alignment.offset, ..timing });
    }
    comparing.aligned = Some(found);
}

/// Why nothing can be held against what plays, if that is so.
pub(super) fn nothing_to_hold_against() -> FailedLoading {
    FailedLoading {
        name: "a second recording".to_owned(),
        message: "it is held against a recording that is open: open that first".to_owned(),
    }
}

/// Where a recording is to be read from for the second time; nothing for what can be read only once.
pub(super) fn again(files: &Files) -> Option<Source> {
    files.against.clone().filter(Source::can_be_read_again)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        asset::ClipAsset,
        formats::{self, DecodeRequest},
    };

    fn take() -> ClipAsset {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        ClipAsset::new(formats::decode(bytes, &DecodeRequest::default()).unwrap())
    }

    /// Runs frames until nothing is under way.
    fn run(app: &mut App) {
        for _ in 0..10_000 {
            app.update();
            if !app.world().resource::<Comparing>().is_busy() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        panic!("it never ends");
    }

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins(TaskPoolPlugin::default())
            .init_resource::<Player>()
            .init_resource::<Counterpart>()
            .init_resource::<Comparing>()
            .init_resource::<StageScreen>()
            .add_message::<CameraRequest>()
            .add_systems(Update, (crate::counterpart::go_along, measure, align).chain());
        app.world_mut().resource_mut::<Player>().open(take());
        app.world_mut().resource_mut::<Counterpart>().open(take());
        app
    }

    #[test]
    fn what_is_late_is_apart_until_it_is_laid_where_both_move_alike() {
        let mut app = app();
        run(&mut app);
        let rms = |app: &App| {
            let comparing = app.world().resource::<Comparing>();
            let (player, counterpart) = (app.world().resource(), app.world().resource());
            let measured = comparing.measured(player, counterpart).unwrap();
            measured.comparison.as_ref().unwrap().rms().unwrap()
        };
        assert_eq!(rms(&app), 0.0);
        let late = Timing { offset: 0.4, rate: 1.0 };
        app.world_mut().resource_mut::<Counterpart>().set_timing(late);
        run(&mut app);
        assert!(rms(&app) > 0.01, "{}", rms(&app));
        app.world_mut().resource_scope(|world, mut comparing: Mut<Comparing>| {
            let (player, counterpart) = (world.resource(), world.resource());
            comparing.align(player, counterpart);
        });
        run(&mut app);
        run(&mut app);
        let timing = app.world().resource::<Counterpart>().timing();
        // Speeds are compared 120 times a second.
        assert!(timing.offset.abs() < 1.0 / 120.0, "{timing:?}");
        assert!(rms(&app) < 0.003, "{}", rms(&app));
        let comparing = app.world().resource::<Comparing>();
        let alignment = comparing.aligned().unwrap().as_ref().unwrap();
        assert!(alignment.correlation > 0.99 && alignment.is_certain());
    }

    #[test]
    fn what_never_plays_together_is_said_to() {
        let mut app = app();
        let never = Timing { offset: 1e4, rate: 1.0 };
        app.world_mut().resource_mut::<Counterpart>().set_timing(never);
        run(&mut app);
        let (player, counterpart) = (app.world().resource(), app.world().resource());
        let comparing = app.world().resource::<Comparing>();
        let measured = comparing.measured(player, counterpart).unwrap();
        assert_eq!(measured.comparison, Err(NeverTogether));
        assert!(measured.together.is_empty());
    }

    #[test]
    fn what_was_measured_of_another_recording_is_not_told() {
        let mut app = app();
        run(&mut app);
        app.world_mut().resource_mut::<Counterpart>().replace(take());
        let (player, counterpart) = (app.world().resource(), app.world().resource());
        let comparing = app.world().resource::<Comparing>();
        assert!(comparing.measured(player, counterpart).is_none());
        run(&mut app);
        let (player, counterpart) = (app.world().resource(), app.world().resource());
        let comparing = app.world().resource::<Comparing>();
        assert!(comparing.measured(player, counterpart).is_some());
    }
}
