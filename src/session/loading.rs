//! Opening recordings off the UI thread.
//!
//! A job reads and decodes on a task; what plays goes on meanwhile, and stays if the job fails.

use bevy::prelude::*;

use super::{
    CommandQueue, Comparing, FailedLoading, Files, Job, Jobs, Loading, Progress, SavedView, Source,
    comparing,
    order::{Manner, Order, Outcome, What},
    remember::absolute,
    same_node::same_node,
    settings::Settings,
};
use crate::{
    asset::ClipAsset,
    clip::NodeId,
    counterpart::Counterpart,
    formats::FormatId,
    player::Player,
    stage::{CameraRequest, View},
};

/// What is being loaded, if anything is. A new job takes the place of the one before.
#[derive(Resource, Default)]
pub(super) struct LoadingJob {
    /// Known by the recording that it is about, as far as is known.
    job: Job<Option<Source>, Outcome>,
    /// The format that every file is taken for, if the user says so.
    pub(super) format: Option<FormatId>,
}

impl LoadingJob {
    /// Starts to carry out `order`.
    pub(super) fn start(&mut self, order: Order, files: &mut Files, jobs: &Jobs) {
        let progress = Progress::default();
        files.failed = None;
        files.loading = Some(Loading { name: order.name(), progress: progress.clone() });
        let source = match &order.what {
            What::Source(source) => Some(source.clone()),
            What::Together { files, open } => {
                files.first().cloned().map(Source::of_path).or_else(|| open.clone())
            }
        };
        self.job.start_with(jobs, source, progress, |progress| order.carry_out(progress));
    }

    /// The recording that is being loaded, if one is.
    pub(super) fn source(&self) -> Option<&Source> {
        self.job.key()?.as_ref()
    }
}

/// Takes over what was loaded, or says why it could not be.
pub(super) fn finish(
    mut job: ResMut<LoadingJob>,
    mut files: ResMut<Files>,
    (mut player, mut view): (ResMut<Player>, ResMut<View>),
    (mut asked_for, mut queue): (ResMut<SavedView>, ResMut<CommandQueue>),
    (mut comparing, mut counterpart): (ResMut<Comparing>, ResMut<Counterpart>),
    settings: Res<Settings>,
    mut camera: MessageWriter<CameraRequest>,
) {
    let Some((_, outcome)) = job.job.poll() else { return };
    let loading = files.loading.take();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(crashed) => {
            let name = loading.map(|loading| loading.name).unwrap_or_default();
            files.failed = Some(FailedLoading { name, message: crashed.to_string() });
            return;
        }
    };
    files.failed = outcome.failed;
    files.remember(outcome.recordings);
    if outcome.rig.is_some() {
        files.rig = outcome.rig;
    }
    let Some((source, recording)) = outcome.opened else { return };
    let is_same = files.current.as_ref() == Some(&source);
    let is_alike = player.clip().is_some_and(|clip| clip.format == recording.clip.format);
    match outcome.manner {
        Manner::GoesOn if is_same => {
            take_over(&mut player, &mut view, recording, Player::replace);
            files.say(format!("Read {} again", source.name()));
        }
        Manner::Alike if is_alike => {
            take_over(&mut player, &mut view, recording, Player::open_alike);
        }
        Manner::GoesOn | Manner::Alike | Manner::Afresh => {
            player.open(recording);
            view.selected = None;
            view.selected_key = None;
            view.hidden.clear();
            view.travel.pinned.clear();
            view.measured_from = None;
            let known = match &source {
                Source::File(path) => settings.camera(&absolute(path)),
                Source::Stdin | Source::Sample(_) => None,
            };
            let all = CameraRequest::FrameAll { at_once: true };
            camera.write(known.map_or(all, CameraRequest::LookFrom));
            comparing::stop(&mut comparing, &mut counterpart, &mut files);
            // The command line asks for the first recording only.
            let asked_for = std::mem::take(&mut *asked_for);
            queue.0.extend(asked_for.against());
            if let Err(message) = asked_for.show(&mut player, &mut view, &mut camera) {
                files.failed = Some(FailedLoading { name: source.name(), message });
            }
        }
    }
    files.current = Some(source);
}

/// Opens `recording` in place of what is open: what is selected or hidden stays so, where it is the
/// same.
fn take_over(
    player: &mut Player,
    view: &mut View,
    recording: ClipAsset,
    open: impl FnOnce(&mut Player, ClipAsset),
) {
    let before = player.clip().cloned();
    let after = recording.clip.clone();
    open(player, recording);
    view.selected_key = view.selected_key.filter(|key| {
        let keys = after.tracks.get(key.track.index()).map(|track| track.curve.key_count());
        keys.is_some_and(|count| key.index < count)
    });
    let again = |node: NodeId| before.as_ref().and_then(|before| same_node(before, &after, node));
    view.selected = view.selected.and_then(again);
    view.hidden = view.hidden.iter().copied().filter_map(again).collect();
    view.travel.pinned = view.travel.pinned.iter().copied().filter_map(again).collect();
    view.measured_from = view.measured_from.and_then(again);
}
