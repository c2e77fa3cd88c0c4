//! Opening recordings off the UI thread.
//!
//! A job reads and decodes on a task; what plays goes on meanwhile, and stays if the job fails.

use std::collections::VecDeque;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::session::{
    Command, CommandQueue, Comparing, EditedScene, FailedLoading, Files, FootageCommand, Job, Jobs,
    Loading, Progress, SavedFootage, SavedView, Source,
    files::open::{OpenRecordings, OpenRecordingsMut},
    files::open_request::{OpenMode, OpenRequest, OpenTarget, Outcome},
    files::same_node::same_node,
    view::remember::absolute,
    view::settings::Settings,
};
use crate::{
    asset::ClipAsset,
    recording::{Overlay, Recording, RecordingNode, default_looping},
    stage::{CameraRequest, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, FormatAssumptions, InterpolationOverride, NodeId},
    formats::FormatId,
    measure::compare::CompareOptions,
    playback::{Clock, TimeCommand},
};

/// The loading job. A new job takes the place of the one before.
#[derive(Resource, Default)]
pub(in crate::session) struct LoadingJob {
    /// Known by the recording that it is about, as far as is known.
    job: Job<Option<Source>, Outcome>,
    /// The format that every file is read as, if the user sets one.
    pub(in crate::session) format: Option<FormatId>,
}

/// How values are interpolated between keys, also of recordings that are opened later.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(in crate::session) struct Interpolation(pub(in crate::session) InterpolationOverride);

impl LoadingJob {
    /// Starts to carry out `order`.
    pub(in crate::session) fn start(&mut self, order: OpenRequest, files: &mut Files, jobs: &Jobs) {
        let progress = Progress::default();
        (files.failed, files.refused_link) = (None, None);
        files.loading = Some(Loading { name: order.name(), progress: progress.clone() });
        let source = match &order.what {
            OpenTarget::Source(source) => Some(source.clone()),
            OpenTarget::Files { files, open } => {
                files.first().cloned().map(Source::of_path).or_else(|| open.clone())
            }
        };
        let work = async |progress| order.run(&progress).await;
        self.job.start_cooperative(jobs, source, progress, work);
    }

    /// The recording that is being loaded, if one is.
    pub(in crate::session) fn source(&self) -> Option<&Source> {
        self.job.key()?.as_ref()
    }
}

/// The recordings that are being added to the open ones, one after the other.
#[derive(Resource, Default)]
pub(in crate::session) struct OverlayJobs {
    waiting: VecDeque<(OpenRequest, CompareOptions)>,
    job: Job<CompareOptions, Outcome>,
}

impl OverlayJobs {
    /// Begins to carry out `order` as soon as those before are done.
    pub(in crate::session) fn start(&mut self, order: OpenRequest, options: CompareOptions) {
        self.waiting.push_back((order, options));
    }

    /// Forgets all of them.
    pub(in crate::session) fn cancel(&mut self) {
        self.waiting.clear();
        self.job.cancel();
    }
}

/// The state that opening a recording changes.
#[derive(SystemParam)]
pub(in crate::session) struct Taker<'w, 's> {
    open: OpenRecordingsMut<'w, 's>,
    files: ResMut<'w, Files>,
    view: ResMut<'w, View>,
    camera: MessageWriter<'w, CameraRequest>,
    settings: Res<'w, Settings>,
    interpolation: Res<'w, Interpolation>,
}

/// Takes the result of loading: the recording, or a failure message.
pub(in crate::session) fn finish(
    mut job: ResMut<LoadingJob>,
    mut overlays: ResMut<OverlayJobs>,
    mut taker: Taker,
    (mut asked_for, mut queue): (ResMut<SavedView>, ResMut<CommandQueue>),
) {
    let Some((_, outcome)) = job.job.poll() else { return };
    let loading = taker.files.loading.take();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(crashed) => {
            let name = loading.map(|loading| loading.name).unwrap_or_default();
            taker.files.failed = Some(FailedLoading { name, message: crashed.to_string() });
            return;
        }
    };
    taker.files.failed = outcome.failed;
    taker.files.remember(outcome.recordings);
    if outcome.rig.is_some() {
        taker.files.rig = outcome.rig;
    }
    if let Some(retarget) = outcome.retarget {
        taker.files.retarget = retarget;
    }
    let footage = outcome.footage.map(SavedFootage::of_path).map(FootageCommand::Open);
    queue.0.extend(footage.map(Command::Footage));
    let Some((source, recording)) = outcome.opened else { return };
    let is_same = taker.files.current.as_ref() == Some(&source);
    let format = recording.clip.format;
    let is_alike = taker.open.reference_clip().is_some_and(|clip| clip.format == format);
    match outcome.mode {
        OpenMode::Reload if is_same => {
            let goes_on = |clock: &mut Clock, asset: &ClipAsset| clock.set_span(asset.clip.span);
            taker.replace(recording, source.clone(), goes_on);
            taker.files.say(format!("Reloaded {}", source.name()));
        }
        OpenMode::KeepView if is_alike => {
            let before = taker.open.reference().and_then(|one| taker.open.recording(one));
            let usual = before.map(|before| default_looping(before.asset()));
            taker.replace(recording, source.clone(), |clock, asset| {
                start_alike(clock, asset, usual == Some(clock.looping()));
            });
        }
        OpenMode::Reload | OpenMode::KeepView | OpenMode::New => {
            overlays.cancel();
            // The command line asks for the first recording only.
            let asked_for = std::mem::take(&mut *asked_for);
            queue.0.extend(asked_for.compared().chain(asked_for.open_footage()));
            if let Err(message) = taker.open_alone(recording, source.clone(), &asked_for) {
                taker.files.failed = Some(FailedLoading { name: source.name(), message });
            }
        }
    }
    taker.files.current = Some(source);
}

/// Lets `clock` play `asset` from its start at the speed it has, and keeps its looping, unless that
/// was only the default of the recording before.
fn start_alike(clock: &mut Clock, asset: &ClipAsset, was_usual: bool) {
    let (speed, looping) = (clock.speed(), clock.looping());
    *clock = Clock::new(asset.clip.span);
    let looping = if was_usual { default_looping(asset) } else { looping };
    for command in
        [TimeCommand::SetLooping(looping), TimeCommand::SetSpeed(speed), TimeCommand::Play]
    {
        clock.apply(command, &[]);
    }
}

impl Taker<'_, '_> {
    pub(in crate::session) fn entities(&self) -> Vec<Entity> {
        self.open.entities()
    }

    pub(in crate::session) fn scene_mut(&mut self, entity: Entity) -> Option<Mut<'_, EditedScene>> {
        self.open.scene_mut(entity)
    }

    pub(in crate::session) fn assumptions(&self) -> FormatAssumptions {
        self.settings.format_assumptions()
    }

    pub(in crate::session) fn fail(&mut self, failed: FailedLoading) {
        self.files.failed = Some(failed);
    }

    /// Plays `asset` in place of what an open recording plays; time, selection and view stay.
    pub(in crate::session) fn play_again(&mut self, entity: Entity, asset: ClipAsset) {
        let Some(source) = self.open.source(entity).cloned() else { return };
        if self.open.reference() == Some(entity) {
            let goes_on = |clock: &mut Clock, asset: &ClipAsset| clock.set_span(asset.clip.span);
            self.replace(asset, source, goes_on);
            return;
        }
        let before = self.open.recording(entity).map(|before| before.clip().clone());
        let after = asset.clip.clone();
        self.open.replace(entity, asset, source);
        if let Some(before) = before {
            self.keep_nodes(entity, &before, &after);
        }
    }

    /// Opens `recording` in place of all that are open, and shows what was asked for of it.
    fn open_alone(
        &mut self,
        recording: ClipAsset,
        source: Source,
        asked_for: &SavedView,
    ) -> Result<(), String> {
        let known = match &source {
            Source::File(path) => self.settings.camera(&absolute(path)),
            Source::Stdin | Source::Sample(_) => None,
        };
        let clip = recording.clip.clone();
        let entity = self.open.open(self.prepared(recording), source);
        self.view.selected = None;
        self.view.selected_key = None;
        self.view.motion_trail.pinned.clear();
        self.view.measured_from = None;
        let all = CameraRequest::FrameAll { at_once: true };
        self.camera.write(known.map_or(all, CameraRequest::LookFrom));
        if let Some(mut clock) = self.open.clock_mut() {
            asked_for.steer(&mut clock);
        }
        asked_for.look(entity, &clip, &mut self.view, &mut self.camera)
    }

    /// The recording of `asset`, interpolated as was chosen.
    fn prepared(&self, asset: ClipAsset) -> Recording {
        let mut recording = Recording::new(asset);
        recording.set_interpolation(self.interpolation.0);
        recording
    }

    /// Opens `recording` in place of the reference: what is selected or hidden stays so, where it is the
    /// same.
    fn replace(
        &mut self,
        recording: ClipAsset,
        source: Source,
        restart: impl FnOnce(&mut Clock, &ClipAsset),
    ) {
        let Some(entity) = self.open.reference() else { return };
        let before = self.open.recording(entity).map(|before| before.clip().clone());
        let after = recording.clip.clone();
        self.open.replace_reference(recording, source, restart);
        if let Some(before) = before {
            self.keep_nodes(entity, &before, &after);
        }
    }

    /// Finds what is selected, hidden, pinned or measured of a recording again in its new clip.
    fn keep_nodes(&mut self, entity: Entity, before: &Clip, after: &Clip) {
        let again = |node: NodeId| same_node(before, after, node);
        let again_of = |of: RecordingNode| match of.of(entity) {
            Some(node) => Some(RecordingNode::new(entity, again(node)?)),
            None => Some(of),
        };
        let view = &mut *self.view;
        view.selected_key = view.selected_key.filter(|key| {
            let Some(key) = key.of(entity) else { return true };
            let track = after.tracks.get(key.track.index());
            track.is_some_and(|track| key.index < track.curve.key_count())
        });
        view.selected = view.selected.and_then(again_of);
        view.motion_trail.pinned =
            view.motion_trail.pinned.iter().copied().filter_map(again_of).collect();
        view.measured_from = view.measured_from.and_then(again_of);
        if let Some(mut hidden) = self.open.hidden_mut(entity) {
            hidden.0 = hidden.iter().copied().filter_map(again).collect();
        }
    }
}

/// Takes over recordings that were read to be compared with the reference, or reports why they
/// could not be; one that is open already is reloaded.
pub(in crate::session) fn finish_overlays(
    mut overlays: ResMut<OverlayJobs>,
    mut taker: Taker,
    jobs: Res<Jobs>,
    screen: Res<StageScreen>,
) {
    let quiet = overlays.bypass_change_detection();
    if !quiet.job.is_running()
        && let Some((order, options)) = quiet.waiting.pop_front()
    {
        let progress = Progress::default();
        taker.files.adding = Some(Loading { name: order.name(), progress: progress.clone() });
        let work = async |progress| order.run(&progress).await;
        quiet.job.start_cooperative(&jobs, options, progress, work);
    }
    let Some((options, outcome)) = quiet.job.poll() else { return };
    taker.files.adding = None;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(crashed) => {
            error!("reading a recording: {crashed}");
            return;
        }
    };
    if outcome.failed.is_some() {
        taker.files.failed = outcome.failed;
    }
    let Some((source, recording)) = outcome.opened else { return };
    let Some(reference) = taker.open.reference() else { return };
    let entities = taker.open.entities();
    let is_it = |&&one: &&Entity| one != reference && taker.open.source(one) == Some(&source);
    if let Some(&entity) = entities.iter().find(is_it) {
        taker.play_again(entity, recording);
        return;
    }
    let index = entities.len();
    let mut recording = taker.prepared(recording);
    if let Some(timing) = options.timing {
        recording.set_timing(timing);
    }
    let placement = options.placement.unwrap_or_default();
    let overlay = Overlay { base: reference, placement, mean: None };
    let compared = (recording, overlay, Comparing::new(options.align));
    taker.open.spawn(compared, source, index);
    if screen.sees_all {
        taker.camera.write(CameraRequest::FrameAll { at_once: false });
    }
}

/// Why a recording cannot be compared with what is open, if nothing is.
pub(in crate::session) fn nothing_to_compare_with() -> FailedLoading {
    FailedLoading {
        name: "comparison".to_owned(),
        message: "no recording is open to compare with. Open one first".to_owned(),
    }
}

/// Notes where the open recordings were read from.
pub(in crate::session) fn note_sources(open: OpenRecordings, mut files: ResMut<Files>) {
    let all = open.in_order();
    let compared: Vec<Source> = all.iter().skip(1).map(|one| one.source.clone()).collect();
    if files.compared != compared {
        files.compared = compared;
    }
    let current = all.first().map(|one| one.source);
    if current.is_some() && files.current.as_ref() != current {
        files.current = current.cloned();
    }
}
