//! Opens recordings in the background.
//!
//! A job reads and decodes the files. The open recordings keep playing meanwhile, and stay open if
//! the job fails.

use std::collections::VecDeque;

use bevy::{ecs::system::SystemParam, prelude::*};

use super::{
    FileFailure, Files, Loading, OpenRecordingsMut, Source, find_same_node,
    open_job::{OpenJob, OpenMode, OpenOutcome, OpenTarget},
    opening::open_compared,
};
use crate::session::{
    history::EditHistory,
    jobs::{Job, Jobs, Progress},
    view::{SavedFootage, SavedView, Settings, absolute_path},
};
use bevy_mutoscope::{
    ClipAsset, Recording, RecordingNode, default_looping,
    stage::{CameraRequest, Overlay, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, InterpolationOverride, NodeId},
    formats::ReadOptions,
    measure::compare::CompareOptions,
    playback::{Clock, TimeCommand},
};

#[derive(Resource, Default)]
pub(in crate::session) struct LoadingJob {
    /// The running job. Its key is the source of the recording, or `None` if the source is not
    /// known yet.
    job: Job<Option<Source>, OpenOutcome>,
    /// Is `true` if the user asked to reload the file. After another command, a message that the
    /// file was reloaded would replace the message of that command.
    pub(super) announces_reload: bool,
}

#[derive(Resource, Clone, Copy, Debug, Default)]
pub(in crate::session) struct Interpolation(pub(in crate::session) InterpolationOverride);

impl LoadingJob {
    pub(in crate::session) fn start(&mut self, open_job: OpenJob, files: &mut Files, jobs: &Jobs) {
        let progress = Progress::default();
        self.announces_reload = false;
        (files.failure, files.refused_link) = (None, None);
        files.loading = Some(Loading { name: open_job.name(), progress: progress.clone() });
        let source = match &open_job.target {
            OpenTarget::Source(source) => Some(source.clone()),
            OpenTarget::Files { files, open } => {
                files.first().cloned().map(Source::from_path).or_else(|| open.clone())
            }
        };
        let work = async |progress| open_job.run(&progress).await;
        self.job.start_cooperative(jobs, source, progress, work);
    }

    pub(in crate::session) fn source(&self) -> Option<&Source> {
        self.job.key()?.as_ref()
    }
}

#[derive(Resource, Default)]
pub(in crate::session) struct OverlayJobs {
    waiting: VecDeque<(OpenJob, CompareOptions)>,
    /// The running job. Its key has the recording that is read again, and how a new recording is
    /// compared.
    job: Job<(Option<Entity>, CompareOptions), OpenOutcome>,
}

impl OverlayJobs {
    pub(in crate::session) fn start(&mut self, open_job: OpenJob, options: CompareOptions) {
        self.waiting.push_back((open_job, options));
    }

    pub(in crate::session) fn cancel(&mut self) {
        self.waiting.clear();
        self.job.cancel();
    }
}

#[derive(SystemParam)]
pub(in crate::session) struct RecordingInstaller<'w, 's> {
    open: OpenRecordingsMut<'w, 's>,
    files: ResMut<'w, Files>,
    view: ResMut<'w, View>,
    camera: MessageWriter<'w, CameraRequest>,
    settings: Res<'w, Settings>,
    interpolation: Res<'w, Interpolation>,
    history: ResMut<'w, EditHistory>,
}

/// Triggered if reference footage is to be opened with the recordings that were loaded.
#[derive(Event, Clone, Debug)]
pub(in crate::session) struct FootageFound(pub(in crate::session) SavedFootage);

/// Triggered after another recording was opened as the reference.
#[derive(Event, Clone, Debug)]
pub(in crate::session) struct ReferenceOpened {
    pub(in crate::session) source: Source,
    /// Is `true` if the link or the command line named areas of interest.
    pub(in crate::session) has_requested_areas: bool,
}

/// Triggered after a recording was opened to be compared with the reference.
#[derive(EntityEvent, Clone, Copy, Debug)]
pub(in crate::session) struct ComparedOpened {
    pub(in crate::session) entity: Entity,
    pub(in crate::session) options: CompareOptions,
}

pub(in crate::session) fn finish_loading(
    mut job: ResMut<LoadingJob>,
    mut overlays: ResMut<OverlayJobs>,
    mut installer: RecordingInstaller,
    mut requested_view: ResMut<SavedView>,
    mut commands: Commands,
) {
    let Some((_, outcome)) = job.job.poll() else { return };
    let loading = installer.files.loading.take();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(crashed) => {
            let name = loading.map(|loading| loading.name).unwrap_or_default();
            installer.files.failure = Some(FileFailure { name, message: crashed.to_string() });
            return;
        }
    };
    installer.files.failure = outcome.failure;
    installer.files.add_to_list(outcome.recordings);
    let has_new_skeleton = outcome.skeleton.is_some();
    if has_new_skeleton {
        installer.files.skeleton = outcome.skeleton;
    }
    if let Some(fit) = outcome.fit {
        installer.files.options.fit = fit;
    }
    if let Some(path) = outcome.footage {
        commands.trigger(FootageFound(SavedFootage::from_path(path)));
    }
    let Some((source, recording)) = outcome.opened else { return };
    if let Some(edit) = outcome.edit {
        installer.history.record(edit);
    }
    let is_same = installer.open.reference_source() == Some(&source);
    let format = recording.clip.format;
    let has_same_format = installer.open.reference_clip().is_some_and(|clip| clip.format == format);
    match outcome.mode {
        OpenMode::Reload if is_same => {
            let keep_time = |clock: &mut Clock, asset: &ClipAsset| clock.set_span(asset.clip.span);
            installer.replace_reference(recording, source.clone(), keep_time);
            if has_new_skeleton {
                installer.camera.write(CameraRequest::FrameAll { at_once: false });
            }
            if job.announces_reload {
                installer.files.notify(format!("Reloaded {}", source.name()));
            }
        }
        OpenMode::KeepView if has_same_format => {
            let before = installer
                .open
                .reference()
                .and_then(|reference| installer.open.recording(reference));
            let default_before = before.map(|before| default_looping(before.asset()));
            installer.replace_reference(recording, source.clone(), |clock, asset| {
                restart_clock(clock, asset, default_before == Some(clock.looping()));
            });
            if let Some(reference) = installer.open.reference() {
                installer.history.forget_recording(reference);
            }
            commands.trigger(ReferenceOpened { source, has_requested_areas: false });
        }
        OpenMode::Reload | OpenMode::KeepView | OpenMode::New => {
            overlays.cancel();
            // Apply the view of the command line or of a link only once, because it describes only
            // this recording.
            let requested_view = std::mem::take(&mut *requested_view);
            if let Err(message) =
                installer.open_with_view(recording, source.clone(), &requested_view)
            {
                installer.files.failure = Some(FileFailure { name: source.name(), message });
            }
            let has_requested_areas = !requested_view.areas.is_empty();
            commands.trigger(ReferenceOpened { source, has_requested_areas });
            for (path, options) in requested_view.compared {
                commands.run_system_cached_with(open_compared, (Source::from_path(path), options));
            }
            if let Some(footage) = requested_view.footage {
                commands.trigger(FootageFound(footage));
            }
        }
    }
}

/// Restarts `clock` for `asset` and keeps the speed and the looping mode. If the user has not
/// changed the looping mode (`was_default`), the clock gets the default of `asset`.
fn restart_clock(clock: &mut Clock, asset: &ClipAsset, was_default: bool) {
    let (speed, looping) = (clock.speed(), clock.looping());
    *clock = Clock::new(asset.clip.span);
    let looping = if was_default { default_looping(asset) } else { looping };
    for command in
        [TimeCommand::SetLooping(looping), TimeCommand::SetSpeed(speed), TimeCommand::Play]
    {
        clock.apply(command, &[]);
    }
}

impl RecordingInstaller<'_, '_> {
    pub(in crate::session) fn read_options(&self) -> ReadOptions {
        self.files.read_options(&self.settings)
    }

    pub(in crate::session) fn set_failure(&mut self, failed: FileFailure) {
        self.files.failure = Some(failed);
    }

    pub(in crate::session) fn replace_clip(&mut self, entity: Entity, asset: ClipAsset) {
        let Some(source) = self.open.source(entity).cloned() else { return };
        if self.open.reference() == Some(entity) {
            let keep_time = |clock: &mut Clock, asset: &ClipAsset| clock.set_span(asset.clip.span);
            self.replace_reference(asset, source, keep_time);
            return;
        }
        let before = self.open.recording(entity).map(|before| before.clip().clone());
        let after = asset.clip.clone();
        self.open.replace(entity, asset, source);
        if let Some(before) = before {
            self.remap_nodes(entity, &before, &after);
        }
    }

    fn open_with_view(
        &mut self,
        recording: ClipAsset,
        source: Source,
        requested_view: &SavedView,
    ) -> Result<(), String> {
        let last_camera = match &source {
            Source::File(path) => self.settings.camera(&absolute_path(path)),
            Source::Stdin | Source::Sample(_) => None,
        };
        let clip = recording.clip.clone();
        let entity = self.open.open(self.new_recording(recording), source);
        self.view.selected = None;
        self.view.selected_key = None;
        self.view.motion_trail.pinned.clear();
        self.view.measured_from.clear();
        let all = CameraRequest::FrameAll { at_once: true };
        self.camera.write(last_camera.map_or(all, CameraRequest::LookFrom));
        if let Some(mut clock) = self.open.clock_mut() {
            requested_view.apply_to_clock(&mut clock);
        }
        requested_view.apply_to_view(entity, &clip, &mut self.view, &mut self.camera)
    }

    fn new_recording(&self, asset: ClipAsset) -> Recording {
        let mut recording = Recording::new(asset);
        recording.set_interpolation(self.interpolation.0);
        recording
    }

    fn replace_reference(
        &mut self,
        recording: ClipAsset,
        source: Source,
        restart: impl FnOnce(&mut Clock, &ClipAsset),
    ) {
        let Some(entity) = self.open.reference() else { return };
        let before = self.open.recording(entity).map(|before| before.clip().clone());
        let after = recording.clip.clone();
        if let Some(mut clock) = self.open.clock_mut() {
            restart(&mut clock, &recording);
        }
        self.open.replace(entity, recording, source);
        if let Some(before) = before {
            self.remap_nodes(entity, &before, &after);
        }
    }

    fn remap_nodes(&mut self, entity: Entity, before: &Clip, after: &Clip) {
        let find_again = |node: NodeId| find_same_node(before, after, node);
        let find_node_again = |node: RecordingNode| match node.node_in(entity) {
            Some(own) => Some(RecordingNode::new(entity, find_again(own)?)),
            None => Some(node),
        };
        let view = &mut *self.view;
        view.selected_key = view.selected_key.filter(|key| {
            let Some(key) = key.key_in(entity) else { return true };
            let track = after.tracks.get(key.track.index());
            track.is_some_and(|track| key.index < track.curve.key_count())
        });
        view.selected = view.selected.and_then(find_node_again);
        view.motion_trail.pinned =
            view.motion_trail.pinned.iter().copied().filter_map(find_node_again).collect();
        view.measured_from =
            view.measured_from.iter().copied().filter_map(find_node_again).collect();
        if let Some(mut hidden) = self.open.hidden_mut(entity) {
            hidden.0 = hidden.iter().copied().filter_map(find_again).collect();
        }
    }
}

pub(in crate::session) fn finish_overlays(
    mut overlays: ResMut<OverlayJobs>,
    mut installer: RecordingInstaller,
    jobs: Res<Jobs>,
    screen: Res<StageScreen>,
    mut commands: Commands,
) {
    let untracked = overlays.bypass_change_detection();
    if !untracked.job.is_running()
        && let Some((open_job, options)) = untracked.waiting.pop_front()
    {
        let progress = Progress::default();
        installer.files.loading_compared =
            Some(Loading { name: open_job.name(), progress: progress.clone() });
        let key = (open_job.reloads, options);
        let work = async |progress| open_job.run(&progress).await;
        untracked.job.start_cooperative(&jobs, key, progress, work);
    }
    let Some(((reloaded, options), outcome)) = untracked.job.poll() else { return };
    installer.files.loading_compared = None;
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(crashed) => {
            error!("reading a recording: {crashed}");
            return;
        }
    };
    if outcome.failure.is_some() {
        installer.files.failure = outcome.failure;
    }
    let Some((source, recording)) = outcome.opened else { return };
    if let Some(edit) = outcome.edit {
        installer.history.record(edit);
    }
    let Some(reference) = installer.open.reference() else { return };
    let entities = installer.open.entities();
    // A file with several animations can be compared several times, once for each animation.
    let is_same_recording = |entity: &&Entity| match reloaded {
        Some(reloaded) => **entity == reloaded,
        None => {
            recording.clip.animations().is_none()
                && **entity != reference
                && installer.open.source(**entity) == Some(&source)
        }
    };
    if let Some(&entity) = entities.iter().find(is_same_recording) {
        installer.replace_clip(entity, recording);
        return;
    }
    if reloaded.is_some() {
        // The recording was closed while its file was read.
        return;
    }
    let index = entities.len();
    let mut recording = installer.new_recording(recording);
    if let Some(timing) = options.timing {
        recording.set_timing(timing);
    }
    let placement = options.placement.unwrap_or_default();
    let overlay = Overlay::new(reference, placement);
    let entity = installer.open.spawn((recording, overlay), source, index);
    commands.trigger(ComparedOpened { entity, options });
    if screen.frames_all {
        installer.camera.write(CameraRequest::FrameAll { at_once: false });
    }
}
