//! All commands of the session.

use std::path::PathBuf;

use bevy::prelude::*;

use crate::session::{
    EditCommand, ExportRequest, FileSort, LabelCommand, LinkedFiles, Panel, PanelEdge,
    SavedFootage, SceneCommand, SidePanel, Source,
};
use crate::{
    recording::{RecordingKey, RecordingNode},
    stage::{AxisView, MotionTrailSettings},
};
use mutoscope_core::{
    clip::{Assumption, GroupId, InterpolationOverride, NodeId},
    formats::Fit,
    measure::{
        analysis::NamedArea,
        compare::{CompareOptions, Placement, Timing},
    },
    playback::{Direction, TimeCommand},
};
use mutoscope_logs::MappingChange;

/// The commands that wait to be applied, in order.
///
/// Panels, keys and the window add commands; the session applies them once a frame.
#[derive(Resource, Clone, Debug, Default)]
pub struct CommandQueue(pub Vec<Command>);

/// A command of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Controls the clock.
    Time(TimeCommand),
    /// Closes the panels that float over the viewport. If there are none, clears the selection.
    Cancel,
    /// Switches a setting on or off.
    Toggle(Toggle),
    /// Controls the comparison of recordings.
    Compare(CompareCommand),
    /// Edits or saves a scene.
    Scene(SceneCommand),
    /// Adds, changes or saves labels.
    Label(LabelCommand),
    /// Undoes, redoes or saves edits of labels or of a scene.
    Edit(EditCommand),
    /// Closes the window.
    CloseWindow,
    /// Controls the reference footage.
    Footage(FootageCommand),
    /// Saves an image of the window in the current folder.
    Screenshot,
    /// Copies a link or a command that restores the current view to the clipboard.
    CopyView,
    /// Steps the playhead, or sets the in or out point at the playhead.
    Playhead(PlayheadCommand),
    /// Opens, reloads or closes files.
    File(FileCommand),
    /// Attaches or detaches a skeleton.
    Skeleton(SkeletonCommand),
    /// Changes the selection, or what the viewport shows.
    View(ViewCommand),
    /// Changes what the timeline shows. The timeline panel handles the command.
    Timeline(TimelineCommand),
    /// Sets the axes, the units or the interpolation of a format.
    Convention(ConventionCommand),
    /// Moves the camera.
    Camera(CameraCommand),
    /// Opens, closes or resizes panels.
    Panel(PanelCommand),
    /// Starts or cancels an export.
    Export(ExportCommand),
    /// Changes how the columns of a table are mapped.
    Columns(ColumnsCommand),
}

/// A command on the column mapping of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnsCommand {
    /// Changes the mapping and reads the table again.
    Change(MappingChange),
    /// Reads the table again with the mapping that it was opened with.
    Reset,
    /// Writes the current mapping next to the table, where it is found when the table is opened.
    Save,
}

/// A command on the playhead.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayheadCommand {
    /// Starts the range at the current time.
    SetInPoint,
    /// Ends the range at the current time.
    SetOutPoint,
    /// Pauses at the next or previous key of the selected node, or of any track if no node is
    /// selected.
    StepKey(Direction),
    /// Pauses at the next or previous marker, or diagnostic with a time.
    StepEvent(Direction),
}

/// A command on files.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    /// Asks the user for files and opens them.
    Choose,
    /// Opens files together. Opens the first recording and attaches it to the skeleton, if the
    /// files include one. If there is a skeleton but no recording, the skeleton is attached to the
    /// open recording.
    Open(Vec<PathBuf>),
    /// Opens the files of a link. Asks first if any of them was not open recently.
    OpenLinked(Box<LinkedFiles>),
    /// Opens the files that the viewer asked about.
    AllowLinked,
    /// Refuses the files that the viewer asked about.
    RefuseLinked,
    /// Reports why a link is invalid.
    ReportInvalidLink(String),
    /// Opens the embedded sample with this index.
    OpenSample(usize),
    /// Reloads the open files.
    Reload,
    /// Opens the next or previous file of the list.
    Step(Direction),
    /// Opens the listed file with this index.
    OpenListed(usize),
    /// Sorts the list of files.
    Sort(FileSort),
    /// Reloads the file as another of its [`Variants`](mutoscope_core::clip::Variants).
    ChooseVariant {
        /// The label of the group of variants.
        label: String,
        /// The name of the variant. `None` lets the decoder choose.
        name: Option<String>,
    },
    /// Reloads the file as its next or previous animation, and wraps around at the ends.
    StepAnimation(Direction),
    /// Closes all recordings and shows the gallery of samples.
    ShowGallery,
    /// Dismisses the message of the last failure.
    DismissFailure,
    /// Closes an open recording.
    Close(Entity),
}

/// A command on the skeleton that the recording is attached to.
#[derive(Clone, Debug, PartialEq)]
pub enum SkeletonCommand {
    /// Asks the user for a skeleton and attaches it.
    Choose,
    /// Attaches the skeleton in this file.
    Attach(PathBuf),
    /// Attaches the built-in character with this name.
    AttachBuiltIn(&'static str),
    /// Detaches the skeleton from the recording.
    Detach,
    /// Sets the way in which recordings are attached to skeletons.
    Retarget(Fit),
    /// Asks the user for a bone map and opens it.
    ChooseMap,
    /// Retargets with the bone map in this file.
    OpenMap(PathBuf),
    /// Writes the current bone map next to the recording, so that the user can edit it.
    SaveMap,
}

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
    /// Adds an area of interest around the selected joint. If no joint is selected, adds it at the
    /// point of gaze.
    AddArea,
    /// Replaces all areas of interest.
    SetAreas(Vec<NamedArea>),
    /// Measures from this node to the selected one. `None` clears the measurement.
    MeasureFrom(Option<RecordingNode>),
}

/// A command on what the timeline shows.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineCommand {
    /// Scales the value axis of the curves to their values within the visible time.
    FitCurves,
    /// Zooms to the range. If there is no range, zooms to the whole recording.
    ZoomToRange,
    /// Zooms to the whole recording.
    ZoomToAll,
    /// Expands all rows.
    ExpandRows,
    /// Collapses all rows.
    CollapseRows,
}

/// A command on axes, units and interpolation.
#[derive(Clone, Debug, PartialEq)]
pub enum ConventionCommand {
    /// Sets an assumption for all recordings of the current format.
    Assume(Assumption),
    /// Resets the assumptions to the defaults of the format.
    Reset,
    /// Sets the interpolation between keys.
    SetInterpolation(InterpolationOverride),
    /// Reloads the recording with this frame rate in Hz. `None` uses the rate that the file
    /// declares.
    SetFrameRate(Option<f64>),
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

/// A command on panels.
#[derive(Clone, Debug, PartialEq)]
pub enum PanelCommand {
    /// Opens or closes a panel.
    Toggle(Panel),
    /// Collapses or expands a side panel, regardless of the width of the window.
    Collapse(SidePanel, bool),
    /// Sets the size of a panel, in points.
    Resize(PanelEdge, f32),
    /// Closes the dialog for a path.
    ClosePathDialog,
    /// Moves the keyboard focus to the time field.
    EditTime,
}

/// A command on exports.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportCommand {
    /// Starts an export.
    Start(ExportRequest),
    /// Cancels the running export.
    Cancel,
}

/// A command on the comparison of recordings. A command whose recording is `None` applies to all
/// compared recordings.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareCommand {
    /// Asks the user for recordings and adds them to the open ones.
    Choose,
    /// Opens this recording next to the others, and compares it with the reference.
    Add(Source, CompareOptions),
    /// Sets the offset and the rate of a recording.
    SetTiming(Entity, Timing),
    /// Aligns a recording in time with the recording that it is compared with.
    Align(Option<Entity>),
    /// Sets where a recording is drawn relative to the recording that it is compared with.
    SetPlacement(Option<Entity>, Placement),
    /// Sets the next of the three placements for all compared recordings.
    CyclePlacement,
    /// Compares a recording with another base.
    Rebase {
        /// The recording.
        recording: Entity,
        /// The new base.
        base: Entity,
    },
    /// Matches a joint of the base with a joint of the recording. If `second` is `None`, the joint
    /// of the base is matched by name again.
    Match {
        /// The compared recording.
        recording: Entity,
        /// The joint of the base.
        first: NodeId,
        /// The joint of the recording.
        second: Option<NodeId>,
    },
    /// Closes all recordings except the reference.
    Stop,
}

/// A command on reference footage.
#[derive(Clone, Debug, PartialEq)]
pub enum FootageCommand {
    /// Asks the user for a file and plays it as reference footage.
    Choose,
    /// Plays this reference footage in place of the current footage.
    Open(SavedFootage),
    /// Closes the reference footage.
    Remove,
    /// Sets the clock time, in seconds, at which the footage starts.
    SetOffset(f64),
    /// Sets the frame rate of an image sequence, in Hz.
    SetRate(f64),
    /// Changes the offset of the footage so that the next or previous frame begins at the current
    /// time.
    Step(Direction),
    /// Decodes frames at this height, in pixels.
    SetHeight(u32),
}

/// A setting that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggle {
    /// The names of all nodes.
    Labels,
    /// The axes of all nodes.
    Axes,
    /// Bones between joints.
    Bones,
    /// A smooth skin around the joints of hands.
    SmoothHands,
    /// The meshes of the attached model, in place of its bones.
    Model,
    /// The grid.
    Grid,
    /// The rest pose of the skeleton.
    RestPose,
    /// In place: the root motion is removed.
    InPlace,
    /// Motion trails.
    Trails,
    /// Ghosts: poses at other times.
    Ghosts,
    /// Untracked nodes, drawn faded.
    FadeUntracked,
    /// The view from the recorded head.
    HeadCamera,
    /// Curves below the ruler, in place of lanes and keys.
    Curves,
    /// Velocity and acceleration among the curves.
    Velocity,
    /// Curves scaled from their own minimum to their own maximum.
    NormalisedCurves,
    /// Frames on the ruler, in place of seconds.
    Frames,
    /// Long gaps without keys compressed on the timeline.
    CompressGaps,
    /// Long gaps without keys skipped by playback.
    SkipGaps,
    /// Snapping on the timeline.
    Snapping,
    /// The sound of the reference video.
    ReferenceSound,
    /// All panels.
    Panels,
    /// Full screen.
    FullScreen,
    /// The light theme, in place of the dark one.
    LightTheme,
}
