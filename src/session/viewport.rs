//! The selection, what the viewport shows, and the camera.

use bevy::prelude::*;

use super::{files::OpenRecordingsMut, view::select_node};
use bevy_mutoscope::{
    RecordingKey, RecordingNode,
    stage::{AxisView, CameraRequest, HoveredTime, MotionTrailSettings, StageScreen, View},
};
use mutoscope_core::{
    clip::{GroupId, NodeId, Owner},
    playback::TimeCommand,
};

/// A command on the selection and on what the viewport shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewCommand {
    /// Selects a node, or clears the selection.
    Select(Option<RecordingNode>),
    /// Selects a key and its node, and seeks to the key.
    SelectKey(RecordingKey),
    /// Previews the time under the pointer. `None` ends the preview.
    Hover(Option<f64>),
    /// Shows or hides a node.
    ToggleNode(RecordingNode),
    /// Hides all nodes of a group if any of them is visible. Otherwise shows all of them.
    ToggleGroup {
        /// The recording.
        recording: Entity,
        /// The group in the clip of that recording.
        group: GroupId,
    },
    /// Shows or hides a whole recording.
    ToggleRecording(Entity),
    /// Sets the motion trails and ghosts.
    SetMotionTrail(MotionTrailSettings),
    /// Measures from this node to the selected one. `None` clears the measurement.
    MeasureFrom(Vec<RecordingNode>),
}

/// A command on the camera.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraCommand {
    /// Frames all animated nodes.
    FrameAll,
    /// Frames the selected node.
    FrameSelected,
    /// Looks along an axis.
    LookAlong(AxisView),
    /// Cycles through the follow modes of the camera: off, position, position and rotation.
    CycleFollow,
}

pub(in crate::session) fn plugin(app: &mut App) {
    // An app without a stage needs these resources too. If there is a stage, it adds the same
    // resources.
    app.init_resource::<HoveredTime>()
        .init_resource::<StageScreen>()
        .init_resource::<View>()
        .add_message::<CameraRequest>();
}

pub(in crate::session) fn apply_view_command(
    In(command): In<ViewCommand>,
    mut open: OpenRecordingsMut,
    mut view: ResMut<View>,
    mut hovered: ResMut<HoveredTime>,
    mut commands: Commands,
) {
    match command {
        ViewCommand::Select(node) => select_node(node, &mut view, &mut commands),
        ViewCommand::SelectKey(key) => select_key(key, &mut open, &mut view),
        ViewCommand::Hover(time) => hovered.0 = time,
        ViewCommand::ToggleNode(node) => toggle_node(node, &mut open),
        ViewCommand::ToggleGroup { recording, group } => toggle_group(recording, group, &mut open),
        ViewCommand::ToggleRecording(recording) => {
            let is_visible = open.is_visible(recording);
            open.set_visible(recording, !is_visible);
        }
        ViewCommand::SetMotionTrail(settings) => view.motion_trail = settings,
        ViewCommand::MeasureFrom(nodes) => view.measured_from = nodes,
    }
}

/// Clears the selection.
pub(in crate::session) fn deselect(mut view: ResMut<View>, mut commands: Commands) {
    select_node(None, &mut view, &mut commands);
}

fn select_key(
    RecordingKey { recording, key }: RecordingKey,
    open: &mut OpenRecordingsMut,
    view: &mut View,
) {
    let Some(played) = open.recording(recording) else { return };
    let Some(track) = played.clip().tracks.get(key.track.index()) else { return };
    let Some(&time) = track.curve.key_times().get(key.index) else { return };
    let time = played.timing().to_clock_time(time);
    if let Owner::Node(node) = track.owner {
        view.selected = Some(RecordingNode::new(recording, node));
    }
    view.selected_key = Some(RecordingKey { recording, key });
    open.apply_to_clock([TimeCommand::Seek(time)]);
}

fn toggle_node(RecordingNode { recording, node }: RecordingNode, open: &mut OpenRecordingsMut) {
    if let Some(mut hidden) = open.hidden_mut(recording)
        && !hidden.remove(&node)
    {
        hidden.insert(node);
    }
}

fn toggle_group(recording: Entity, group: GroupId, open: &mut OpenRecordingsMut) {
    let Some(clip) = open.recording(recording).map(|played| played.clip().clone()) else { return };
    let Some(mut hidden) = open.hidden_mut(recording) else { return };
    let members = clip.nodes.with_ids().filter(|(_, node)| node.group == Some(group));
    let members: Vec<NodeId> = members.map(|(id, _)| id).collect();
    if members.iter().any(|id| !hidden.contains(id)) {
        hidden.extend(members);
    } else {
        hidden.retain(|id| !members.contains(id));
    }
}

pub(in crate::session) fn apply_camera_command(
    In(command): In<CameraCommand>,
    screen: Res<StageScreen>,
    mut view: ResMut<View>,
    mut camera: MessageWriter<CameraRequest>,
) {
    let request = match command {
        CameraCommand::FrameAll => CameraRequest::FrameAll { at_once: false },
        CameraCommand::FrameSelected => CameraRequest::FrameSelected,
        CameraCommand::LookAlong(axis) => CameraRequest::LookAlong(axis),
        CameraCommand::CycleFollow => {
            view.follow = Some(screen.follow.next());
            return;
        }
    };
    camera.write(request);
}
