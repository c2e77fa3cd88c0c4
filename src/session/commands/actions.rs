//! The table of all actions that the user can choose.
//!
//! Buttons, keys, menus, the command palette and the F1 sheet all take their commands, names,
//! tooltips, keys and search words from [`ACTIONS`], so that they cannot contradict each other.

use bevy::input::keyboard::KeyCode;

#[cfg(not(target_family = "wasm"))]
use crate::session::footage::FootageCommand;
use crate::session::{
    areas::AreaCommand,
    columns::ColumnsCommand,
    compare::CompareCommand,
    files::FileCommand,
    labels::LabelCommand,
    playback::PlayheadCommand,
    scenes::SceneCommand,
    skeleton::SkeletonCommand,
    view::{Panel, PanelCommand, TimelineCommand},
    viewport::CameraCommand,
};
use bevy_mutoscope::stage::AxisView;
use mutoscope_core::{
    formats::Fit,
    playback::{Direction, SPEED_PRESETS, TimeCommand},
};

use super::{
    Command, EditCommand, Needs,
    action::{Action, Section, alt, ctrl, ctrl_shift, key, shift},
    toggle::{
        Toggle, are_ghosts_on, is_full_screen, is_head_camera_on, is_velocity_shown,
        request_full_screen, set_ghosts, set_head_camera, set_velocity, toggle,
    },
};

const SKIP_SECS: f64 = 1.0;

/// Builds [`ACTIONS`] from rows: `"Name" [keys] if NEEDS => COMMAND, "Help" / "search words";`. The
/// keys, the condition, the tooltip and the search words are optional. Menus show the first key of
/// a row. The command `Toggle { NAME: state }` also declares the constant `Toggle::NAME`.
macro_rules! actions {
    ($($section:ident { $(
        $(#[$cfg:meta])*
        $name:literal $([$($($key:ident)+),+])? $(if $needs:ident)?
            => $group:ident $(($command:expr))? $({ $toggle:ident: $($state:tt)+ })?
            $(, $help:literal)? $(/ $synonyms:literal)?;
    )+ })+) => {
        /// Every action, in the order of the menus and of the F1 sheet.
        pub static ACTIONS: &[Action] = &[$($(
            $(#[$cfg])*
            Action {
                command: Command::$group $(($command))? $((Toggle::$toggle))?,
                name: $name,
                help: actions!(@or "" $(, $help)?),
                synonyms: actions!(@or "" $(, $synonyms)?),
                keys: &[$($(actions!(@shortcut $($key)+)),+)?],
                section: Section::$section,
                needs: actions!(@or Needs::Nothing $(, Needs::$needs)?),
            },
        )+)+];

        impl Toggle {
            $($($(
                #[doc = $name]
                pub const $toggle: Self = toggle!(stringify!($toggle), $($state)+);
            )?)+)+
        }
    };
    (@shortcut $key:ident) => { key(KeyCode::$key) };
    (@shortcut $modifier:ident $key:ident) => { $modifier(KeyCode::$key) };
    (@or $otherwise:expr) => { $otherwise };
    (@or $otherwise:expr, $given:expr) => { $given };
}

actions! {
    File {
        "Open…" [ctrl KeyO] => File(FileCommand::Choose)
            / "import load";
        "Save" [ctrl KeyS] if Edits => Edit(EditCommand::Save),
            "Saves labels, areas, bone maps and column mappings next to the recording, or else the scene"
            / "write store";
        "Undo" [ctrl KeyZ] if Undo => Edit(EditCommand::Undo),
            "Undoes the last edit"
            / "revert back";
        "Redo" [ctrl_shift KeyZ, ctrl KeyY] if Redo => Edit(EditCommand::Redo),
            "Redoes the last undone edit"
            / "again forward";
        "Reload" [KeyR] if Recording => File(FileCommand::Reload),
            "Reads the file and its skeleton again"
            / "refresh revert";
        "Previous file" [BracketLeft] => File(FileCommand::Step(Direction::Backward)),
            "Opens the previous file of the list";
        "Next file" [BracketRight] => File(FileCommand::Step(Direction::Forward)),
            "Opens the next file of the list";
        "Contact sheet" [alt KeyF] if Files => Panel(PanelCommand::Toggle(Panel::CONTACT_SHEET)),
            "Shows all files of the list with their thumbnails"
            / "thumbnails grid tiles overview folder browse";
        "Animations…" [alt KeyA] if Variants => Panel(PanelCommand::Toggle(Panel::ANIMATIONS)),
            "Lists the animations and characters of the file"
            / "clips takes actions characters";
        "Previous animation" [alt BracketLeft] if Animations =>
            File(FileCommand::StepAnimation(Direction::Backward)), "Plays the previous animation of the file";
        "Next animation" [alt BracketRight] if Animations =>
            File(FileCommand::StepAnimation(Direction::Forward)), "Plays the next animation of the file";
        "Attach skeleton…" => Skeleton(SkeletonCommand::Choose),
            "Plays the recording on the bones of a glTF, VRM, FBX or CINF file"
            / "rig armature avatar character model bind import";
        "Attach Minecraft player" => Skeleton(SkeletonCommand::AttachBuiltIn("minecraft")),
            "Retargets a body recording to Minecraft's player"
            / "rig avatar character steve boxes";
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
        "Examples" => File(FileCommand::ShowGallery), "Shows the recordings that come with Mutoscope"
            / "samples demo welcome";
        "Save screenshot" [F12] => Screenshot, "Saves a PNG of the window in the current folder"
            / "image picture capture png";
        "Export…" [ctrl KeyE] if Recording => Panel(PanelCommand::Toggle(Panel::EXPORT)),
            "Exports GLB, CSV, AnimJ, Maya .anim, BVH, a web page, Parquet, Arrow, MCAP or video"
            / "save convert bake render video gif mp4 gltf image sequence";
        // On a web page the view is copied as a link, which can also name an embedded example.
        #[cfg(target_family = "wasm")]
        "Copy link to view" [shift KeyV] if Recording => CopyView,
            "Copies a link that reopens this file with the same time, range, selection and camera"
            / "share link permalink camera state";
        #[cfg(not(target_family = "wasm"))]
        "Copy view as command" [shift KeyV] if File => CopyView,
            "Copies a command that reopens this file with the same time, range, selection and camera"
            / "share link permalink camera state";
    }
    Playback {
        "Play or pause" [Space] => Time(TimeCommand::TogglePlay)
            / "start stop animation";
        "Previous sample" [ArrowLeft] => Time(TimeCommand::Step(Direction::Backward)),
            "Steps by recorded sample, at any speed"
            / "frame advance";
        "Next sample" [ArrowRight] => Time(TimeCommand::Step(Direction::Forward)),
            "Steps by recorded sample, at any speed"
            / "frame advance";
        "Skip back 1 second" [shift ArrowLeft] => Time(TimeCommand::Skip(-SKIP_SECS));
        "Skip forward 1 second" [shift ArrowRight] => Time(TimeCommand::Skip(SKIP_SECS));
        "Previous key" [ctrl ArrowLeft, ArrowUp] =>
            Playhead(PlayheadCommand::StepKey(Direction::Backward)),
            "Steps through the keys of the selected node, otherwise of all nodes"
            / "keyframe jump";
        "Next key" [ctrl ArrowRight, ArrowDown] =>
            Playhead(PlayheadCommand::StepKey(Direction::Forward)),
            "Steps through the keys of the selected node, otherwise of all nodes"
            / "keyframe jump";
        "Previous marker or issue" [PageUp] =>
            Playhead(PlayheadCommand::StepEvent(Direction::Backward))
            / "bookmark annotation error warning";
        "Next marker or issue" [PageDown] =>
            Playhead(PlayheadCommand::StepEvent(Direction::Forward))
            / "bookmark annotation error warning";
        "Go to start" [Home] => Time(TimeCommand::ToStart), "Goes to the start of the range, if there is one";
        "Go to end" [End] => Time(TimeCommand::ToEnd), "Goes to the end of the range, if there is one";
        "Go to time…" [KeyG] => Panel(PanelCommand::EditTime), "Accepts seconds or mm:ss.mmm"
            / "jump seek scrub current frame";
        "Slower" [KeyJ] => Time(TimeCommand::Slower)
            / "playback speed rate slow motion time scale";
        "Faster" [KeyK] => Time(TimeCommand::Faster)
            / "playback speed rate slow motion time scale";
        "Speed 0.1×" [Digit1] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[0]))
            / "playback speed rate slow motion time scale";
        "Speed 0.25×" [Digit2] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[1]))
            / "playback speed rate slow motion time scale";
        "Speed 0.5×" [Digit3] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[2]))
            / "playback speed rate slow motion time scale";
        "Speed 1×" [Digit4] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[3]))
            / "playback speed rate slow motion time scale";
        "Speed 2×" [Digit5] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[4]))
            / "playback speed rate slow motion time scale";
        "Speed 4×" [Digit6] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[5]))
            / "playback speed rate slow motion time scale";
        "Speed 8×" [Digit7] => Time(TimeCommand::SetSpeed(SPEED_PRESETS[6]))
            / "playback speed rate slow motion time scale";
        "Cycle loop mode" [KeyL] => Time(TimeCommand::CycleLooping), "Switches between off, all, range and ping-pong"
            / "loop repeat cycle wrap mode";
        "Skip gaps" [alt KeyL] if Gaps => Toggle { SKIP_GAPS: panels.timeline.skip_gaps },
            "Skips long gaps without keys during playback"
            / "empty time jump pauses idle breaks";
    }
    Range {
        "Set in point" [KeyI] => Playhead(PlayheadCommand::SetInPoint), "Starts the range at the current time"
            / "start frame preview range loop region trim";
        "Set out point" [KeyO] => Playhead(PlayheadCommand::SetOutPoint), "Ends the range at the current time"
            / "end frame preview range loop region trim";
        "Clear range" [alt KeyI, alt KeyO] => Time(TimeCommand::SetRange(None));
    }
    View {
        "Frame selected" [KeyF] => Camera(CameraCommand::FrameSelected),
            "Frames everything if nothing is selected"
            / "focus zoom view selected";
        "Frame all" [KeyA] => Camera(CameraCommand::FrameAll)
            / "focus zoom view all extents reset home";
        "Head camera" [KeyC] => Toggle { HEAD_CAMERA: is_head_camera_on, set_head_camera }, "Shows the view from the recorded head"
            / "first person pov hmd eye";
        "Front view" [alt Digit1] => Camera(CameraCommand::LookAlong(AxisView::Front))
            / "orthographic camera numpad";
        "Right view" [alt Digit3] => Camera(CameraCommand::LookAlong(AxisView::Right))
            / "orthographic camera numpad";
        "Top view" [alt Digit7] => Camera(CameraCommand::LookAlong(AxisView::Top))
            / "orthographic camera numpad";
        "Names" [KeyN] => Toggle { LABELS: view.labels },
            "Shows or hides the names of all nodes"
            / "text";
        "Axes" [KeyX] => Toggle { AXES: view.axes }, "Shows or hides the axes of all nodes"
            / "gizmo orientation local rotation transform";
        "Bones" [KeyB] => Toggle { BONES: view.bones }
            / "armature joints skeleton stick";
        "Smooth hands" => Toggle { SMOOTH_HANDS: view.smooth_hands },
            "Draws a skin around the joints of hands; its thickness is approximate"
            / "skin glove mesh fingers palm";
        "Model" [KeyM] => Toggle { MODEL: view.model },
            "Shows meshes or a mannequin in place of the bones of a body"
            / "mesh skin geometry mannequin body stick figure capsules";
        "Grid" [shift KeyG] => Toggle { GRID: view.grid }
            / "floor ground";
        "Rest pose" [shift KeyB] => Toggle { REST_POSE: view.rest_pose },
            "Outlines the skeleton without its animation"
            / "bind pose t-pose";
        "In place" [KeyP] => Toggle { IN_PLACE: view.in_place }, "Removes root motion"
            / "root motion locomotion";
        "Cycle camera follow" [KeyT] => Camera(CameraCommand::CycleFollow),
            "Switches between off, follow, and follow and rotate; follows the selected node, otherwise the root"
            / "track lock tether camera parent";
        "Motion trails" [KeyY] => Toggle { TRAILS: view.motion_trail.trails },
            "Draws the paths of pinned joints, otherwise of the selected one, coloured by speed"
            / "motion paths trajectory editable motion trail";
        "Ghosts" [shift KeyY] => Toggle { GHOSTS: are_ghosts_on, set_ghosts },
            "Shows poses before and after the current time, as onion skin"
            / "onion skinning ghosting";
        "Untracked hands" [KeyU] => Toggle { FADE_UNTRACKED: view.fade_untracked },
            "Shows hands faded while they are not tracked"
            / "lost tracking";
        "Node mapping" if Skeleton => Panel(PanelCommand::Toggle(Panel::NODE_MAPPING)),
            "Shows which nodes of the recording and the skeleton match"
            / "retarget avatar bones match";
        "Columns" if Columns => Panel(PanelCommand::Toggle(Panel::COLUMNS)),
            "Shows what each column of a table is read as"
            / "table csv parquet header fields roles";
        "Bytes of the file" [ctrl KeyB] => Panel(PanelCommand::Toggle(Panel::BYTES)),
            "Shows where the selected key is stored; a click on bytes selects their key"
            / "hex raw binary text";
        "Add area of interest" [alt KeyG] if Recording => Area(AreaCommand::Add),
            "Adds an area around the selected joint, otherwise at the point of gaze"
            / "aoi dwell gaze region fixation target";
        "Deselect" [Escape] => Cancel, "Closes floating panels first"
            / "select none escape close";
    }
    Timeline {
        "Zoom to range" [KeyZ] if Range => Timeline(TimelineCommand::ZoomToRange),
            "Zooms the timeline to the range"
            / "dope sheet timeline zoom";
        "Fit timeline" [shift KeyZ] => Timeline(TimelineCommand::ZoomToAll),
            "Shows the whole recording; so does a double click"
            / "dope sheet timeline zoom";
        "Expand all rows" => Timeline(TimelineCommand::ExpandRows), "Expands all rows of the timeline"
            / "unfold open dope sheet channels";
        "Collapse all rows" => Timeline(TimelineCommand::CollapseRows), "Collapses all rows of the timeline"
            / "fold close dope sheet channels";
        "Compressed gaps" [alt KeyE] if Gaps => Toggle { COMPRESS_GAPS: panels.timeline.compress_gaps },
            "Shortens long gaps without keys on the timeline"
            / "hide empty time skip breaks";
        "Snapping" [alt KeyS] => Toggle { SNAPPING: panels.timeline.snapping },
            "Snaps to keys, markers and round times while dragging; hold Ctrl or Alt to switch it off"
            / "magnet snap";
        "Curves" [shift KeyC] => Toggle { CURVES: panels.timeline.curves },
            "Shows the curves of the selected node in place of the timeline's rows"
            / "graph editor f-curves fcurves animation plot";
        "Velocity and acceleration" [KeyV] => Toggle { VELOCITY: is_velocity_shown, set_velocity },
            "Shows curves of the selected node in world space"
            / "speed derivative";
        "Fit curves" [shift KeyF] => Timeline(TimelineCommand::FitCurves),
            "Fits the value axis to the visible time"
            / "graph editor frame zoom";
        "Normalised curves" => Toggle { NORMALISED_CURVES: panels.timeline.normalised },
            "Scales each curve from its own minimum to its maximum"
            / "normalize";
        "Time in frames" [ctrl KeyT] => Toggle { FRAMES: panels.timeline.frames },
            "Shows frames if the file states a rate, otherwise seconds"
            / "fps timecode ticks frame rate";
    }
    Compare {
        "Compare with…" [ctrl KeyD] if Recording => Compare(CompareCommand::Choose),
            "Plays another recording on the same clock"
            / "diff overlay reference second";
        "Align by motion" [shift KeyA] if Comparison => Compare(CompareCommand::Align(None)),
            "Finds the offset at which the joints' speeds match"
            / "sync synchronize match offset time warp";
        "Cycle overlay" [KeyS] if Comparison => Compare(CompareCommand::CyclePlacement),
            "Switches between as recorded, aligned and side by side"
            / "side by side overlay";
        "Stop comparing" [shift KeyD] if Comparison => Compare(CompareCommand::Stop),
            "Closes all recordings but A"
            / "close diff";
        #[cfg(not(target_family = "wasm"))]
        "Add reference video…" if Recording => Footage(FootageCommand::Choose),
            "Plays a video, images or sound on the same clock as the motion";
        #[cfg(not(target_family = "wasm"))]
        "Reference video" [alt KeyR] if Footage => Panel(PanelCommand::Toggle(Panel::FOOTAGE)),
            "Shows the reference video in the corner of the viewport";
        #[cfg(not(target_family = "wasm"))]
        "Reference sound" [alt KeyM] if Footage => Toggle { REFERENCE_SOUND: !panels.is_muted },
            "Plays the sound at half to twice the normal speed, forward only"
            / "mute audio unmute volume speaker";
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
            "Names the range; without a range, begins a label at the playhead and ends it when pressed again"
            / "annotate annotation segment tag code interval event";
        "Repeat label" [Enter] if LastLabel => Label(LabelCommand::Repeat),
            "Adds a label with the last name, without asking"
            / "annotate annotation again same";
        "Rename label…" [F2] if Label => Label(LabelCommand::Rename), "Renames the selected label"
            / "annotation edit text";
        "Remove label" [Delete] if Label => Label(LabelCommand::Remove), "Removes the selected label"
            / "delete annotation erase";
        "Import labels…" if Recording => Label(LabelCommand::ChooseImport),
            "Adds the labels of a CSV, ELAN or Praat file"
            / "annotations elan eaf praat textgrid csv open";
        "Export labels…" if Labels => Panel(PanelCommand::Toggle(Panel::EXPORT_LABELS)),
            "Exports labels as CSV, ELAN or Praat"
            / "annotations elan eaf praat textgrid csv save";
        "Report…" if Recording => Panel(PanelCommand::Toggle(Panel::REPORT)),
            "Writes a web page with the measures of the open recordings, by label"
            / "study statistics measures analysis html summary";
    }
    Scene {
        "Add recording…" if Scene => Scene(SceneCommand::ChooseRecordings),
            "Adds a recording or another scene to the open scene"
            / "import actor element append";
        "Save scene as…" if Scene => Panel(PanelCommand::Toggle(Panel::SAVE_SCENE)),
            "Saves a .mcmocap_scene of version 4 for the mod"
            / "write store mcmocap_scene";
    }
    Window {
        "Panels" [KeyH] => Toggle { PANELS: !panels.hidden }, "Shows or hides all panels"
            / "hide interface maximize viewport zen";
        "Full screen" [F11] => Toggle { FULL_SCREEN: is_full_screen, request_full_screen }
            / "maximize";
        "Issues" [KeyE] if Recording => Panel(PanelCommand::Toggle(Panel::ISSUES)),
            "Lists errors in the file and suspect motion"
            / "errors warnings problems log console diagnostics";
        "Command palette…" [ctrl KeyP, ctrl KeyK] => Panel(PanelCommand::Toggle(Panel::PALETTE)),
            "Finds commands, files and nodes"
            / "search menu";
        "Light theme" => Toggle { LIGHT_THEME: panels.light }
            / "dark mode color preferences appearance";
        "Keyboard shortcuts" [F1] => Panel(PanelCommand::Toggle(Panel::HELP)), "Lists keyboard shortcuts and mouse gestures"
            / "hotkeys keymap bindings manual";
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
    fn every_panel_has_an_action() {
        for panel in Panel::ALL {
            let toggle = Command::Panel(PanelCommand::Toggle(panel));
            assert!(Action::for_command(&toggle).is_some(), "{}", panel.id);
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
