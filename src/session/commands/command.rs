//! All commands of the session.

use std::path::PathBuf;

use bevy::prelude::*;

use crate::session::{
    EditCommand, ExportOrder, FileSort, LabelCommand, LinkedFiles, Panel, PanelEdge, SavedFootage,
    SceneCommand, SidePanel, Source,
};
use crate::{
    recording::{RecordingKey, RecordingNode},
    stage::{AxisView, MotionTrailSettings},
};
use mutoscope_core::{
    clip::{Assumption, GroupId, InterpolationOverride, NodeId},
    measure::{
        analysis::NamedArea,
        compare::{CompareOptions, Placement, Timing},
    },
    playback::{Direction, TimeCommand},
    read::Retarget,
};
use mutoscope_logs::MappingChange;

/// The commands that are still to be applied, in order.
///
/// Panels, keys and the window add to it; the session applies them, once a frame.
#[derive(Resource, Clone, Debug, Default)]
pub struct CommandQueue(pub Vec<Command>);

/// A command of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Steers the clock.
    Time(TimeCommand),
    /// Closes what floats over the viewport, else deselects.
    Cancel,
    /// Turns a setting of the view on or off.
    Toggle(Toggle),
    /// A command about compared recordings.
    Compare(Compare),
    /// A command about scenes.
    Scene(SceneCommand),
    /// A command about labels.
    Label(LabelCommand),
    /// A command about edits, of labels or of a scene.
    Edit(EditCommand),
    /// Closes the window.
    CloseWindow,
    /// A command about reference footage.
    Footage(FootageCommand),
    /// Saves an image of the window in the recording's folder.
    Screenshot,
    /// Copies the command that restores the current view to the clipboard.
    CopyView,
    /// Steps the playhead, or sets the range at it.
    Playhead(PlayheadCommand),
    /// Opens, reloads or closes files.
    File(FileCommand),
    /// Attaches or detaches a skeleton.
    Skeleton(SkeletonCommand),
    /// Changes the selection, or what is shown.
    View(ViewCommand),
    /// Changes what the timeline shows. Its panel obeys.
    Timeline(TimelineCommand),
    /// Sets how a file is interpreted.
    Convention(ConventionCommand),
    /// Moves the camera.
    Camera(CameraCommand),
    /// Opens, closes or resizes panels.
    Panel(PanelCommand),
    /// Exports the recording.
    Export(ExportCommand),
    /// Says what the columns of a table are.
    Columns(ColumnsCommand),
}

/// A command about what the columns of a table are read as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnsCommand {
    /// Reads the table again with this said otherwise.
    Change(MappingChange),
    /// Reads the table again as it was opened.
    Reset,
    /// Writes the mapping of now beside the table, to be read with it.
    Save,
}

/// A command about the playhead.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayheadCommand {
    /// Starts the range at the current time.
    SetInHere,
    /// Ends the range at the current time.
    SetOutHere,
    /// Pauses at the next or previous key of the selection, or of any track without one.
    StepKey(Direction),
    /// Pauses at the next or previous marker, event or issue that has a time.
    StepEvent(Direction),
}

/// A command about files.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    /// Asks for files and opens them.
    Choose,
    /// Opens these files: the first recording among them at once, on the skeleton among them. A
    /// skeleton alone is attached to what is open.
    Open(Vec<PathBuf>),
    /// Opens files that a link asks for, after a question if there is an unknown one among them.
    OpenLinked(Box<LinkedFiles>),
    /// Opens the files that were asked about.
    AllowLinked,
    /// Opens none of them.
    RefuseLinked,
    /// Tells why a link opens nothing: it is not as links are.
    LinkRefused(String),
    /// Opens the embedded sample with this index.
    OpenSample(usize),
    /// Reloads the file.
    Reload,
    /// Opens the next or previous of the files given.
    Step(Direction),
    /// Opens the file with this index of those to step through.
    OpenListed(usize),
    /// Sorts the files to step through.
    Sort(FileSort),
    /// Reloads the file as another of its [`Variants`](mutoscope_core::clip::Variants).
    ChooseVariant {
        /// The label of the variants.
        label: String,
        /// The name of one; without one the decoder decides.
        name: Option<String>,
    },
    /// Reloads the file as its next or previous animation, round and round.
    StepAnimation(Direction),
    /// Shows the gallery of samples.
    ShowGallery,
    /// Dismisses the message of a failed loading.
    DismissFailure,
    /// Closes one of the open recordings.
    Close(Entity),
}

/// A command about the skeleton that the recording is put on.
#[derive(Clone, Debug, PartialEq)]
pub enum SkeletonCommand {
    /// Asks for a skeleton and attaches it.
    Choose,
    /// Puts the recording on the skeleton in this file.
    Attach(PathBuf),
    /// Puts the recording on the built-in character that this word means.
    AttachBuiltIn(&'static str),
    /// Takes the recording off its skeleton.
    Detach,
    /// Sets how recordings are put on skeletons; `None` by the names of nodes if most match, else bone by bone.
    Retarget(Option<Retarget>),
    /// Asks for a map of bones and opens it.
    ChooseMap,
    /// Puts recordings on skeletons by the map of bones in this file.
    OpenMap(PathBuf),
    /// Writes the map of the bones of now beside the recording, to be edited.
    SaveMap,
}

/// A command about the selection and what is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewCommand {
    /// Selects a node, or nothing.
    Select(Option<RecordingNode>),
    /// Selects a key, with the node it moves, and goes to its time.
    SelectKey(RecordingKey),
    /// Previews the time that the pointer is over, or ends the preview.
    Hover(Option<f64>),
    /// Shows or hides a node.
    ToggleNode(RecordingNode),
    /// Shows or hides all nodes of a group: hides them if any is shown.
    ToggleGroup {
        /// The recording.
        recording: Entity,
        /// The group of its clip.
        group: GroupId,
    },
    /// Shows or hides a whole recording.
    ToggleRecording(Entity),
    /// Sets what is drawn of other times.
    SetMotionTrail(MotionTrailSettings),
    /// Adds an area of interest around the selected joint, else where the gaze points.
    AddArea,
    /// Sets all areas of interest.
    SetAreas(Vec<NamedArea>),
    /// Measures from this node to the selected one, or clears the measurement.
    MeasureFrom(Option<RecordingNode>),
}

/// A command about what the timeline shows.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineCommand {
    /// Fits the curves' values to the time that is shown.
    FitCurves,
    /// Lets the timeline show the range, or everything if there is none.
    ZoomToRange,
    /// Lets the timeline show everything.
    ZoomToAll,
    /// Expands all rows of the timeline.
    ExpandRows,
    /// Collapses all rows of the timeline.
    CollapseRows,
}

/// A command about axes, units and interpolation.
#[derive(Clone, Debug, PartialEq)]
pub enum ConventionCommand {
    /// Sets an assumption for all recordings of the format that is open.
    Assume(Assumption),
    /// Resets the assumptions to the format's defaults.
    Reset,
    /// Interpolates between keys in this way.
    SetInterpolation(InterpolationOverride),
}

/// A command about the camera.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraCommand {
    /// Frames everything that moves.
    FrameAll,
    /// Frames the selected node.
    FrameSelected,
    /// Looks along an axis.
    LookAlong(AxisView),
    /// Cycles through the camera's follow modes: off, position, position and rotation.
    CycleFollow,
}

/// A command about panels.
#[derive(Clone, Debug, PartialEq)]
pub enum PanelCommand {
    /// Opens or closes a panel.
    Toggle(Panel),
    /// Collapses or expands a side panel, whatever the width of the window.
    Collapse(SidePanel, bool),
    /// Makes a panel this large, in points.
    Resize(PanelEdge, f32),
    /// Closes the dialog for a path.
    ClosePathDialog,
    /// Puts the keyboard into the field for the time.
    EditTime,
}

/// A command about exports.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportCommand {
    /// Exports the recording.
    Start(ExportOrder),
    /// Cancels the export.
    Cancel,
}

/// A command about recordings that are compared with others. Where a recording may be named and is
/// not, all that are compared are meant.
#[derive(Clone, Debug, PartialEq)]
pub enum Compare {
    /// Asks for recordings and adds them to the open ones.
    Choose,
    /// Adds this one to the open recordings, and compares it with the reference.
    With(Source, CompareOptions),
    /// Gives a recording this timing.
    SetTiming(Entity, Timing),
    /// Aligns a recording in time with the one that it is compared with.
    Align(Option<Entity>),
    /// Places a recording there.
    SetPlacement(Option<Entity>, Placement),
    /// Places all that are compared at the next of the three placements.
    CyclePlacement,
    /// Compares a recording with this one, in place of the one before.
    Rebase {
        /// The recording.
        recording: Entity,
        /// The recording that it is compared with.
        base: Entity,
    },
    /// Matches a joint with one of a recording that is compared, or by its name again.
    Match {
        /// The recording that is compared.
        recording: Entity,
        /// The joint of what it is compared with.
        first: NodeId,
        /// Its own joint.
        second: Option<NodeId>,
    },
    /// Closes all but the reference.
    Stop,
}

/// A command about reference footage.
#[derive(Clone, Debug, PartialEq)]
pub enum FootageCommand {
    /// Asks for a file and plays it as reference footage.
    Choose,
    /// Plays this as reference footage, in place of the current one.
    Open(SavedFootage),
    /// Closes it.
    Remove,
    /// Sets the time of the clock, in seconds, at which it is at its own time 0.
    SetOffset(f64),
    /// Sets the image rate of a sequence.
    SetRate(f64),
    /// Changes the offset so that its next or previous frame begins now.
    Step(Direction),
    /// Decodes frames so high, in pixels.
    ShowAt(u32),
}

/// A setting that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggle {
    /// Names of all nodes.
    Labels,
    /// Axes of all nodes.
    Axes,
    /// Bones between joints.
    Bones,
    /// A smooth skin around the joints of hands.
    SmoothHands,
    /// The meshes of the attached model, in place of its skeleton.
    Model,
    /// The grid.
    Grid,
    /// The skeleton as it rests.
    RestPose,
    /// Root motion removed: in place.
    InPlace,
    /// Motion trails.
    Trails,
    /// Ghosts: poses at other times.
    Ghosts,
    /// Untracked nodes, faded.
    FadeUntracked,
    /// The view from the recorded head.
    HeadCamera,
    /// Curves below the ruler, in place of lanes and keys.
    Curves,
    /// Velocity and acceleration among the curves.
    Velocity,
    /// Each curve stretched to its own least and greatest value.
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
    /// The whole screen.
    FullScreen,
    /// The light theme, in place of the dark one.
    LightTheme,
}
