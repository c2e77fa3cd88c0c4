//! Applying commands.

mod areas;
mod columns;
mod comparing;
mod edits;
mod footage;
mod label_files;
mod labels;
mod opening;
mod scenes;
mod skeletons;

use bevy::{ecs::system::SystemParam, prelude::*};

use crate::session::{
    CameraCommand, Command, CommandQueue, ConventionCommand, ExportCommand, ExportOrder, Exports,
    FailedLoading, FileCommand, FilePurpose, Files, Jobs, OpenFootage, Panels, PlayheadCommand,
    Reports, SavedView, Snapshots, Source, Toggle, ViewCommand, WindowRequest,
    files::loading::{Interpolation, LoadingJob, OverlayJobs},
    files::open::OpenRecordingsMut,
    view::settings::Settings,
};
use crate::{
    recording::{RecordingKey, RecordingNode},
    stage::{CameraMode, CameraRequest, Ghosts, HoveredTime, StageScreen, View},
};
use mutoscope_core::{
    clip::{Assumption, Assumptions, Clip, GroupId, NodeId, Owner},
    playback::{Direction, TimeCommand},
};

/// Everything that commands change.
#[derive(SystemParam)]
pub(in crate::session) struct Targets<'w, 's> {
    open: OpenRecordingsMut<'w, 's>,
    view: ResMut<'w, View>,
    hovered: ResMut<'w, HoveredTime>,
    screen: Res<'w, StageScreen>,
    files: ResMut<'w, Files>,
    loading: ResMut<'w, LoadingJob>,
    overlays: ResMut<'w, OverlayJobs>,
    interpolation: ResMut<'w, Interpolation>,
    jobs: Res<'w, Jobs>,
    settings: ResMut<'w, Settings>,
    panels: ResMut<'w, Panels>,
    exports: ResMut<'w, Exports>,
    camera: MessageWriter<'w, CameraRequest>,
    window: MessageWriter<'w, WindowRequest>,
    snapshots: ResMut<'w, Snapshots>,
    footage: ResMut<'w, OpenFootage>,
    reports: ResMut<'w, Reports>,
    first_view: ResMut<'w, SavedView>,
}

/// Applies the commands of the queue, in order.
pub(in crate::session) fn apply_commands(mut queue: ResMut<CommandQueue>, mut targets: Targets) {
    if queue.0.is_empty() {
        return;
    }
    for command in std::mem::take(&mut queue.0) {
        targets.apply(command);
    }
}

impl Targets<'_, '_> {
    /// Does what `command` asks for, unless unsaved edits would be lost by it.
    fn apply(&mut self, command: Command) {
        if !self.asks_before(&command) {
            self.obey(command);
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Time(command) => self.open.steer(command, self.selected_recording()),
            Command::Playhead(command) => self.playhead(command),
            Command::File(command) => self.file(command),
            Command::Skeleton(command) => self.skeleton(command),
            Command::View(command) => self.view(command),
            Command::Camera(command) => self.camera(command),
            Command::Toggle(toggle) => self.toggle(toggle),
            Command::Convention(command) => self.convention(command),
            Command::Columns(command) => self.columns(command),
            Command::Compare(command) => self.compare(command),
            Command::Scene(command) => self.scene(command),
            Command::Label(command) => self.label(command),
            Command::Edit(command) => self.edit(command),
            Command::Footage(command) => self.footage(command),
            Command::Panel(command) => self.panels.apply(&command),
            Command::Export(ExportCommand::Start(order)) => self.export(order),
            Command::Export(ExportCommand::Cancel) => self.exports.cancel(),
            // The timeline keeps what it shows itself, and took the command before it came here.
            Command::Timeline(_) => {}
            Command::CopyView => self.snapshots.copy_view = true,
            Command::Screenshot => {
                self.window.write(WindowRequest::SaveScreenshot);
            }
            Command::CloseWindow => {
                self.window.write(WindowRequest::Close);
            }
            Command::Cancel => {
                if !self.panels.close_floating() && !self.leave_label() {
                    self.select(None);
                }
            }
        }
    }

    fn playhead(&mut self, command: PlayheadCommand) {
        match command {
            PlayheadCommand::SetInHere => self.at_now(TimeCommand::SetIn),
            PlayheadCommand::SetOutHere => self.at_now(TimeCommand::SetOut),
            PlayheadCommand::StepKey(direction) => match self.view.selected {
                Some(of) => {
                    self.step_among(direction, |clip| clip.key_times_of(Owner::Node(of.node)))
                }
                None => self.open.steer(TimeCommand::Step(direction), None),
            },
            PlayheadCommand::StepEvent(direction) => self.step_event(direction),
        }
    }

    fn file(&mut self, command: FileCommand) {
        match command {
            FileCommand::Choose => self.choose_files(FilePurpose::Recordings),
            FileCommand::Open(files) if self.adds_labels(&files) => {
                files.iter().for_each(|path| self.import_labels(path));
            }
            FileCommand::Open(files) => self.open_together(files),
            FileCommand::OpenLinked(linked) if linked.unknown.is_empty() => {
                self.open_linked(*linked);
            }
            FileCommand::OpenLinked(linked) => self.panels.would_open = Some(*linked),
            FileCommand::AllowLinked => {
                if let Some(linked) = self.panels.would_open.take() {
                    self.open_linked(linked);
                }
            }
            FileCommand::RefuseLinked => self.panels.would_open = None,
            FileCommand::LinkRefused(why) => self.files.refused_link = Some(why),
            FileCommand::OpenSample(index) => self.open(Source::Sample(index)),
            FileCommand::OpenListed(index) => self.open_listed(index),
            FileCommand::Sort(sort) => self.files.sort = sort,
            FileCommand::Reload => self.reload(),
            FileCommand::Step(direction) => self.step_file(direction),
            FileCommand::ChooseVariant { label, name } => self.choose_variant(&label, name),
            FileCommand::StepAnimation(direction) => self.step_animation(direction),
            FileCommand::ShowGallery => self.close_all(),
            FileCommand::Close(recording) => self.close(recording),
            FileCommand::DismissFailure => {
                (self.files.failed, self.files.unwritten) = (None, None);
                self.files.refused_link = None;
            }
        }
    }

    fn view(&mut self, command: ViewCommand) {
        match command {
            ViewCommand::Select(node) => self.select(node),
            ViewCommand::SelectKey(key) => self.select_key(key),
            ViewCommand::Hover(time) => self.hovered.0 = time,
            ViewCommand::ToggleNode(of) => self.toggle_node(of),
            ViewCommand::ToggleGroup { recording, group } => self.toggle_group(recording, group),
            ViewCommand::ToggleRecording(recording) => self.toggle_recording(recording),
            ViewCommand::SetMotionTrail(settings) => self.view.motion_trail = settings,
            ViewCommand::AddArea => self.add_area(),
            ViewCommand::SetAreas(areas) => self.view.areas = areas,
            ViewCommand::MeasureFrom(node) => self.view.measured_from = node,
        }
    }

    fn camera(&mut self, command: CameraCommand) {
        let request = match command {
            CameraCommand::FrameAll => CameraRequest::FrameAll { at_once: false },
            CameraCommand::FrameSelected => CameraRequest::FrameSelected,
            CameraCommand::LookAlong(axis) => CameraRequest::LookAlong(axis),
            CameraCommand::CycleFollow => {
                self.view.follow = Some(self.screen.follows.next());
                return;
            }
        };
        self.camera.write(request);
    }

    fn convention(&mut self, command: ConventionCommand) {
        match command {
            ConventionCommand::Assume(assumption) => self.assume(Some(assumption)),
            ConventionCommand::Reset => self.assume(None),
            ConventionCommand::SetInterpolation(interpolation) => {
                for entity in self.open.entities() {
                    if let Some(mut recording) = self.open.recording_mut(entity) {
                        recording.set_interpolation(interpolation);
                    }
                }
                self.interpolation.0 = interpolation;
            }
        }
    }

    fn export(&mut self, order: ExportOrder) {
        let files = order.target.files(&order.path);
        let mut inputs = self.files.inputs();
        if let Some(footage) = self.footage.saved() {
            inputs.add(&footage.path, "the reference video");
        }
        match inputs.allow_all(&files) {
            Ok(()) => self.snapshots.export = Some(order),
            Err(why) => self.exports.refuse(order.path, why),
        }
    }

    /// Sets an assumption for the format that is open, or resets it.
    fn assume(&mut self, assumption: Option<Assumption>) {
        let Some(focus) = self.open.focus(self.selected_recording()) else { return };
        let Some(clip) = self.open.recording(focus).map(|recording| recording.clip()) else {
            return;
        };
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
            // A skeleton was converted into the space of the recording, which has changed.
            Some(assumption) if !is_attached => {
                let mut assumptions = Assumptions::default();
                assumptions.assume(assumption);
                // An assumption for a format applies to all its recordings.
                for entity in self.open.entities() {
                    if let Some(mut recording) = self.open.recording_mut(entity)
                        && recording.clip().format == format
                    {
                        recording.edit_convention(|convention| assumptions.apply(convention));
                    }
                }
            }
            _ => self.reload(),
        }
        let is_in_place =
            matches!(assumption, Some(Assumption::Rotation(_) | Assumption::SecondsPerUnit(_)));
        if !is_in_place {
            self.camera.write(CameraRequest::FrameAll { at_once: false });
        }
    }

    fn choose_files(&mut self, purpose: FilePurpose) {
        self.window.write(WindowRequest::ChooseFiles(purpose));
    }

    /// The recording that a node is selected of.
    fn selected_recording(&self) -> Option<Entity> {
        self.view.selected.map(|selected| selected.recording)
    }

    fn at_now(&mut self, command: fn(f64) -> TimeCommand) {
        let now = self.open.clock().time();
        self.open.steer(command(now), None);
    }

    fn select(&mut self, node: Option<RecordingNode>) {
        if node.is_some() {
            // What is selected last is meant.
            self.activate_labels(None);
        }
        self.view.selected = node;
        self.view.selected_key = None;
    }

    fn select_key(&mut self, RecordingKey { recording, key }: RecordingKey) {
        let Some(of) = self.open.recording(recording) else { return };
        let Some(track) = of.clip().tracks.get(key.track.index()) else { return };
        let Some(&time) = track.curve.key_times().get(key.index) else { return };
        let time = of.timing().first(time);
        if let Owner::Node(node) = track.owner {
            self.view.selected = Some(RecordingNode::new(recording, node));
        }
        self.view.selected_key = Some(RecordingKey { recording, key });
        self.open.steer(TimeCommand::Seek(time), None);
    }

    fn toggle_node(&mut self, of: RecordingNode) {
        if let Some(mut hidden) = self.open.hidden_mut(of.recording)
            && !hidden.remove(&of.node)
        {
            hidden.insert(of.node);
        }
    }

    fn toggle_group(&mut self, recording: Entity, group: GroupId) {
        let Some(clip) = self.open.recording(recording).map(|one| one.clip().clone()) else {
            return;
        };
        let Some(mut hidden) = self.open.hidden_mut(recording) else { return };
        let members = clip.nodes.with_ids().filter(|(_, node)| node.group == Some(group));
        let members: Vec<NodeId> = members.map(|(id, _)| id).collect();
        if members.iter().any(|id| !hidden.contains(id)) {
            hidden.extend(members);
        } else {
            hidden.retain(|id| !members.contains(id));
        }
    }

    fn toggle(&mut self, toggle: Toggle) {
        let view = &mut *self.view;
        match toggle {
            Toggle::Labels => view.labels ^= true,
            Toggle::Axes => view.axes ^= true,
            Toggle::Bones => view.bones ^= true,
            Toggle::SmoothHands => view.smooth_hands ^= true,
            Toggle::Model => view.model ^= true,
            Toggle::Grid => view.grid ^= true,
            Toggle::RestPose => view.rest_pose ^= true,
            Toggle::InPlace => view.in_place ^= true,
            Toggle::Trails => view.motion_trail.trails ^= true,
            Toggle::Ghosts => {
                view.motion_trail.ghosts = match view.motion_trail.ghosts {
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
            Toggle::FullScreen => {
                self.window.write(WindowRequest::ToggleFullScreen);
            }
            Toggle::Curves
            | Toggle::Velocity
            | Toggle::NormalisedCurves
            | Toggle::Frames
            | Toggle::CompressGaps
            | Toggle::SkipGaps
            | Toggle::Snapping
            | Toggle::ReferenceSound
            | Toggle::Panels
            | Toggle::LightTheme => {
                self.panels.toggle(toggle);
            }
        }
    }

    /// Pauses at the next of the times that `times_of` gives for the clip of the recording that a node
    /// is selected of, else of the reference.
    fn step_among(&mut self, direction: Direction, times_of: impl Fn(&Clip) -> Vec<f64>) {
        let Some(focus) = self.open.focus(self.selected_recording()) else { return };
        let Some(recording) = self.open.recording(focus) else { return };
        let mut times = times_of(recording.clip());
        times.sort_unstable_by(f64::total_cmp);
        self.open.step_among(focus, direction, &times);
    }

    fn step_event(&mut self, direction: Direction) {
        let focus = self.open.focus(self.selected_recording());
        let Some(issues) = focus.and_then(|focus| self.open.issues(focus)) else { return };
        let found = issues.all().iter().filter_map(|issue| issue.time);
        let found: Vec<f64> = found.collect();
        self.step_among(direction, |clip| {
            let events = clip.events.iter().map(|event| event.time);
            events.chain(found.iter().copied()).collect()
        });
    }
}
