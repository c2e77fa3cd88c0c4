//! Everything the user can tell the viewer.

use std::path::PathBuf;

use super::{ExportOrder, Source};
use crate::{
    clip::{Assumption, GroupId, KeyId, NodeId, Sampling},
    compare::Timing,
    counterpart::{Placement, Wish},
    playback::{Direction, TimeCommand},
    stage::{AxisView, Travel},
};

/// Something the user tells the viewer.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Steers the clock.
    Time(TimeCommand),
    /// Starts the range at the current time.
    SetInHere,
    /// Ends the range at the current time.
    SetOutHere,
    /// Pauses at the next or previous key of what is selected, or of anything if nothing is.
    StepKey(Direction),
    /// Pauses at the next or previous marker, event or finding that has a time.
    StepEvent(Direction),
    /// Asks for files and opens them.
    Open,
    /// Opens these files: the first recording among them at once, on the skeleton among them. A
    /// skeleton alone is attached to what is open.
    OpenPaths(Vec<PathBuf>),
    /// Opens the embedded sample with this index.
    OpenSample(usize),
    /// Reads the file anew.
    Reload,
    /// Opens the next or previous of the files given.
    StepFile(Direction),
    /// Opens the file with this index of those to step through.
    OpenListed(usize),
    /// Reloads the file as another of its [`Variants`](crate::clip::Variants).
    ChooseVariant {
        /// The label of the variants.
        label: String,
        /// The name of one; without one the decoder decides.
        name: Option<String>,
    },
    /// Asks for a skeleton and attaches it.
    AskForSkeleton,
    /// Puts the recording on the skeleton in this file.
    AttachSkeleton(PathBuf),
    /// Takes the recording off its skeleton.
    DetachSkeleton,
    /// Shows the gallery of samples.
    ShowGallery,
    /// Takes away the message of a failed loading.
    DismissFailure,
    /// Selects a node, or nothing.
    Select(Option<NodeId>),
    /// Selects a key, with the node it moves, and goes to its time.
    SelectKey(KeyId),
    /// Fits the curves' values to the time that is shown.
    FitCurves,
    /// Lets the timeline show the range, or everything if there is none.
    ZoomToRange,
    /// Lets the timeline show everything.
    ZoomToAll,
    /// Unfolds all rows of the timeline.
    UnfoldRows,
    /// Folds all rows of the timeline.
    FoldRows,
    /// Looks at a time beside the playhead's: the one that the pointer is over, if it is over any.
    Hover(Option<f64>),
    /// Shows or hides a node.
    ToggleNode(NodeId),
    /// Shows or hides all nodes of a group: hides them if any is shown.
    ToggleGroup(GroupId),
    /// Turns a setting of the view on or off.
    Toggle(Toggle),
    /// Takes something for granted of all recordings of the format that is open.
    Assume(Assumption),
    /// Takes for granted what is usual for the format.
    AssumeTheUsual,
    /// Lets values run between keys in this way.
    Sample(Sampling),
    /// Draws this of other times, and no more.
    Travel(Travel),
    /// Measures from this node to what is selected, or no more.
    MeasureFrom(Option<NodeId>),
    /// Has to do with a second recording.
    Compare(Compare),
    /// Moves the camera so that all that moves is seen.
    FrameAll,
    /// Moves the camera to the selected node.
    FrameSelected,
    /// Looks along an axis.
    LookAlong(AxisView),
    /// Lets the camera go along in the next way: not at all, in position, in position and rotation.
    CycleFollow,
    /// Puts the keyboard into the field for the time.
    EditTime,
    /// Saves a picture of the window beside the recording.
    Screenshot,
    /// Writes the recording as something else.
    Export(ExportOrder),
    /// Stops writing it.
    CancelExport,
    /// Puts the command that shows what is seen now on the clipboard.
    CopyView,
}

/// Something about a recording that is held against the one that plays.
#[derive(Clone, Debug, PartialEq)]
pub enum Compare {
    /// Asks for it.
    Choose,
    /// Reads it from there, and lays it as is wished.
    With(Source, Wish),
    /// Lays it there on the clock of the one that plays.
    Lay(Timing),
    /// Lays it where both move alike.
    Align,
    /// Shows it there.
    Place(Placement),
    /// Shows it at the next place of the three.
    PlaceElsewhere,
    /// Takes its joint `second` for what is meant by the same as `first`, or what names suggest.
    Pair {
        /// The joint of the recording that plays.
        first: NodeId,
        /// The joint of the other.
        second: Option<NodeId>,
    },
    /// Takes it away.
    Stop,
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
    /// The meshes of the attached model, in place of its skeleton.
    Model,
    /// The grid.
    Grid,
    /// The skeleton as it rests.
    RestPose,
    /// Motion without going anywhere.
    InPlace,
    /// Where joints were and will be.
    Trails,
    /// Poses of other times.
    Ghosts,
    /// What is not tracked, faded.
    FadeUntracked,
    /// The view from the recorded head.
    HeadCamera,
    /// Curves below the ruler, in place of lanes and keys.
    Curves,
    /// The bytes or lines of the file, with those of the selected key.
    Bytes,
    /// Velocity and acceleration among the curves.
    MovedCurves,
    /// Each curve stretched to its own least and greatest value.
    NormalisedCurves,
    /// Frames on the ruler, in place of seconds.
    Frames,
    /// Long stretches without keys folded to a band on the timeline.
    Folds,
    /// What is dragged on the timeline goes to what is near.
    Snapping,
    /// Everything but the motion.
    Panels,
    /// The list to find any command, file or node in.
    Chooser,
    /// The sheet of keys.
    Help,
    /// The list of what was found in the file.
    Findings,
    /// The dialog for taking the recording along.
    Export,
    /// How the attached skeleton fits.
    Skeleton,
    /// The whole screen.
    FullScreen,
}
