//! All actions that the user can choose, in one table.
//!
//! Buttons, keys, menus, the list to find things in and the F1 sheet all take their commands, names,
//! help and keys from [`ACTIONS`], so they cannot contradict each other.

use bevy::input::keyboard::KeyCode;

#[cfg(not(target_family = "wasm"))]
use crate::session::FootageCommand;
use crate::session::{
    CameraCommand, ColumnsCommand, Command, Compare, EditCommand, FileCommand, LabelCommand, Needs,
    Panel, PanelCommand, PlayheadCommand, SceneCommand, SkeletonCommand, TimelineCommand, Toggle,
    ViewCommand,
};
use crate::stage::AxisView;
use mutoscope_core::{
    playback::{Direction, SPEED_PRESETS, TimeCommand},
    read::Retarget,
};

/// A command as it is offered to the user.
#[derive(Debug)]
pub struct Action {
    /// Its command.
    pub command: Command,
    /// Its name in menus and on the F1 sheet.
    pub name: &'static str,
    /// One more sentence, for the tooltip; may be empty.
    pub help: &'static str,
    /// The keys for it; the first is the one that is shown.
    pub keys: &'static [Shortcut],
    /// Its section in the menu and on the F1 sheet.
    pub section: Section,
    /// Its requirement.
    pub needs: Needs,
}

/// A key with its modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    /// The only modifier that is held.
    pub modifier: Option<Modifier>,
    /// The key, by its label rather than its position.
    pub key: KeyCode,
}

/// A key that is held while another is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Ctrl, or Command on a Mac.
    Ctrl,
    /// Shift.
    Shift,
    /// Alt.
    Alt,
    /// Ctrl, or Command on a Mac, and Shift.
    CtrlShift,
}

/// A section of the menu and of the F1 sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Files.
    File,
    /// Playback.
    Playback,
    /// The range.
    Range,
    /// A second recording.
    Compare,
    /// Labels.
    Labels,
    /// A scene that is edited.
    Scene,
    /// The view.
    View,
    /// The timeline and its curves.
    Timeline,
    /// The window.
    Window,
}

impl Section {
    /// All sections, in order: long ones come early, so that their menus fit next to the list of menus.
    pub const ALL: [Self; 9] = [
        Self::File,
        Self::Playback,
        Self::View,
        Self::Timeline,
        Self::Range,
        Self::Compare,
        Self::Labels,
        Self::Scene,
        Self::Window,
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Playback => "Playback",
            Self::Range => "Range",
            Self::Compare => "Compare",
            Self::Labels => "Labels",
            Self::Scene => "Scene",
            Self::View => "View",
            Self::Timeline => "Timeline",
            Self::Window => "Window",
        }
    }
}

/// How far Shift and an arrow key go, in seconds.
const SKIP_SECS: f64 = 1.0;

/// The name and the condition of copying the view: a web page has links, also to examples.
const COPY_VIEW: (&str, Needs) = if cfg!(target_family = "wasm") {
    ("Copy link to view", Needs::Recording)
} else {
    ("Copy view as command", Needs::File)
};

/// Every action, in the order of menus and of the F1 sheet.
pub static ACTIONS: &[Action] = &[
    action(Section::File, Command::File(FileCommand::Choose), "Open…", "", &[ctrl(KeyCode::KeyO)]),
    action(
        Section::File,
        Command::Edit(EditCommand::Save),
        "Save",
        "Edited labels, as a table beside the recording, otherwise the scene",
        &[ctrl(KeyCode::KeyS)],
    )
    .needs(Needs::Edits),
    action(
        Section::File,
        Command::Edit(EditCommand::Undo),
        "Undo",
        "The last edit of labels or of a scene",
        &[ctrl(KeyCode::KeyZ)],
    )
    .needs(Needs::Undo),
    action(
        Section::File,
        Command::Edit(EditCommand::Redo),
        "Redo",
        "The edit that was undone last",
        &[ctrl_shift(KeyCode::KeyZ), ctrl(KeyCode::KeyY)],
    )
    .needs(Needs::Redo),
    action(
        Section::File,
        Command::File(FileCommand::Reload),
        "Reload",
        "Reads the file and its skeleton again",
        &[key(KeyCode::KeyR)],
    )
    .needs(Needs::Recording),
    action(
        Section::File,
        Command::File(FileCommand::Step(Direction::Backward)),
        "Previous file",
        "In the list of files",
        &[key(KeyCode::BracketLeft)],
    ),
    action(
        Section::File,
        Command::File(FileCommand::Step(Direction::Forward)),
        "Next file",
        "In the list of files",
        &[key(KeyCode::BracketRight)],
    ),
    action(
        Section::File,
        Command::Panel(PanelCommand::Toggle(Panel::ANIMATIONS)),
        "Animations…",
        "Animations and characters of the file, by name",
        &[alt(KeyCode::KeyA)],
    )
    .needs(Needs::Variants),
    action(
        Section::File,
        Command::File(FileCommand::StepAnimation(Direction::Backward)),
        "Previous animation",
        "In the same file",
        &[alt(KeyCode::BracketLeft)],
    )
    .needs(Needs::Animations),
    action(
        Section::File,
        Command::File(FileCommand::StepAnimation(Direction::Forward)),
        "Next animation",
        "In the same file",
        &[alt(KeyCode::BracketRight)],
    )
    .needs(Needs::Animations),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::Choose),
        "Attach skeleton…",
        "Plays the recording on the bones of a glTF, VRM, FBX or CINF file",
        &[],
    ),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::Detach),
        "Detach skeleton",
        "Plays the recording without its skeleton",
        &[],
    )
    .needs(Needs::Detachable),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::Retarget(None)),
        "Match skeleton automatically",
        "By node name if most names match, otherwise bone by bone",
        &[],
    )
    .needs(Needs::Attached),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::Retarget(Some(Retarget::Off))),
        "Match skeleton by node names",
        "Each node of the skeleton moves with the recorded node of the same name",
        &[],
    )
    .needs(Needs::Attached),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::Retarget(Some(Retarget::Auto))),
        "Match skeleton by bones",
        "Retargets bone by bone, regardless of node names and rest poses",
        &[],
    )
    .needs(Needs::Attached),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::ChooseMap),
        "Open map of bones…",
        "Retargets with a map from “Save map of bones” or “mutoscope bones”",
        &[],
    )
    .needs(Needs::Attached),
    action(
        Section::File,
        Command::Skeleton(SkeletonCommand::SaveMap),
        "Save map of bones",
        "As JSON beside the recording, to edit and open again",
        &[],
    )
    .needs(Needs::Retargeted),
    action(
        Section::File,
        Command::Columns(ColumnsCommand::Save),
        "Save mapping of columns",
        "As TOML beside the table, to be found when that is opened",
        &[],
    )
    .needs(Needs::Columns),
    action(
        Section::File,
        Command::File(FileCommand::ShowGallery),
        "Examples",
        "Recordings that come with Mutoscope",
        &[],
    ),
    action(
        Section::File,
        Command::Screenshot,
        "Save screenshot",
        "A PNG of the window, in the current folder",
        &[key(KeyCode::F12)],
    ),
    action(
        Section::File,
        Command::Panel(PanelCommand::Toggle(Panel::EXPORT)),
        "Export…",
        "As GLB, CSV, AnimJ, Maya .anim, BVH, web page, Parquet, Arrow, MCAP or video",
        &[ctrl(KeyCode::KeyE)],
    )
    .needs(Needs::Recording),
    action(
        Section::File,
        Command::CopyView,
        COPY_VIEW.0,
        "File, time, range, selection and camera, to return to or to share",
        &[shift(KeyCode::KeyV)],
    )
    .needs(COPY_VIEW.1),
    action(
        Section::Playback,
        Command::Time(TimeCommand::TogglePlay),
        "Play or pause",
        "",
        &[key(KeyCode::Space)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Step(Direction::Backward)),
        "Previous sample",
        "Steps by recorded sample, at any speed",
        &[key(KeyCode::ArrowLeft)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Step(Direction::Forward)),
        "Next sample",
        "Steps by recorded sample, at any speed",
        &[key(KeyCode::ArrowRight)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Skip(-SKIP_SECS)),
        "Skip back 1 second",
        "",
        &[shift(KeyCode::ArrowLeft)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Skip(SKIP_SECS)),
        "Skip forward 1 second",
        "",
        &[shift(KeyCode::ArrowRight)],
    ),
    action(
        Section::Playback,
        Command::Playhead(PlayheadCommand::StepKey(Direction::Backward)),
        "Previous key",
        "Of the selected node, otherwise of all nodes",
        &[ctrl(KeyCode::ArrowLeft), key(KeyCode::ArrowUp)],
    ),
    action(
        Section::Playback,
        Command::Playhead(PlayheadCommand::StepKey(Direction::Forward)),
        "Next key",
        "Of the selected node, otherwise of all nodes",
        &[ctrl(KeyCode::ArrowRight), key(KeyCode::ArrowDown)],
    ),
    action(
        Section::Playback,
        Command::Playhead(PlayheadCommand::StepEvent(Direction::Backward)),
        "Previous marker or issue",
        "",
        &[key(KeyCode::PageUp)],
    ),
    action(
        Section::Playback,
        Command::Playhead(PlayheadCommand::StepEvent(Direction::Forward)),
        "Next marker or issue",
        "",
        &[key(KeyCode::PageDown)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::ToStart),
        "Go to start",
        "Of the range, if there is one",
        &[key(KeyCode::Home)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::ToEnd),
        "Go to end",
        "Of the range, if there is one",
        &[key(KeyCode::End)],
    ),
    action(
        Section::Playback,
        Command::Panel(PanelCommand::EditTime),
        "Go to time…",
        "In seconds or as mm:ss.mmm",
        &[key(KeyCode::KeyG)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Slower),
        "Slower",
        "",
        &[key(KeyCode::KeyJ)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::Faster),
        "Faster",
        "",
        &[key(KeyCode::KeyK)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[0])),
        "Speed 0.1×",
        "",
        &[key(KeyCode::Digit1)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[1])),
        "Speed 0.25×",
        "",
        &[key(KeyCode::Digit2)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[2])),
        "Speed 0.5×",
        "",
        &[key(KeyCode::Digit3)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[3])),
        "Speed 1×",
        "",
        &[key(KeyCode::Digit4)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[4])),
        "Speed 2×",
        "",
        &[key(KeyCode::Digit5)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[5])),
        "Speed 4×",
        "",
        &[key(KeyCode::Digit6)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::SetSpeed(SPEED_PRESETS[6])),
        "Speed 8×",
        "",
        &[key(KeyCode::Digit7)],
    ),
    action(
        Section::Playback,
        Command::Time(TimeCommand::CycleLooping),
        "Cycle loop mode",
        "Off, all, range, ping-pong",
        &[key(KeyCode::KeyL)],
    ),
    action(
        Section::Playback,
        Command::Toggle(Toggle::SkipGaps),
        "Skip gaps",
        "Playback jumps over long times without keys",
        &[alt(KeyCode::KeyL)],
    )
    .needs(Needs::Gaps),
    action(
        Section::Range,
        Command::Playhead(PlayheadCommand::SetInHere),
        "Set in point",
        "At the current time",
        &[key(KeyCode::KeyI)],
    ),
    action(
        Section::Range,
        Command::Playhead(PlayheadCommand::SetOutHere),
        "Set out point",
        "At the current time",
        &[key(KeyCode::KeyO)],
    ),
    action(
        Section::Range,
        Command::Time(TimeCommand::SetRange(None)),
        "Clear range",
        "",
        &[alt(KeyCode::KeyI), alt(KeyCode::KeyO)],
    ),
    action(
        Section::View,
        Command::Camera(CameraCommand::FrameSelected),
        "Frame selected",
        "Or all, if nothing is selected",
        &[key(KeyCode::KeyF)],
    ),
    action(
        Section::View,
        Command::Camera(CameraCommand::FrameAll),
        "Frame all",
        "",
        &[key(KeyCode::KeyA)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::HeadCamera),
        "Head camera",
        "The view from the recorded head",
        &[key(KeyCode::KeyC)],
    ),
    action(
        Section::View,
        Command::Camera(CameraCommand::LookAlong(AxisView::Front)),
        "Front view",
        "",
        &[alt(KeyCode::Digit1)],
    ),
    action(
        Section::View,
        Command::Camera(CameraCommand::LookAlong(AxisView::Right)),
        "Right view",
        "",
        &[alt(KeyCode::Digit3)],
    ),
    action(
        Section::View,
        Command::Camera(CameraCommand::LookAlong(AxisView::Top)),
        "Top view",
        "",
        &[alt(KeyCode::Digit7)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Labels),
        "Names",
        "Of all nodes",
        &[key(KeyCode::KeyN)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Axes),
        "Axes",
        "Of all nodes",
        &[key(KeyCode::KeyX)],
    ),
    action(Section::View, Command::Toggle(Toggle::Bones), "Bones", "", &[key(KeyCode::KeyB)]),
    action(
        Section::View,
        Command::Toggle(Toggle::SmoothHands),
        "Smooth hands",
        "A skin around the joints of hands; its thickness is approximate",
        &[],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Model),
        "Model",
        "The attached model's meshes, in place of its bones",
        &[key(KeyCode::KeyM)],
    ),
    action(Section::View, Command::Toggle(Toggle::Grid), "Grid", "", &[shift(KeyCode::KeyG)]),
    action(
        Section::View,
        Command::Toggle(Toggle::RestPose),
        "Rest pose",
        "The skeleton without its animation, in outline",
        &[shift(KeyCode::KeyB)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::InPlace),
        "In place",
        "Removes root motion",
        &[key(KeyCode::KeyP)],
    ),
    action(
        Section::View,
        Command::Camera(CameraCommand::CycleFollow),
        "Cycle camera follow",
        "Off, follow, follow and rotate: the selected node, otherwise the root",
        &[key(KeyCode::KeyT)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Trails),
        "Motion trails",
        "Of pinned joints, otherwise of the selected one, coloured by speed",
        &[key(KeyCode::KeyY)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::Ghosts),
        "Ghosts",
        "Poses before and after the current time, as onion skin",
        &[shift(KeyCode::KeyY)],
    ),
    action(
        Section::View,
        Command::Toggle(Toggle::FadeUntracked),
        "Untracked hands",
        "Shows hands faded while they are not tracked",
        &[key(KeyCode::KeyU)],
    ),
    action(
        Section::View,
        Command::Panel(PanelCommand::Toggle(Panel::NODE_MAPPING)),
        "Node mapping",
        "Which nodes of the recording and the skeleton match",
        &[],
    )
    .needs(Needs::Skeleton),
    action(
        Section::View,
        Command::Panel(PanelCommand::Toggle(Panel::COLUMNS)),
        "Columns",
        "What each column of a table is read as",
        &[],
    )
    .needs(Needs::Columns),
    action(
        Section::Timeline,
        Command::Timeline(TimelineCommand::ZoomToRange),
        "Zoom to range",
        "On the timeline",
        &[key(KeyCode::KeyZ)],
    )
    .needs(Needs::Range),
    action(
        Section::Timeline,
        Command::Timeline(TimelineCommand::ZoomToAll),
        "Fit timeline",
        "Shows the whole recording; so does a double click",
        &[shift(KeyCode::KeyZ)],
    ),
    action(
        Section::Timeline,
        Command::Timeline(TimelineCommand::ExpandRows),
        "Expand all rows",
        "Of the timeline",
        &[],
    ),
    action(
        Section::Timeline,
        Command::Timeline(TimelineCommand::CollapseRows),
        "Collapse all rows",
        "Of the timeline",
        &[],
    ),
    action(
        Section::Timeline,
        Command::Toggle(Toggle::CompressGaps),
        "Compressed gaps",
        "Shortens long times without keys on the timeline",
        &[alt(KeyCode::KeyE)],
    )
    .needs(Needs::Gaps),
    action(
        Section::Timeline,
        Command::Toggle(Toggle::Snapping),
        "Snapping",
        "To keys, markers and round times while dragging; hold Ctrl or Alt to switch it off",
        &[alt(KeyCode::KeyS)],
    ),
    action(
        Section::Timeline,
        Command::Toggle(Toggle::Curves),
        "Curves",
        "Of the selected node, in place of the timeline's rows",
        &[shift(KeyCode::KeyC)],
    ),
    action(
        Section::View,
        Command::Panel(PanelCommand::Toggle(Panel::BYTES)),
        "Bytes of the file",
        "Where the selected key is stored; a click on bytes selects their key",
        &[ctrl(KeyCode::KeyB)],
    ),
    action(
        Section::Timeline,
        Command::Toggle(Toggle::Velocity),
        "Velocity and acceleration",
        "Of the selected node, as curves in world space",
        &[key(KeyCode::KeyV)],
    ),
    action(
        Section::Timeline,
        Command::Timeline(TimelineCommand::FitCurves),
        "Fit curves",
        "To the values within the visible time",
        &[shift(KeyCode::KeyF)],
    ),
    action(
        Section::Timeline,
        Command::Toggle(Toggle::NormalisedCurves),
        "Normalised curves",
        "Each from its own minimum to its maximum",
        &[],
    ),
    action(
        Section::Timeline,
        Command::Toggle(Toggle::Frames),
        "Time in frames",
        "If the file states a rate, otherwise in seconds",
        &[ctrl(KeyCode::KeyT)],
    ),
    action(
        Section::View,
        Command::View(ViewCommand::AddArea),
        "Add area of interest",
        "Around the selected joint, otherwise at the point of gaze",
        &[alt(KeyCode::KeyG)],
    )
    .needs(Needs::Recording),
    action(
        Section::View,
        Command::Cancel,
        "Deselect",
        "Closes floating panels first",
        &[key(KeyCode::Escape)],
    ),
    action(
        Section::Compare,
        Command::Compare(Compare::Choose),
        "Compare with…",
        "Plays another recording on the same clock",
        &[ctrl(KeyCode::KeyD)],
    )
    .needs(Needs::Recording),
    action(
        Section::Compare,
        Command::Compare(Compare::Align(None)),
        "Align by motion",
        "Finds the offset at which the joints' speeds match",
        &[shift(KeyCode::KeyA)],
    )
    .needs(Needs::Comparison),
    action(
        Section::Compare,
        Command::Compare(Compare::CyclePlacement),
        "Cycle overlay",
        "As recorded, aligned, side by side",
        &[key(KeyCode::KeyS)],
    )
    .needs(Needs::Comparison),
    action(
        Section::Compare,
        Command::Compare(Compare::Stop),
        "Stop comparing",
        "Closes all recordings but A",
        &[shift(KeyCode::KeyD)],
    )
    .needs(Needs::Comparison),
    #[cfg(not(target_family = "wasm"))]
    action(
        Section::Compare,
        Command::Footage(FootageCommand::Choose),
        "Add reference video…",
        "A video, images or sound, played with the motion on the same clock",
        &[],
    )
    .needs(Needs::Recording),
    #[cfg(not(target_family = "wasm"))]
    action(
        Section::Compare,
        Command::Panel(PanelCommand::Toggle(Panel::FOOTAGE)),
        "Reference video",
        "In the corner of the viewport",
        &[alt(KeyCode::KeyR)],
    )
    .needs(Needs::Footage),
    #[cfg(not(target_family = "wasm"))]
    action(
        Section::Compare,
        Command::Toggle(Toggle::ReferenceSound),
        "Reference sound",
        "At half to twice the normal speed, forward",
        &[alt(KeyCode::KeyM)],
    )
    .needs(Needs::Footage),
    #[cfg(not(target_family = "wasm"))]
    action(
        Section::Compare,
        Command::Footage(FootageCommand::Step(Direction::Backward)),
        "Previous reference frame",
        "Moves the video against the motion by one frame",
        &[alt(KeyCode::ArrowLeft)],
    )
    .needs(Needs::Footage),
    #[cfg(not(target_family = "wasm"))]
    action(
        Section::Compare,
        Command::Footage(FootageCommand::Step(Direction::Forward)),
        "Next reference frame",
        "Moves the video against the motion by one frame",
        &[alt(KeyCode::ArrowRight)],
    )
    .needs(Needs::Footage),
    #[cfg(not(target_family = "wasm"))]
    action(
        Section::Compare,
        Command::Footage(FootageCommand::Remove),
        "Remove reference video",
        "",
        &[],
    )
    .needs(Needs::Footage),
    action(
        Section::Labels,
        Command::Label(LabelCommand::Mark),
        "Add label",
        "Names the range; without a range, begins a label at the playhead and ends it when pressed again",
        &[key(KeyCode::KeyW)],
    )
    .needs(Needs::Recording),
    action(
        Section::Labels,
        Command::Label(LabelCommand::Repeat),
        "Repeat label",
        "Adds a label with the last name, without asking",
        &[key(KeyCode::Enter)],
    )
    .needs(Needs::LastLabel),
    action(
        Section::Labels,
        Command::Label(LabelCommand::Rename),
        "Rename label…",
        "The selected one",
        &[key(KeyCode::F2)],
    )
    .needs(Needs::Label),
    action(
        Section::Labels,
        Command::Label(LabelCommand::Remove),
        "Remove label",
        "The selected one",
        &[key(KeyCode::Delete)],
    )
    .needs(Needs::Label),
    action(
        Section::Labels,
        Command::Label(LabelCommand::ChooseImport),
        "Import labels…",
        "Adds the labels of a CSV, ELAN or Praat file",
        &[],
    )
    .needs(Needs::Recording),
    action(
        Section::Labels,
        Command::Panel(PanelCommand::Toggle(Panel::EXPORT_LABELS)),
        "Export labels…",
        "As CSV, ELAN or Praat",
        &[],
    )
    .needs(Needs::Labels),
    action(
        Section::Labels,
        Command::Panel(PanelCommand::Toggle(Panel::REPORT)),
        "Report…",
        "A web page with the measures of the open recordings, by label",
        &[],
    )
    .needs(Needs::Recording),
    action(
        Section::Scene,
        Command::Scene(SceneCommand::ChooseRecordings),
        "Add recording…",
        "A recording or another scene, to the scene that is open",
        &[],
    )
    .needs(Needs::Scene),
    action(
        Section::Scene,
        Command::Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)),
        "Save scene as…",
        "For the mod, as a .mcmocap_scene of version 4",
        &[],
    )
    .needs(Needs::Scene),
    action(
        Section::Window,
        Command::Toggle(Toggle::Panels),
        "Panels",
        "Shows or hides all of them",
        &[key(KeyCode::KeyH)],
    ),
    action(
        Section::Window,
        Command::Toggle(Toggle::FullScreen),
        "Full screen",
        "",
        &[key(KeyCode::F11)],
    ),
    action(
        Section::Window,
        Command::Panel(PanelCommand::Toggle(Panel::ISSUES)),
        "Issues",
        "Errors in the file, and suspect motion",
        &[key(KeyCode::KeyE)],
    )
    .needs(Needs::Recording),
    action(
        Section::Window,
        Command::Panel(PanelCommand::Toggle(Panel::PALETTE)),
        "Command palette…",
        "Finds commands, files and nodes",
        &[ctrl(KeyCode::KeyP), ctrl(KeyCode::KeyK)],
    ),
    action(Section::Window, Command::Toggle(Toggle::LightTheme), "Light theme", "", &[]),
    action(
        Section::Window,
        Command::Panel(PanelCommand::Toggle(Panel::HELP)),
        "Keyboard shortcuts",
        "And mouse gestures",
        &[key(KeyCode::F1)],
    ),
];

impl Action {
    /// The action of `command`, if the table has one.
    pub fn of(command: &Command) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.command == *command)
    }

    const fn needs(mut self, needs: Needs) -> Self {
        self.needs = needs;
        self
    }
}

const fn action(
    section: Section,
    command: Command,
    name: &'static str,
    help: &'static str,
    keys: &'static [Shortcut],
) -> Action {
    Action { command, name, help, keys, section, needs: Needs::Nothing }
}

const fn key(key: KeyCode) -> Shortcut {
    Shortcut { modifier: None, key }
}

const fn ctrl(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Ctrl), key }
}

const fn ctrl_shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::CtrlShift), key }
}

const fn shift(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Shift), key }
}

const fn alt(key: KeyCode) -> Shortcut {
    Shortcut { modifier: Some(Modifier::Alt), key }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn shortcuts_are_unique() {
        let mut meanings = HashMap::new();
        for action in ACTIONS {
            for shortcut in action.keys {
                let before = meanings.insert(shortcut, action.name);
                assert_eq!(before, None, "{shortcut:?} is also for {}", action.name);
            }
        }
    }

    #[test]
    fn commands_and_names_are_unique() {
        for (index, action) in ACTIONS.iter().enumerate() {
            let is_again =
                |other: &Action| other.command == action.command || other.name == action.name;
            assert!(!ACTIONS[index + 1..].iter().any(is_again), "{}", action.name);
            assert_ne!(action.name, action.help);
        }
    }
}
