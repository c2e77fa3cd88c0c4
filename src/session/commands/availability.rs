//! The actions that are available now, and the state of toggles.

use crate::session::{
    CameraCommand, Command, EditedLabels, EditedScene, Files, PanelCommand, Panels, Source, Toggle,
};
use crate::stage::{CameraMode, Follow, Ghosts, StageScreen, View};
use mutoscope_core::{
    clip::{Clip, Variants},
    retarget::Retargeting,
};

/// The requirement of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A recording.
    Recording,
    /// A recording that came from a file.
    File,
    /// A recording on a skeleton.
    Skeleton,
    /// A skeleton, attached or kept for what is opened next.
    Detachable,
    /// A skeleton that the user attached.
    Attached,
    /// A table whose columns may be read otherwise.
    Columns,
    /// A recording on a skeleton, bone by bone.
    Retargeted,
    /// A file that can be read in several ways, or holds several animations.
    Variants,
    /// A file that holds several animations.
    Animations,
    /// A range.
    Range,
    /// A recording that is compared with another.
    Comparison,
    /// Long times without keys.
    Gaps,
    /// A scene.
    Scene,
    /// An edit that can be undone.
    Undo,
    /// An edit that was undone.
    Redo,
    /// Unsaved edits of labels, or a scene.
    Edits,
    /// Labels.
    Labels,
    /// A selected label.
    Label,
    /// A label that was named.
    LastLabel,
    /// Reference footage.
    Footage,
}

/// The state that requirements depend on.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The clip that panels look at, if any is open.
    pub clip: Option<&'a Clip>,
    /// Where recordings come from.
    pub files: &'a Files,
    /// How many recordings are open.
    pub recordings: usize,
    /// Whether the clock has a range.
    pub has_range: bool,
    /// Whether there are long times without keys; true while that is not known.
    pub has_gaps: bool,
    /// The scene that panels look at, if it is one.
    pub scene: Option<&'a EditedScene>,
    /// Its labels, once they were looked for.
    pub labels: Option<&'a EditedLabels>,
    /// Whether there is reference footage.
    pub has_footage: bool,
}

impl Needs {
    /// Whether it is met.
    pub fn are_met(self, situation: &Situation<'_>) -> bool {
        let Situation { clip, files, recordings, has_range, has_gaps, scene, labels, has_footage } =
            *situation;
        let is_attached = || clip.is_some_and(|clip| clip.skeleton.attached().is_some());
        match self {
            Self::Nothing => true,
            Self::Recording => clip.is_some(),
            Self::File => matches!(files.current, Some(Source::File(_))),
            Self::Skeleton => is_attached(),
            Self::Detachable => files.rig.is_some() || is_attached(),
            Self::Attached => files.rig.is_some(),
            Self::Columns => clip.is_some_and(|clip| {
                clip.columns().is_some_and(|columns| !columns.choices.is_empty())
            }),
            Self::Retargeted => {
                clip.is_some_and(|clip| clip.procedural_as::<Retargeting>().is_some())
            }
            Self::Variants => {
                clip.is_some_and(|clip| clip.variants.iter().any(Variants::is_choice))
            }
            Self::Animations => clip.is_some_and(|clip| clip.animations().is_some()),
            Self::Range => has_range,
            Self::Comparison => recordings > 1,
            Self::Gaps => has_gaps,
            Self::Scene => scene.is_some(),
            Self::Undo => {
                scene.is_some_and(|scene| scene.undo_name().is_some())
                    || labels.is_some_and(|labels| labels.undo_name().is_some())
            }
            Self::Redo => {
                scene.is_some_and(|scene| scene.redo_name().is_some())
                    || labels.is_some_and(|labels| labels.redo_name().is_some())
            }
            Self::Edits => scene.is_some() || labels.is_some_and(EditedLabels::is_changed),
            Self::Labels => labels.is_some_and(|labels| !labels.labels().is_empty()),
            Self::Label => labels.is_some_and(|labels| labels.selected().is_some()),
            Self::LastLabel => labels.is_some_and(|labels| !labels.last_name().is_empty()),
            Self::Footage => has_footage && clip.is_some(),
        }
    }
}

/// Whether `command` turns something on and off that is on.
pub fn is_on(command: &Command, view: &View, screen: &StageScreen, panels: &Panels) -> bool {
    match *command {
        Command::Toggle(toggle) => panels.is_on(toggle).unwrap_or_else(|| is_on_in(view, toggle)),
        Command::Panel(PanelCommand::Toggle(panel)) => panels.is_open(panel),
        Command::Camera(CameraCommand::CycleFollow) => screen.follows != Follow::Off,
        _ => false,
    }
}

fn is_on_in(view: &View, toggle: Toggle) -> bool {
    match toggle {
        Toggle::Labels => view.labels,
        Toggle::Axes => view.axes,
        Toggle::Bones => view.bones,
        Toggle::SmoothHands => view.smooth_hands,
        Toggle::Model => view.model,
        Toggle::Grid => view.grid,
        Toggle::RestPose => view.rest_pose,
        Toggle::InPlace => view.in_place,
        Toggle::Trails => view.motion_trail.trails,
        Toggle::Ghosts => view.motion_trail.ghosts != Ghosts::Off,
        Toggle::FadeUntracked => view.fade_untracked,
        Toggle::HeadCamera => view.camera == CameraMode::Head,
        // The toggles of the panels.
        Toggle::Curves
        | Toggle::Velocity
        | Toggle::NormalisedCurves
        | Toggle::Frames
        | Toggle::CompressGaps
        | Toggle::SkipGaps
        | Toggle::Snapping
        | Toggle::ReferenceSound
        | Toggle::Panels
        | Toggle::LightTheme
        | Toggle::FullScreen => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{ACTIONS, RigFile, SAMPLES};
    use mutoscope_core::formats;

    /// All requirements that are met.
    fn met(situation: &Situation<'_>) -> Vec<Needs> {
        let mut met = Vec::new();
        for needs in ACTIONS.iter().map(|action| action.needs) {
            if needs.are_met(situation) && !met.contains(&needs) {
                met.push(needs);
            }
        }
        met
    }

    #[test]
    fn availability_depends_on_open_recordings() {
        let nowhere = Files::default();
        let has = |met: &[Needs], needs: &[Needs]| {
            met.len() == needs.len() + 1 && needs.iter().all(|one| met.contains(one))
        };
        let closed = Situation {
            clip: None,
            files: &nowhere,
            recordings: 0,
            has_range: false,
            has_gaps: false,
            scene: None,
            labels: None,
            has_footage: false,
        };
        let nothing = met(&closed);
        assert!(has(&nothing, &[]), "{nothing:?}");

        let hands = include_bytes!("../../../assets/mrtk/two-hands.bin");
        let hands = formats::decode(hands, &formats::DecodeRequest::default()).unwrap();
        let files = Files { current: Some(Source::Sample(0)), ..Files::default() };
        let open = Situation { clip: Some(&hands), files: &files, recordings: 1, ..closed };
        let sample = met(&open);
        assert!(has(&sample, &[Needs::Recording]), "{sample:?}");

        let files = Files { current: Some(Source::File("hands.bin".into())), ..Files::default() };
        let all = met(&Situation { files: &files, recordings: 2, has_range: true, ..open });
        let expected = [Needs::Recording, Needs::File, Needs::Range, Needs::Comparison];
        assert!(has(&all, &expected), "{all:?}");

        let walk = SAMPLES.iter().find(|sample| sample.rig().is_some()).unwrap();
        let rig = walk.rig().unwrap();
        let request = formats::DecodeRequest { rig: Some(&rig), ..Default::default() };
        let clip = formats::decode(walk.bytes, &request).unwrap();
        let files = Files { rig: Some(RigFile::new(rig, None)), ..Files::default() };
        let rigged = met(&Situation { clip: Some(&clip), files: &files, ..open });
        let expected = [Needs::Recording, Needs::Skeleton, Needs::Detachable, Needs::Attached];
        assert!(has(&rigged, &expected), "{rigged:?}");
    }
}
