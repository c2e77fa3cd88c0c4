//! The table of all actions that the user can choose.
//!
//! Buttons, keys, menus, the command palette and the F1 sheet all take their commands, names,
//! tooltips and keys from [`ACTIONS`], so that they cannot contradict each other.

use bevy::input::keyboard::KeyCode;

#[cfg(not(target_family = "wasm"))]
use crate::session::FootageCommand;
use crate::session::{
    CameraCommand, ColumnsCommand, Command, CompareCommand, EditCommand, FileCommand, LabelCommand,
    Needs, Panel, PanelCommand, PlayheadCommand, SceneCommand, SkeletonCommand, TimelineCommand,
    Toggle, ViewCommand,
};
use crate::stage::AxisView;
use mutoscope_core::{
    formats::Fit,
    playback::{Direction, SPEED_PRESETS, TimeCommand},
};

use super::action::{Action, Section, alt, ctrl, ctrl_shift, key, shift};

const SKIP_SECS: f64 = 1.0;

/// Builds [`ACTIONS`] from rows: `"Name" [keys] if NEEDS => COMMAND, "Help";`. The keys, the
/// condition and the tooltip are optional. Menus show the first key of a row.
macro_rules! actions {
    ($($section:ident { $(
        $(#[$cfg:meta])*
        $name:literal $([$($($key:ident)+),+])? $(if $needs:ident)?
            => $group:ident $(($command:expr))? $(, $help:literal)?;
    )+ })+) => {
        /// Every action, in the order of the menus and of the F1 sheet.
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
            "Saves edited labels next to the recording, or else the edited scene";
        "Undo" [ctrl KeyZ] if Undo => Edit(EditCommand::Undo),
            "Undoes the last edit of labels or of a scene";
        "Redo" [ctrl_shift KeyZ, ctrl KeyY] if Redo => Edit(EditCommand::Redo),
            "Redoes the last undone edit";
        "Reload" [KeyR] if Recording => File(FileCommand::Reload),
            "Reads the file and its skeleton again";
        "Previous file" [BracketLeft] => File(FileCommand::Step(Direction::Backward)),
            "Opens the previous file of the list";
        "Next file" [BracketRight] => File(FileCommand::Step(Direction::Forward)),
            "Opens the next file of the list";
        "Animations…" [alt KeyA] if Variants => Panel(PanelCommand::Toggle(Panel::ANIMATIONS)),
            "Lists the animations and characters of the file";
        "Previous animation" [alt BracketLeft] if Animations =>
            File(FileCommand::StepAnimation(Direction::Backward)), "Plays the previous animation of the file";
        "Next animation" [alt BracketRight] if Animations =>
            File(FileCommand::StepAnimation(Direction::Forward)), "Plays the next animation of the file";
        "Attach skeleton…" => Skeleton(SkeletonCommand::Choose),
            "Plays the recording on the bones of a glTF, VRM, FBX or CINF file";
        "Attach Minecraft player" => Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")),
            "Retargets a body recording to Minecraft's player";
        "Detach skeleton" if Detachable => Skeleton(SkeletonCommand::Detach),
            "Plays the recording without its skeleton";
        "Match skeleton automatically" if Attached => Skeleton(SkeletonCommand::Retarget(Fit::Automatic)),
            "Matches by node name if most names match, otherwise bone by bone";
        "Match skeleton by node names" if Attached =>
            Skeleton(SkeletonCommand::Retarget(Fit::ByName)),
            "Moves each node of the skeleton with the recorded node of the same name";
        "Match skeleton by bones" if Attached =>
            Skeleton(SkeletonCommand::Retarget(Fit::ByBones)),
            "Retargets bone by bone, regardless of node names and rest poses";
        "Open bone map…" if Attached => Skeleton(SkeletonCommand::ChooseMap),
            "Retargets with a map from “Save bone map” or “mutoscope bones”";
        "Save bone map" if Retargeted => Skeleton(SkeletonCommand::SaveMap),
            "Saves JSON next to the recording, to edit and open again";
        "Save column mapping" if Columns => Columns(ColumnsCommand::Save),
            "Saves TOML next to the table, where it is found when the table is opened";
        "Examples" => File(FileCommand::ShowGallery), "Shows the recordings that come with Mutoscope";
        "Save screenshot" [F12] => Screenshot, "Saves a PNG of the window in the current folder";
        "Export…" [ctrl KeyE] if Recording => Panel(PanelCommand::Toggle(Panel::EXPORT)),
            "Exports GLB, CSV, AnimJ, Maya .anim, BVH, a web page, Parquet, Arrow, MCAP or video";
        // On a web page the view is copied as a link, which can also name an embedded example.
        #[cfg(target_family = "wasm")]
        "Copy link to view" [shift KeyV] if Recording => CopyView,
            "Copies a link that reopens this file with the same time, range, selection and camera";
        #[cfg(not(target_family = "wasm"))]
        "Copy view as command" [shift KeyV] if File => CopyView,
            "Copies a command that reopens this file with the same time, range, selection and camera";
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
            "Steps through the keys of the selected node, otherwise of all nodes";
        "Next key" [ctrl ArrowRight, ArrowDown] =>
            Playhead(PlayheadCommand::StepKey(Direction::Forward)),
            "Steps through the keys of the selected node, otherwise of all nodes";
        "Previous marker or issue" [PageUp] =>
            Playhead(PlayheadCommand::StepEvent(Direction::Backward));
        "Next marker or issue" [PageDown] =>
            Playhead(PlayheadCommand::StepEvent(Direction::Forward));
        "Go to start" [Home] => Time(TimeCommand::ToStart), "Goes to the start of the range, if there is one";
        "Go to end" [End] => Time(TimeCommand::ToEnd), "Goes to the end of the range, if there is one";
        "Go to time…" [KeyG] => Panel(PanelCommand::EditTime), "Accepts seconds or mm:ss.mmm";
        "Slower" [KeyJ] => Time(TimeCommand::Slower);
        "Faster" [KeyK] => Time(TimeCommand::Faster);
        "Speed 0.1×" [Digit1] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[0]));
        "Speed 0.25×" [Digit2] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[1]));
        "Speed 0.5×" [Digit3] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[2]));
        "Speed 1×" [Digit4] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[3]));
        "Speed 2×" [Digit5] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[4]));
        "Speed 4×" [Digit6] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[5]));
        "Speed 8×" [Digit7] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[6]));
        "Cycle loop mode" [KeyL] => Time(TimeCommand::CycleLooping), "Switches between off, all, range and ping-pong";
        "Skip gaps" [alt KeyL] if Gaps => Toggle(Toggle::SkipGaps),
            "Skips long gaps without keys during playback";
    }
    Range {
        "Set in point" [KeyI] => Playhead(PlayheadCommand::SetInPoint), "Starts the range at the current time";
        "Set out point" [KeyO] => Playhead(PlayheadCommand::SetOutPoint), "Ends the range at the current time";
        "Clear range" [alt KeyI, alt KeyO] => Time(TimeCommand::SetRange(None));
    }
    View {
        "Frame selected" [KeyF] => Camera(CameraCommand::FrameSelected),
            "Frames everything if nothing is selected";
        "Frame all" [KeyA] => Camera(CameraCommand::FrameAll);
        "Head camera" [KeyC] => Toggle(Toggle::HeadCamera), "Shows the view from the recorded head";
        "Front view" [alt Digit1] => Camera(CameraCommand::LookAlong(AxisView::Front));
        "Right view" [alt Digit3] => Camera(CameraCommand::LookAlong(AxisView::Right));
        "Top view" [alt Digit7] => Camera(CameraCommand::LookAlong(AxisView::Top));
        "Names" [KeyN] => Toggle(Toggle::Labels), "Shows the names of all nodes";
        "Axes" [KeyX] => Toggle(Toggle::Axes), "Shows the axes of all nodes";
        "Bones" [KeyB] => Toggle(Toggle::Bones);
        "Smooth hands" => Toggle(Toggle::SmoothHands),
            "Draws a skin around the joints of hands; its thickness is approximate";
        "Model" [KeyM] => Toggle(Toggle::Model),
            "Shows the attached model's meshes in place of its bones";
        "Grid" [shift KeyG] => Toggle(Toggle::Grid);
        "Rest pose" [shift KeyB] => Toggle(Toggle::RestPose),
            "Outlines the skeleton without its animation";
        "In place" [KeyP] => Toggle(Toggle::InPlace), "Removes root motion";
        "Cycle camera follow" [KeyT] => Camera(CameraCommand::CycleFollow),
            "Switches between off, follow, and follow and rotate; follows the selected node, otherwise the root";
        "Motion trails" [KeyY] => Toggle(Toggle::Trails),
            "Draws the paths of pinned joints, otherwise of the selected one, coloured by speed";
        "Ghosts" [shift KeyY] => Toggle(Toggle::Ghosts),
            "Shows poses before and after the current time, as onion skin";
        "Untracked hands" [KeyU] => Toggle(Toggle::FadeUntracked),
            "Shows hands faded while they are not tracked";
        "Node mapping" if Skeleton => Panel(PanelCommand::Toggle(Panel::NODE_MAPPING)),
            "Shows which nodes of the recording and the skeleton match";
        "Columns" if Columns => Panel(PanelCommand::Toggle(Panel::COLUMNS)),
            "Shows what each column of a table is read as";
        "Bytes of the file" [ctrl KeyB] => Panel(PanelCommand::Toggle(Panel::BYTES)),
            "Shows where the selected key is stored; a click on bytes selects their key";
        "Add area of interest" [alt KeyG] if Recording => View(ViewCommand::AddArea),
            "Adds an area around the selected joint, otherwise at the point of gaze";
        "Deselect" [Escape] => Cancel, "Closes floating panels first";
    }
    Timeline {
        "Zoom to range" [KeyZ] if Range => Timeline(TimelineCommand::ZoomToRange),
            "Zooms the timeline to the range";
        "Fit timeline" [shift KeyZ] => Timeline(TimelineCommand::ZoomToAll),
            "Shows the whole recording; so does a double click";
        "Expand all rows" => Timeline(TimelineCommand::ExpandRows), "Expands all rows of the timeline";
        "Collapse all rows" => Timeline(TimelineCommand::CollapseRows), "Collapses all rows of the timeline";
        "Compressed gaps" [alt KeyE] if Gaps => Toggle(Toggle::CompressGaps),
            "Shortens long gaps without keys on the timeline";
        "Snapping" [alt KeyS] => Toggle(Toggle::Snapping),
            "Snaps to keys, markers and round times while dragging; hold Ctrl or Alt to switch it off";
        "Curves" [shift KeyC] => Toggle(Toggle::Curves),
            "Shows the curves of the selected node in place of the timeline's rows";
        "Velocity and acceleration" [KeyV] => Toggle(Toggle::Velocity),
            "Shows curves of the selected node in world space";
        "Fit curves" [shift KeyF] => Timeline(TimelineCommand::FitCurves),
            "Fits the value axis to the visible time";
        "Normalised curves" => Toggle(Toggle::NormalisedCurves),
            "Scales each curve from its own minimum to its maximum";
        "Time in frames" [ctrl KeyT] => Toggle(Toggle::Frames),
            "Shows frames if the file states a rate, otherwise seconds";
    }
    Compare {
        "Compare with…" [ctrl KeyD] if Recording => Compare(CompareCommand::Choose),
            "Plays another recording on the same clock";
        "Align by motion" [shift KeyA] if Comparison => Compare(CompareCommand::Align(None)),
            "Finds the offset at which the joints' speeds match";
        "Cycle overlay" [KeyS] if Comparison => Compare(CompareCommand::CyclePlacement),
            "Switches between as recorded, aligned and side by side";
        "Stop comparing" [shift KeyD] if Comparison => Compare(CompareCommand::Stop),
            "Closes all recordings but A";
        #[cfg(not(target_family = "wasm"))]
        "Add reference video…" if Recording => Footage(FootageCommand::Choose),
            "Plays a video, images or sound on the same clock as the motion";
        #[cfg(not(target_family = "wasm"))]
        "Reference video" [alt KeyR] if Footage => Panel(PanelCommand::Toggle(Panel::FOOTAGE)),
            "Shows the reference video in the corner of the viewport";
        #[cfg(not(target_family = "wasm"))]
        "Reference sound" [alt KeyM] if Footage => Toggle(Toggle::ReferenceSound),
            "Plays the sound at half to twice the normal speed, forward only";
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
        "Rename label…" [F2] if Label => Label(LabelCommand::Rename), "Renames the selected label";
        "Remove label" [Delete] if Label => Label(LabelCommand::Remove), "Removes the selected label";
        "Import labels…" if Recording => Label(LabelCommand::ChooseImport),
            "Adds the labels of a CSV, ELAN or Praat file";
        "Export labels…" if Labels => Panel(PanelCommand::Toggle(Panel::EXPORT_LABELS)),
            "Exports labels as CSV, ELAN or Praat";
        "Report…" if Recording => Panel(PanelCommand::Toggle(Panel::REPORT)),
            "Writes a web page with the measures of the open recordings, by label";
    }
    Scene {
        "Add recording…" if Scene => Scene(SceneCommand::ChooseRecordings),
            "Adds a recording or another scene to the open scene";
        "Save scene as…" if Scene => Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)),
            "Saves a .mcmocap_scene of version 4 for the mod";
    }
    Window {
        "Panels" [KeyH] => Toggle(Toggle::Panels), "Shows or hides all panels";
        "Full screen" [F11] => Toggle(Toggle::FullScreen);
        "Issues" [KeyE] if Recording => Panel(PanelCommand::Toggle(Panel::ISSUES)),
            "Lists errors in the file and suspect motion";
        "Command palette…" [ctrl KeyP, ctrl KeyK] => Panel(PanelCommand::Toggle(Panel::PALETTE)),
            "Finds commands, files and nodes";
        "Light theme" => Toggle(Toggle::LightTheme);
        "Keyboard shortcuts" [F1] => Panel(PanelCommand::Toggle(Panel::HELP)), "Lists keyboard shortcuts and mouse gestures";
    }
}

impl Action {
    /// Returns the action that issues `command`, or `None` if the table has no such action.
    pub fn for_command(command: &Command) -> Option<&'static Self> {
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
                let previous_action = meanings.insert(shortcut, action.name);
                assert_eq!(previous_action, None, "{shortcut:?} is also for {}", action.name);
            }
        }
    }

    #[test]
    fn commands_and_names_are_unique() {
        for (index, action) in ACTIONS.iter().enumerate() {
            let is_duplicate =
                |other: &Action| other.command == action.command || other.name == action.name;
            assert!(!ACTIONS[index + 1..].iter().any(is_duplicate), "{}", action.name);
            assert_ne!(action.name, action.help);
        }
    }
}
