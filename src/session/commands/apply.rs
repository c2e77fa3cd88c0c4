//! Applies commands to the session.

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
    CameraCommand, Command, CommandQueue, ConventionCommand, ExportCommand, ExportRequest, Exports,
    FileCommand, FileFailure, FilePurpose, Files, Jobs, OpenFootage, Panels, PlayheadCommand,
    Reports, SavedView, SnapshotRequests, Source, Toggle, ViewCommand, WindowRequest,
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

#[derive(SystemParam)]
pub(in crate::session) struct CommandContext<'w, 's> {
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
    snapshots: ResMut<'w, SnapshotRequests>,
    footage: ResMut<'w, OpenFootage>,
    reports: ResMut<'w, Reports>,
    first_view: ResMut<'w, SavedView>,
}

pub(in crate::session) fn apply_commands(
    mut queue: ResMut<CommandQueue>,
    mut context: CommandContext,
) {
    if queue.0.is_empty() {
        return;
    }
    for command in std::mem::take(&mut queue.0) {
        context.apply(command);
    }
}

impl CommandContext<'_, '_> {
    fn apply(&mut self, command: Command) {
        if !self.ask_before_losing_edits(&command) {
            self.dispatch(command);
        }
    }

    fn dispatch(&mut self, command: Command) {
        match command {
            Command::Time(command) => {
                self.open.apply_time_command(command, self.selected_recording())
            }
            Command::Playhead(command) => self.apply_playhead_command(command),
            Command::File(command) => self.apply_file_command(command),
            Command::Skeleton(command) => self.apply_skeleton_command(command),
            Command::View(command) => self.apply_view_command(command),
            Command::Camera(command) => self.apply_camera_command(command),
            Command::Toggle(toggle) => self.apply_toggle(toggle),
            Command::Convention(command) => self.apply_convention_command(command),
            Command::Columns(command) => self.apply_columns_command(command),
            Command::Compare(command) => self.apply_compare_command(command),
            Command::Scene(command) => self.apply_scene_command(command),
            Command::Label(command) => self.apply_label_command(command),
            Command::Edit(command) => self.apply_edit_command(command),
            Command::Footage(command) => self.apply_footage_command(command),
            Command::Panel(command) => self.panels.apply(&command),
            Command::Export(ExportCommand::Start(request)) => self.request_export(request),
            Command::Export(ExportCommand::Cancel) => self.exports.cancel(),
            // The timeline panel has already handled this command, because it stores its own view.
            Command::Timeline(_) => {}
            Command::CopyView => self.snapshots.copy_view = true,
            Command::Screenshot => {
                self.window.write(WindowRequest::SaveScreenshot);
            }
            Command::CloseWindow => {
                self.window.write(WindowRequest::Close);
            }
            Command::Cancel => {
                if !self.panels.close_floating() && !self.cancel_label() {
                    self.select(None);
                }
            }
        }
    }

    fn apply_playhead_command(&mut self, command: PlayheadCommand) {
        match command {
            PlayheadCommand::SetInPoint => self.apply_at_current_time(TimeCommand::SetIn),
            PlayheadCommand::SetOutPoint => self.apply_at_current_time(TimeCommand::SetOut),
            PlayheadCommand::StepKey(direction) => match self.view.selected {
                Some(selected) => self
                    .step_through(direction, |clip| clip.key_times_of(Owner::Node(selected.node))),
                None => self.open.apply_time_command(TimeCommand::Step(direction), None),
            },
            PlayheadCommand::StepEvent(direction) => self.step_through_events(direction),
        }
    }

    fn apply_file_command(&mut self, command: FileCommand) {
        match command {
            FileCommand::Choose => self.choose_files(FilePurpose::Recordings),
            FileCommand::Open(files) if self.are_label_files_for_recording(&files) => {
                files.iter().for_each(|path| self.import_labels(path));
            }
            FileCommand::Open(files) => self.open_together(files),
            FileCommand::OpenLinked(linked) if linked.unknown.is_empty() => {
                self.open_linked(*linked);
            }
            FileCommand::OpenLinked(linked) => self.panels.pending_link = Some(*linked),
            FileCommand::AllowLinked => {
                if let Some(linked) = self.panels.pending_link.take() {
                    self.open_linked(linked);
                }
            }
            FileCommand::RefuseLinked => self.panels.pending_link = None,
            FileCommand::ReportInvalidLink(why) => self.files.refused_link = Some(why),
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
                (self.files.failure, self.files.write_failure) = (None, None);
                self.files.refused_link = None;
            }
        }
    }

    fn apply_view_command(&mut self, command: ViewCommand) {
        match command {
            ViewCommand::Select(node) => self.select(node),
            ViewCommand::SelectKey(key) => self.select_key(key),
            ViewCommand::Hover(time) => self.hovered.0 = time,
            ViewCommand::ToggleNode(node) => self.toggle_node(node),
            ViewCommand::ToggleGroup { recording, group } => self.toggle_group(recording, group),
            ViewCommand::ToggleRecording(recording) => self.toggle_recording(recording),
            ViewCommand::SetMotionTrail(settings) => self.view.motion_trail = settings,
            ViewCommand::AddArea => self.add_area(),
            ViewCommand::SetAreas(areas) => self.view.areas = areas,
            ViewCommand::MeasureFrom(node) => self.view.measured_from = node,
        }
    }

    fn apply_camera_command(&mut self, command: CameraCommand) {
        let request = match command {
            CameraCommand::FrameAll => CameraRequest::FrameAll { at_once: false },
            CameraCommand::FrameSelected => CameraRequest::FrameSelected,
            CameraCommand::LookAlong(axis) => CameraRequest::LookAlong(axis),
            CameraCommand::CycleFollow => {
                self.view.follow = Some(self.screen.follow.next());
                return;
            }
        };
        self.camera.write(request);
    }

    fn apply_convention_command(&mut self, command: ConventionCommand) {
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
            ConventionCommand::SetFrameRate(rate_hz) => {
                let focus = self.open.focused_recording(self.selected_recording());
                if let Some(focus) = focus {
                    self.reload_with(focus, |options| options.frame_rate = rate_hz);
                }
            }
        }
    }

    fn request_export(&mut self, request: ExportRequest) {
        let files = request.target.output_paths(&request.path);
        let mut inputs = self.files.open_files();
        if let Some(footage) = self.footage.saved() {
            inputs.add(&footage.path, "the reference video");
        }
        match inputs.check_outputs(&files) {
            Ok(()) => self.snapshots.export = Some(request),
            Err(why) => self.exports.reject(request.path, why.to_string()),
        }
    }

    fn assume(&mut self, assumption: Option<Assumption>) {
        let Some(focus) = self.open.focused_recording(self.selected_recording()) else { return };
        let Some(clip) = self.open.recording(focus).map(|recording| recording.clip()) else {
            return;
        };
        let (format, is_attached) = (clip.format, clip.skeleton.attached().is_some());
        let saved = match assumption {
            Some(assumption) => self.settings.assume(format, assumption),
            None => self.settings.reset_assumptions(format),
        };
        if let Err(error) = saved {
            let name = "the settings".to_owned();
            let message = format!("cannot be written: {error}");
            self.files.failure = Some(FileFailure { name, message });
        }
        match assumption {
            // Decode the file again, because the assumption changes the times of the keys.
            Some(Assumption::SecondsPerUnit(_)) => self.reload(),
            // If a skeleton is attached, the last arm reloads the recording. The skeleton was
            // converted to the recording's space, which this assumption changes.
            Some(assumption) if !is_attached => {
                let mut assumptions = Assumptions::default();
                assumptions.assume(assumption);
                // An assumption for a format applies to all open recordings of that format.
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

    fn selected_recording(&self) -> Option<Entity> {
        self.view.selected.map(|selected| selected.recording)
    }

    fn apply_at_current_time(&mut self, command: fn(f64) -> TimeCommand) {
        let now = self.open.clock().time();
        self.open.apply_time_command(command(now), None);
    }

    fn select(&mut self, node: Option<RecordingNode>) {
        if node.is_some() {
            // Selecting a node deactivates the label selection.
            self.activate_labels(None);
        }
        self.view.selected = node;
        self.view.selected_key = None;
    }

    fn select_key(&mut self, RecordingKey { recording, key }: RecordingKey) {
        let Some(played) = self.open.recording(recording) else { return };
        let Some(track) = played.clip().tracks.get(key.track.index()) else { return };
        let Some(&time) = track.curve.key_times().get(key.index) else { return };
        let time = played.timing().to_clock_time(time);
        if let Owner::Node(node) = track.owner {
            self.view.selected = Some(RecordingNode::new(recording, node));
        }
        self.view.selected_key = Some(RecordingKey { recording, key });
        self.open.apply_time_command(TimeCommand::Seek(time), None);
    }

    fn toggle_node(&mut self, RecordingNode { recording, node }: RecordingNode) {
        if let Some(mut hidden) = self.open.hidden_mut(recording)
            && !hidden.remove(&node)
        {
            hidden.insert(node);
        }
    }

    fn toggle_group(&mut self, recording: Entity, group: GroupId) {
        let Some(clip) = self.open.recording(recording).map(|played| played.clip().clone()) else {
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

    fn apply_toggle(&mut self, toggle: Toggle) {
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
                    Ghosts::Off => Ghosts::EverySamples(Ghosts::DEFAULT_SAMPLES),
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
                self.panels.apply_toggle(toggle);
            }
        }
    }

    fn step_through(&mut self, direction: Direction, times_of: impl Fn(&Clip) -> Vec<f64>) {
        let Some(focus) = self.open.focused_recording(self.selected_recording()) else { return };
        let Some(recording) = self.open.recording(focus) else { return };
        let mut times = times_of(recording.clip());
        times.sort_unstable_by(f64::total_cmp);
        self.open.step_through(focus, direction, &times);
    }

    fn step_through_events(&mut self, direction: Direction) {
        let focus = self.open.focused_recording(self.selected_recording());
        let Some(issues) = focus.and_then(|focus| self.open.diagnostics(focus)) else { return };
        let diagnostic_times = issues.all().iter().filter_map(|issue| issue.time);
        let diagnostic_times: Vec<f64> = diagnostic_times.collect();
        self.step_through(direction, |clip| {
            let events = clip.events.iter().map(|event| event.time);
            events.chain(diagnostic_times.iter().copied()).collect()
        });
    }
}
