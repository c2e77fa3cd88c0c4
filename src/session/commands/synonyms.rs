//! The names of actions in Blender, Maya, Unity and Rerun, so that the command palette finds an
//! action by them.

use crate::session::{
    CameraCommand, Command, CompareCommand, EditCommand, FileCommand, LabelCommand, Panel,
    PanelCommand, PlayheadCommand, SceneCommand, SkeletonCommand, TimelineCommand, Toggle,
    ViewCommand,
};
use mutoscope_core::playback::TimeCommand;

/// Returns other search words for `command`, in lower case. The string is empty if other programs
/// use the same name as this viewer.
pub fn synonyms(command: &Command) -> &'static str {
    match command {
        Command::File(FileCommand::Choose) => "import load",
        Command::File(FileCommand::Reload) => "refresh revert",
        Command::Skeleton(SkeletonCommand::Choose) => {
            "rig armature avatar character model bind import"
        }
        Command::Skeleton(SkeletonCommand::AttachBuiltIn(_)) => "rig avatar character steve boxes",
        Command::File(FileCommand::ShowGallery) => "samples demo welcome",
        Command::Screenshot => "image picture capture png",
        Command::CopyView => "share link permalink camera state",
        Command::Playhead(PlayheadCommand::StepKey(_)) => "keyframe jump",
        Command::Playhead(PlayheadCommand::StepEvent(_)) => "bookmark annotation error warning",
        Command::Panel(PanelCommand::EditTime) => "jump seek scrub current frame",
        Command::Playhead(PlayheadCommand::SetInPoint) => {
            "start frame preview range loop region trim"
        }
        Command::Playhead(PlayheadCommand::SetOutPoint) => {
            "end frame preview range loop region trim"
        }
        Command::Camera(CameraCommand::FrameSelected) => "focus zoom view selected",
        Command::Camera(CameraCommand::FrameAll) => "focus zoom view all extents reset home",
        Command::Camera(CameraCommand::LookAlong(_)) => "orthographic camera numpad",
        Command::Camera(CameraCommand::CycleFollow) => "track lock tether camera parent",
        Command::Timeline(TimelineCommand::ZoomToRange)
        | Command::Timeline(TimelineCommand::ZoomToAll) => "dope sheet timeline zoom",
        Command::Timeline(TimelineCommand::ExpandRows) => "unfold open dope sheet channels",
        Command::Timeline(TimelineCommand::CollapseRows) => "fold close dope sheet channels",
        Command::View(ViewCommand::AddArea) => "aoi dwell gaze region fixation target",
        Command::Timeline(TimelineCommand::FitCurves) => "graph editor frame zoom",
        Command::Cancel => "select none escape close",
        Command::Time(command) => time_synonyms(command),
        Command::Panel(PanelCommand::Toggle(panel)) => panel_synonyms(*panel),
        Command::Toggle(toggle) => toggle_synonyms(*toggle),
        Command::Compare(compare) => comparison_synonyms(compare),
        Command::Edit(EditCommand::Save) => "write store",
        Command::Edit(EditCommand::Undo) => "revert back",
        Command::Edit(EditCommand::Redo) => "again forward",
        Command::Label(LabelCommand::Mark) => "annotate annotation segment tag code interval event",
        Command::Label(LabelCommand::Repeat) => "annotate annotation again same",
        Command::Label(LabelCommand::Rename) => "annotation edit text",
        Command::Label(LabelCommand::Remove) => "delete annotation erase",
        Command::Label(LabelCommand::ChooseImport) => {
            "annotations elan eaf praat textgrid csv open"
        }
        Command::Scene(SceneCommand::ChooseRecordings) => "import actor element append",
        _ => "",
    }
}

fn time_synonyms(command: &TimeCommand) -> &'static str {
    match command {
        TimeCommand::TogglePlay => "start stop animation",
        TimeCommand::Step(_) => "frame advance",
        TimeCommand::Slower | TimeCommand::Faster | TimeCommand::SetSpeed(_) => {
            "playback speed rate slow motion time scale"
        }
        TimeCommand::CycleLooping => "loop repeat cycle wrap mode",
        _ => "",
    }
}

fn panel_synonyms(panel: Panel) -> &'static str {
    if panel == Panel::EXPORT {
        "save convert bake render video gif mp4 gltf image sequence"
    } else if panel == Panel::SAVE_SCENE {
        "write store mcmocap_scene"
    } else if panel == Panel::EXPORT_LABELS {
        "annotations elan eaf praat textgrid csv save"
    } else if panel == Panel::REPORT {
        "study statistics measures analysis html summary"
    } else if panel == Panel::ANIMATIONS {
        "clips takes actions characters"
    } else if panel == Panel::COLUMNS {
        "table csv parquet header fields roles"
    } else if panel == Panel::NODE_MAPPING {
        "retarget avatar bones match"
    } else if panel == Panel::ISSUES {
        "errors warnings problems log console diagnostics"
    } else if panel == Panel::BYTES {
        "hex raw binary text"
    } else if panel == Panel::PALETTE {
        "search menu"
    } else if panel == Panel::HELP {
        "hotkeys keymap bindings manual"
    } else {
        ""
    }
}

fn toggle_synonyms(toggle: Toggle) -> &'static str {
    match toggle {
        Toggle::HeadCamera => "first person pov hmd eye",
        Toggle::Labels => "text",
        Toggle::Axes => "gizmo orientation local rotation transform",
        Toggle::Bones => "armature joints skeleton stick",
        Toggle::SmoothHands => "skin glove mesh fingers palm",
        Toggle::Model => "mesh skin geometry",
        Toggle::Grid => "floor ground",
        Toggle::RestPose => "bind pose t-pose",
        Toggle::InPlace => "root motion locomotion",
        Toggle::Trails => "motion paths trajectory editable motion trail",
        Toggle::Ghosts => "onion skinning ghosting",
        Toggle::FadeUntracked => "lost tracking",
        Toggle::CompressGaps => "hide empty time skip breaks",
        Toggle::SkipGaps => "empty time jump pauses idle breaks",
        Toggle::Snapping => "magnet snap",
        Toggle::Curves => "graph editor f-curves fcurves animation plot",
        Toggle::Velocity => "speed derivative",
        Toggle::NormalisedCurves => "normalize",
        Toggle::Frames => "fps timecode ticks frame rate",
        Toggle::ReferenceSound => "mute audio unmute volume speaker",
        Toggle::Panels => "hide interface maximize viewport zen",
        Toggle::FullScreen => "maximize",
        Toggle::LightTheme => "dark mode color preferences appearance",
    }
}

fn comparison_synonyms(compare: &CompareCommand) -> &'static str {
    match compare {
        CompareCommand::Choose => "diff overlay reference second",
        CompareCommand::Align(_) => "sync synchronize match offset time warp",
        CompareCommand::CyclePlacement => "side by side overlay",
        CompareCommand::Stop => "close diff",
        _ => "",
    }
}
