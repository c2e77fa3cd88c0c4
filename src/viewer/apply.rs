//! What commands do.

mod against;
mod opening;

use std::path::PathBuf;

use bevy::{
    ecs::system::SystemParam,
    prelude::*,
    render::view::screenshot::{Screenshot, save_to_disk},
    window::{MonitorSelection, PrimaryWindow, WindowMode},
};

use super::{
    AskedFor, Command, Comparing, ExportOrder, Exports, FailedLoading, Files, Findings, Source,
    Toggle, comparing, dialogs::OpenDialog, exporting::Scene, loading::LoadingJob, order::On,
    settings::Settings,
};
use crate::{
    clip::{Assumption, Assumptions, Clip, GroupId, KeyId, NodeId, Owner},
    counterpart::Counterpart,
    playback::{Direction, TimeCommand},
    player::Player,
    stage::{CameraMode, CameraRequest, Ghosts, HoveredTime, StageScreen, View, Wardrobe},
    ui::CommandQueue,
};

/// Everything that commands change.
#[derive(SystemParam)]
pub(super) struct Targets<'w, 's> {
    player: ResMut<'w, Player>,
    view: ResMut<'w, View>,
    hovered: ResMut<'w, HoveredTime>,
    screen: Res<'w, StageScreen>,
    files: ResMut<'w, Files>,
    findings: Res<'w, Findings>,
    loading: ResMut<'w, LoadingJob>,
    settings: ResMut<'w, Settings>,
    dialog: ResMut<'w, OpenDialog>,
    exports: ResMut<'w, Exports>,
    counterpart: ResMut<'w, Counterpart>,
    comparing: ResMut<'w, Comparing>,
    wardrobe: Res<'w, Wardrobe>,
    camera: MessageWriter<'w, CameraRequest>,
    window: Query<'w, 's, &'static mut Window, With<PrimaryWindow>>,
    commands: Commands<'w, 's>,
}

/// Does what the queue says, in its order.
pub(super) fn apply_commands(mut queue: ResMut<CommandQueue>, mut targets: Targets) {
    if queue.0.is_empty() {
        return;
    }
    for command in std::mem::take(&mut queue.0) {
        targets.apply(command);
    }
}

impl Targets<'_, '_> {
    fn apply(&mut self, command: Command) {
        let now = self.player.clock().time();
        match command {
            Command::Time(command) => self.player.apply(command),
            Command::SetInHere => self.player.apply(TimeCommand::SetIn(now)),
            Command::SetOutHere => self.player.apply(TimeCommand::SetOut(now)),
            Command::StepKey(direction) => match self.view.selected {
                Some(node) => self.step_among(direction, |clip| key_times(clip, node)),
                None => self.player.apply(TimeCommand::Step(direction)),
            },
            Command::StepEvent(direction) => {
                let found = self.findings.all().iter().filter_map(|finding| finding.time);
                let found: Vec<f64> = found.collect();
                self.step_among(direction, |clip| {
                    let events = clip.events.iter().map(|event| event.time);
                    events.chain(found.iter().copied()).collect()
                });
            }
            Command::Open => self.dialog.ask(AskedFor::Recordings),
            Command::OpenPaths(files) => self.open_together(files),
            Command::OpenSample(index) => self.open(Source::Sample(index)),
            Command::Reload => self.reload(),
            Command::StepFile(direction) => self.step_file(direction),
            Command::OpenListed(index) => self.open_listed(index),
            Command::ChooseVariant { label, name } => self.choose_variant(&label, name),
            Command::AskForSkeleton => self.dialog.ask(AskedFor::Skeleton),
            Command::AttachSkeleton(path) => self.put_on(On::File(path)),
            Command::DetachSkeleton => {
                self.files.rig = None;
                self.files.alone_in = self.files.folder();
                self.put_on(On::Nothing);
            }
            Command::ShowGallery => {
                self.player.close();
                self.files.current = None;
                comparing::stop(&mut self.comparing, &mut self.counterpart, &mut self.files);
            }
            Command::DismissFailure => self.files.failed = None,
            Command::Select(node) => {
                self.view.selected = node;
                self.view.selected_key = None;
            }
            Command::SelectKey(key) => self.select_key(key),
            Command::ToggleNode(node) => {
                if !self.view.hidden.remove(&node) {
                    self.view.hidden.insert(node);
                }
            }
            Command::ToggleGroup(group) => self.toggle_group(group),
            Command::Toggle(toggle) => self.toggle(toggle),
            Command::Assume(assumption) => self.assume(Some(assumption)),
            Command::AssumeTheUsual => self.assume(None),
            Command::Sample(sampling) => self.player.set_sampling(sampling),
            Command::Travel(travel) => self.view.travel = travel,
            Command::MeasureFrom(node) => self.view.measured_from = node,
            Command::Compare(command) => self.compare(command),
            Command::FrameAll => {
                self.camera.write(CameraRequest::FrameAll { at_once: false });
            }
            Command::FrameSelected => {
                self.camera.write(CameraRequest::FrameSelected);
            }
            Command::LookAlong(axis) => {
                self.camera.write(CameraRequest::LookAlong(axis));
            }
            Command::CycleFollow => self.view.follow = Some(self.screen.follows.next()),
            Command::Export(order) => self.export(order),
            Command::CancelExport => self.exports.cancel(),
            Command::Screenshot => self.screenshot(),
            Command::Hover(time) => self.hovered.0 = time,
            // The panels' own affair; they keep it for themselves.
            Command::EditTime
            | Command::CopyView
            | Command::FitCurves
            | Command::FoldRows
            | Command::UnfoldRows
            | Command::ZoomToRange
            | Command::ZoomToAll => {}
        }
    }

    /// Assumes something else of the format that is open, or what is usual.
    fn assume(&mut self, assumption: Option<Assumption>) {
        let Some(clip) = self.player.clip() else { return };
        let (format, is_attached) = (clip.format, clip.skeleton.attached().is_some());
        let kept = match assumption {
            Some(assumption) => self.settings.assume(format, assumption),
            None => self.settings.forget(format),
        };
        if let Err(error) = kept {
            let name = "the settings".to_owned();
            let message = format!("cannot be written: {error}");
            self.files.failed = Some(FailedLoading { name, message });
        }
        match assumption {
            // Keys have moved in time.
            Some(Assumption::SecondsPerUnit(_)) => self.reload(),
            // A skeleton was brought into the space of the recording, which is another now.
            Some(assumption) if !is_attached => {
                let mut assumptions = Assumptions::default();
                assumptions.assume(assumption);
                self.player.edit_convention(|convention| assumptions.apply(convention));
            }
            _ => self.reload(),
        }
        let is_in_place =
            matches!(assumption, Some(Assumption::Rotation(_) | Assumption::SecondsPerUnit(_)));
        if !is_in_place {
            self.camera.write(CameraRequest::FrameAll { at_once: false });
        }
    }

    fn select_key(&mut self, key: KeyId) {
        let Some(track) = self.player.clip().and_then(|clip| clip.tracks.get(key.track.index()))
        else {
            return;
        };
        let Some(&time) = track.curve.key_times().get(key.index) else { return };
        if let Owner::Node(node) = track.owner {
            self.view.selected = Some(node);
        }
        self.view.selected_key = Some(key);
        self.player.apply(TimeCommand::Seek(time));
    }

    fn toggle_group(&mut self, group: GroupId) {
        let Some(clip) = self.player.clip() else { return };
        let members = clip.nodes.with_ids().filter(|(_, node)| node.group == Some(group));
        let members: Vec<NodeId> = members.map(|(id, _)| id).collect();
        if members.iter().any(|id| !self.view.hidden.contains(id)) {
            self.view.hidden.extend(members);
        } else {
            self.view.hidden.retain(|id| !members.contains(id));
        }
    }

    fn toggle(&mut self, toggle: Toggle) {
        let view = &mut *self.view;
        match toggle {
            Toggle::Labels => view.labels ^= true,
            Toggle::Axes => view.axes ^= true,
            Toggle::Bones => view.bones ^= true,
            Toggle::Model => view.model ^= true,
            Toggle::Grid => view.grid ^= true,
            Toggle::RestPose => view.rest_pose ^= true,
            Toggle::InPlace => view.in_place ^= true,
            Toggle::Trails => view.travel.trails ^= true,
            Toggle::Ghosts => {
                view.travel.ghosts = match view.travel.ghosts {
                    Ghosts::Off => Ghosts::EverySamples(Ghosts::USUAL_SAMPLES),
                    _ => Ghosts::Off,
                };
            }
            Toggle::FadeUntracked => view.fade_untracked ^= true,
            Toggle::HeadCamera => {
                view.camera = match view.camera {
                    CameraMode::Free => CameraMode::Head,
                    CameraMode::Head => CameraMode::Free,
                };
            }
            Toggle::FullScreen => self.toggle_full_screen(),
            // The panels' own affair; they keep it for themselves.
            Toggle::Curves
            | Toggle::Bytes
            | Toggle::MovedCurves
            | Toggle::NormalisedCurves
            | Toggle::Frames
            | Toggle::Folds
            | Toggle::Snapping
            | Toggle::Panels
            | Toggle::Chooser
            | Toggle::Help
            | Toggle::Export
            | Toggle::Findings
            | Toggle::Skeleton => {}
        }
    }

    fn toggle_full_screen(&mut self) {
        if let Ok(mut window) = self.window.single_mut() {
            window.mode = match window.mode {
                WindowMode::Windowed => WindowMode::BorderlessFullscreen(MonitorSelection::Current),
                _ => WindowMode::Windowed,
            };
        }
    }

    /// Pauses at the next of the times that `times_of` gives for the clip.
    fn step_among(&mut self, direction: Direction, times_of: impl Fn(&Clip) -> Vec<f64>) {
        let Some(clip) = self.player.clip() else { return };
        let mut times = times_of(clip);
        times.sort_unstable_by(f64::total_cmp);
        self.player.step_among(direction, &times);
    }

    fn export(&mut self, order: ExportOrder) {
        let (counterpart, view) = (&self.counterpart, &self.view);
        let scene = Scene::of(&self.player, counterpart, view, &self.screen, &self.wardrobe);
        if let Some(scene) = scene {
            self.exports.start(order, scene);
        }
    }

    fn screenshot(&mut self) {
        let path = free_name("mutoscope", "png");
        self.files.say(format!("Saved {}", path.display()));
        self.commands.spawn(Screenshot::primary_window()).observe(save_to_disk(path));
    }
}

/// The times of all keys of a node.
fn key_times(clip: &Clip, node: NodeId) -> Vec<f64> {
    let tracks = clip.tracks_of(Owner::Node(node));
    tracks.flat_map(|(_, track)| track.curve.key_times()).copied().collect()
}

/// A name in the current folder that no file has yet.
fn free_name(stem: &str, extension: &str) -> PathBuf {
    let names = (1..).map(|number| PathBuf::from(format!("{stem}-{number}.{extension}")));
    names.into_iter().find(|path| !path.exists()).unwrap_or_default()
}
