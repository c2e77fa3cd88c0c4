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

use super::action::{Action, Section, alt, ctrl, ctrl_shift, key, shift};

/// How far Shift and an arrow key go, in seconds.
const SKIP_SECS: f64 = 1.0;

/// Builds [`ACTIONS`] of rows: `"Name" [keys] if NEEDS => COMMAND, "Help";`, of which keys, needs and help may be
/// missing. Of several keys the first is the one that is shown.
macro_rules! actions {
    ($($section:ident { $(
        $(#[$cfg:meta])*
        $name:literal $([$($($key:ident)+),+])? $(if $needs:ident)?
            => $group:ident $(($command:expr))? $(, $help:literal)?;
    )+ })+) => {
        /// Every action, in the order of menus and of the F1 sheet.
        pub static ACTIONS: &[Action] = &[$($(
            $(#[$cfg])*
            Action {
                command: Command::$group $(($command))?,
                name: $name,
                help: actions!(@or "" $(, $help)?),
                keys: &[$($(actions!(@shortcut $($key)+)),+)?],
                section: Section::$section,
                needs: actions!(@or Needs::Nothing $(, Needs::$needs)?),
            },
        )+)+];
    };
    (@shortcut $key:ident) => { key(KeyCode::$key) };
    (@shortcut $modifier:ident $key:ident) => { $modifier(KeyCode::$key) };
    (@or $otherwise:expr) => { $otherwise };
    (@or $otherwise:expr, $given:expr) => { $given };
}

actions! {
    File {
        "Open…" [ctrl KeyO] => File(FileCommand::Choose);
        "Save" [ctrl KeyS] if Edits => Edit(EditCommand::Save),
            "Edited labels, as a table beside the recording, otherwise the scene";
        "Undo" [ctrl KeyZ] if Undo => Edit(EditCommand::Undo),
            "The last edit of labels or of a scene";
        "Redo" [ctrl_shift KeyZ, ctrl KeyY] if Redo => Edit(EditCommand::Redo),
            "The edit that was undone last";
        "Reload" [KeyR] if Recording => File(FileCommand::Reload),
            "Reads the file and its skeleton again";
        "Previous file" [BracketLeft] => File(FileCommand::Step(Direction::Backward)),
            "In the list of files";
        "Next file" [BracketRight] => File(FileCommand::Step(Direction::Forward)),
            "In the list of files";
        "Animations…" [alt KeyA] if Variants => Panel(PanelCommand::Toggle(Panel::ANIMATIONS)),
            "Animations and characters of the file, by name";
        "Previous animation" [alt BracketLeft] if Animations =>
            File(FileCommand::StepAnimation(Direction::Backward)), "In the same file";
        "Next animation" [alt BracketRight] if Animations =>
            File(FileCommand::StepAnimation(Direction::Forward)), "In the same file";
        "Attach skeleton…" => Skeleton(SkeletonCommand::Choose),
            "Plays the recording on the bones of a glTF, VRM, FBX or CINF file";
        "Attach Minecraft player" => Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")),
            "Retargets the recording of a body to Minecraft's player";
        "Detach skeleton" if Detachable => Skeleton(SkeletonCommand::Detach),
            "Plays the recording without its skeleton";
        "Match skeleton automatically" if Attached => Skeleton(SkeletonCommand::Retarget(None)),
            "By node name if most names match, otherwise bone by bone";
        "Match skeleton by node names" if Attached =>
            Skeleton(SkeletonCommand::Retarget(Some(Retarget::Off))),
            "Each node of the skeleton moves with the recorded node of the same name";
        "Match skeleton by bones" if Attached =>
            Skeleton(SkeletonCommand::Retarget(Some(Retarget::Auto))),
            "Retargets bone by bone, regardless of node names and rest poses";
        "Open map of bones…" if Attached => Skeleton(SkeletonCommand::ChooseMap),
            "Retargets with a map from “Save map of bones” or “mutoscope bones”";
        "Save map of bones" if Retargeted => Skeleton(SkeletonCommand::SaveMap),
            "As JSON beside the recording, to edit and open again";
        "Save mapping of columns" if Columns => Columns(ColumnsCommand::Save),
            "As TOML beside the table, to be found when that is opened";
        "Examples" => File(FileCommand::ShowGallery), "Recordings that come with Mutoscope";
        "Save screenshot" [F12] => Screenshot, "A PNG of the window, in the current folder";
        "Export…" [ctrl KeyE] if Recording => Panel(PanelCommand::Toggle(Panel::EXPORT)),
            "As GLB, CSV, AnimJ, Maya .anim, BVH, web page, Parquet, Arrow, MCAP or video";
        // A web page has links, also to examples.
        #[cfg(target_family = "wasm")]
        "Copy link to view" [shift KeyV] if Recording => CopyView,
            "File, time, range, selection and camera, to return to or to share";
        #[cfg(not(target_family = "wasm"))]
        "Copy view as command" [shift KeyV] if File => CopyView,
            "File, time, range, selection and camera, to return to or to share";
    }
    Playback {
        "Play or pause" [Space] => Time(TimeCommand::TogglePlay);
        "Previous sample" [ArrowLeft] => Time(TimeCommand::Step(Direction::Backward)),
            "Steps by recorded sample, at any speed";
        "Next sample" [ArrowRight] => Time(TimeCommand::Step(Direction::Forward)),
            "Steps by recorded sample, at any speed";
        "Skip back 1 second" [shift ArrowLeft] => Time(TimeCommand::Skip(-SKIP_SECS));
        "Skip forward 1 second" [shift ArrowRight] => Time(TimeCommand::Skip(SKIP_SECS));
        "Previous key" [ctrl ArrowLeft, ArrowUp] =>
            Playhead(PlayheadCommand::StepKey(Direction::Backward)),
            "Of the selected node, otherwise of all nodes";
        "Next key" [ctrl ArrowRight, ArrowDown] =>
            Playhead(PlayheadCommand::StepKey(Direction::Forward)),
            "Of the selected node, otherwise of all nodes";
        "Previous marker or issue" [PageUp] =>
            Playhead(PlayheadCommand::StepEvent(Direction::Backward));
        "Next marker or issue" [PageDown] =>
            Playhead(PlayheadCommand::StepEvent(Direction::Forward));
        "Go to start" [Home] => Time(TimeCommand::ToStart), "Of the range, if there is one";
        "Go to end" [End] => Time(TimeCommand::ToEnd), "Of the range, if there is one";
        "Go to time…" [KeyG] => Panel(PanelCommand::EditTime), "In seconds or as mm:ss.mmm";
        "Slower" [KeyJ] => Time(TimeCommand::Slower);
        "Faster" [KeyK] => Time(TimeCommand::Faster);
        "Speed 0.1×" [Digit1] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[0]));
        "Speed 0.25×" [Digit2] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[1]));
        "Speed 0.5×" [Digit3] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[2]));
        "Speed 1×" [Digit4] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[3]));
        "Speed 2×" [Digit5] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[4]));
        "Speed 4×" [Digit6] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[5]));
        "Speed 8×" [Digit7] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[6]));
        "Cycle loop mode" [KeyL] => Time(TimeCommand::CycleLooping), "Off, all, range, ping-pong";
        "Skip gaps" [alt KeyL] if Gaps => Toggle(Toggle::SkipGaps),
            "Playback jumps over long times without keys";
    }
    Range {
        "Set in point" [KeyI] => Playhead(PlayheadCommand::SetInHere), "At the current time";
        "Set out point" [KeyO] => Playhead(PlayheadCommand::SetOutHere), "At the current time";
        "Clear range" [alt KeyI, alt KeyO] => Time(TimeCommand::SetRange(None));
    }
    View {
        "Frame selected" [KeyF] => Camera(CameraCommand::FrameSelected),
            "Or all, if nothing is selected";
        "Frame all" [KeyA] => Camera(CameraCommand::FrameAll);
        "Head camera" [KeyC] => Toggle(Toggle::HeadCamera), "The view from the recorded head";
        "Front view" [alt Digit1] => Camera(CameraCommand::LookAlong(AxisView::Front));
        "Right view" [alt Digit3] => Camera(CameraCommand::LookAlong(AxisView::Right));
        "Top view" [alt Digit7] => Camera(CameraCommand::LookAlong(AxisView::Top));
        "Names" [KeyN] => Toggle(Toggle::Labels), "Of all nodes";
        "Axes" [KeyX] => Toggle(Toggle::Axes), "Of all nodes";
        "Bones" [KeyB] => Toggle(Toggle::Bones);
        "Smooth hands" => Toggle(Toggle::SmoothHands),
            "A skin around the joints of hands; its thickness is approximate";
        "Model" [KeyM] => Toggle(Toggle::Model),
            "The attached model's meshes, in place of its bones";
        "Grid" [shift KeyG] => Toggle(Toggle::Grid);
        "Rest pose" [shift KeyB] => Toggle(Toggle::RestPose),
            "The skeleton without its animation, in outline";
        "In place" [KeyP] => Toggle(Toggle::InPlace), "Removes root motion";
        "Cycle camera follow" [KeyT] => Camera(CameraCommand::CycleFollow),
            "Off, follow, follow and rotate: the selected node, otherwise the root";
        "Motion trails" [KeyY] => Toggle(Toggle::Trails),
            "Of pinned joints, otherwise of the selected one, coloured by speed";
        "Ghosts" [shift KeyY] => Toggle(Toggle::Ghosts),
            "Poses before and after the current time, as onion skin";
        "Untracked hands" [KeyU] => Toggle(Toggle::FadeUntracked),
            "Shows hands faded while they are not tracked";
        "Node mapping" if Skeleton => Panel(PanelCommand::Toggle(Panel::NODE_MAPPING)),
            "Which nodes of the recording and the skeleton match";
        "Columns" if Columns => Panel(PanelCommand::Toggle(Panel::COLUMNS)),
            "What each column of a table is read as";
        "Bytes of the file" [ctrl KeyB] => Panel(PanelCommand::Toggle(Panel::BYTES)),
            "Where the selected key is stored; a click on bytes selects their key";
        "Add area of interest" [alt KeyG] if Recording => View(ViewCommand::AddArea),
            "Around the selected joint, otherwise at the point of gaze";
        "Deselect" [Escape] => Cancel, "Closes floating panels first";
    }
    Timeline {
        "Zoom to range" [KeyZ] if Range => Timeline(TimelineCommand::ZoomToRange),
            "On the timeline";
        "Fit timeline" [shift KeyZ] => Timeline(TimelineCommand::ZoomToAll),
            "Shows the whole recording; so does a double click";
        "Expand all rows" => Timeline(TimelineCommand::ExpandRows), "Of the timeline";
        "Collapse all rows" => Timeline(TimelineCommand::CollapseRows), "Of the timeline";
        "Compressed gaps" [alt KeyE] if Gaps => Toggle(Toggle::CompressGaps),
            "Shortens long times without keys on the timeline";
        "Snapping" [alt KeyS] => Toggle(Toggle::Snapping),
            "To keys, markers and round times while dragging; hold Ctrl or Alt to switch it off";
        "Curves" [shift KeyC] => Toggle(Toggle::Curves),
            "Of the selected node, in place of the timeline's rows";
        "Velocity and acceleration" [KeyV] => Toggle(Toggle::Velocity),
            "Of the selected node, as curves in world space";
        "Fit curves" [shift KeyF] => Timeline(TimelineCommand::FitCurves),
            "To the values within the visible time";
        "Normalised curves" => Toggle(Toggle::NormalisedCurves),
            "Each from its own minimum to its maximum";
        "Time in frames" [ctrl KeyT] => Toggle(Toggle::Frames),
            "If the file states a rate, otherwise in seconds";
    }
    Compare {
        "Compare with…" [ctrl KeyD] if Recording => Compare(Compare::Choose),
            "Plays another recording on the same clock";
        "Align by motion" [shift KeyA] if Comparison => Compare(Compare::Align(None)),
            "Finds the offset at which the joints' speeds match";
        "Cycle overlay" [KeyS] if Comparison => Compare(Compare::CyclePlacement),
            "As recorded, aligned, side by side";
        "Stop comparing" [shift KeyD] if Comparison => Compare(Compare::Stop),
            "Closes all recordings but A";
        #[cfg(not(target_family = "wasm"))]
        "Add reference video…" if Recording => Footage(FootageCommand::Choose),
            "A video, images or sound, played with the motion on the same clock";
        #[cfg(not(target_family = "wasm"))]
        "Reference video" [alt KeyR] if Footage => Panel(PanelCommand::Toggle(Panel::FOOTAGE)),
            "In the corner of the viewport";
        #[cfg(not(target_family = "wasm"))]
        "Reference sound" [alt KeyM] if Footage => Toggle(Toggle::ReferenceSound),
            "At half to twice the normal speed, forward";
        #[cfg(not(target_family = "wasm"))]
        "Previous reference frame" [alt ArrowLeft] if Footage =>
            Footage(FootageCommand::Step(Direction::Backward)),
            "Moves the video against the motion by one frame";
        #[cfg(not(target_family = "wasm"))]
        "Next reference frame" [alt ArrowRight] if Footage =>
            Footage(FootageCommand::Step(Direction::Forward)),
            "Moves the video against the motion by one frame";
        #[cfg(not(target_family = "wasm"))]
        "Remove reference video" if Footage => Footage(FootageCommand::Remove);
    }
    Labels {
        "Add label" [KeyW] if Recording => Label(LabelCommand::Mark),
            "Names the range; without a range, begins a label at the playhead and ends it when pressed again";
        "Repeat label" [Enter] if LastLabel => Label(LabelCommand::Repeat),
            "Adds a label with the last name, without asking";
        "Rename label…" [F2] if Label => Label(LabelCommand::Rename), "The selected one";
        "Remove label" [Delete] if Label => Label(LabelCommand::Remove), "The selected one";
        "Import labels…" if Recording => Label(LabelCommand::ChooseImport),
            "Adds the labels of a CSV, ELAN or Praat file";
        "Export labels…" if Labels => Panel(PanelCommand::Toggle(Panel::EXPORT_LABELS)),
            "As CSV, ELAN or Praat";
        "Report…" if Recording => Panel(PanelCommand::Toggle(Panel::REPORT)),
            "A web page with the measures of the open recordings, by label";
    }
    Scene {
        "Add recording…" if Scene => Scene(SceneCommand::ChooseRecordings),
            "A recording or another scene, to the scene that is open";
        "Save scene as…" if Scene => Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)),
            "For the mod, as a .mcmocap_scene of version 4";
    }
    Window {
        "Panels" [KeyH] => Toggle(Toggle::Panels), "Shows or hides all of them";
        "Full screen" [F11] => Toggle(Toggle::FullScreen);
        "Issues" [KeyE] if Recording => Panel(PanelCommand::Toggle(Panel::ISSUES)),
            "Errors in the file, and suspect motion";
        "Command palette…" [ctrl KeyP, ctrl KeyK] => Panel(PanelCommand::Toggle(Panel::PALETTE)),
            "Finds commands, files and nodes";
        "Light theme" => Toggle(Toggle::LightTheme);
        "Keyboard shortcuts" [F1] => Panel(PanelCommand::Toggle(Panel::HELP)), "And mouse gestures";
    }
}

impl Action {
    /// The action of `command`, if the table has one.
    pub fn of(command: &Command) -> Option<&'static Self> {
        ACTIONS.iter().find(|action| action.command == *command)
    }
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
