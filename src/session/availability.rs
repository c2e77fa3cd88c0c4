//! What of the table of actions can be done now, and what is on.

use super::{Command, Files, Panels, Source, Toggle};
use crate::{
    counterpart::Counterpart,
    player::Player,
    stage::{CameraMode, Follow, Ghosts, StageScreen, View},
};

/// What there has to be for an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A recording.
    Recording,
    /// A recording that came from a file.
    File,
    /// A recording of a format that takes skeletons, or none yet.
    SkeletonFormat,
    /// A recording on a skeleton.
    Skeleton,
    /// A skeleton, attached or kept for what is opened next.
    Detachable,
    /// A range.
    Range,
    /// A second recording.
    Comparison,
    /// Long times without keys.
    Gaps,
}

/// What there is, as far as any action needs it.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// What plays.
    pub player: &'a Player,
    /// Where it comes from.
    pub files: &'a Files,
    /// What it is compared with.
    pub counterpart: &'a Counterpart,
    /// Whether there are long times without keys; true while that is not known.
    pub has_gaps: bool,
}

impl Needs {
    /// Whether it is there.
    pub fn are_met(self, situation: &Situation<'_>) -> bool {
        let Situation { player, files, counterpart, has_gaps } = *situation;
        let clip = player.clip();
        let is_attached = || clip.is_some_and(|clip| clip.skeleton.attached().is_some());
        match self {
            Self::Nothing => true,
            Self::Recording => clip.is_some(),
            Self::File => matches!(files.current, Some(Source::File(_))),
            Self::SkeletonFormat => clip.is_none_or(|clip| clip.format.format().on_rig.is_some()),
            Self::Skeleton => is_attached(),
            Self::Detachable => files.rig.is_some() || is_attached(),
            Self::Range => player.clock().range().is_some(),
            Self::Comparison => counterpart.clip().is_some(),
            Self::Gaps => has_gaps,
        }
    }
}

/// Whether `command` turns something on and off that is on.
pub fn is_on(command: &Command, view: &View, screen: &StageScreen, panels: &Panels) -> bool {
    match *command {
        Command::Toggle(toggle) => panels.is_on(toggle).unwrap_or_else(|| is_on_in(view, toggle)),
        Command::TogglePanel(panel) => panels.is_open(panel),
        Command::CycleFollow => screen.follows != Follow::Off,
        _ => false,
    }
}

fn is_on_in(view: &View, toggle: Toggle) -> bool {
    match toggle {
        Toggle::Labels => view.labels,
        Toggle::Axes => view.axes,
        Toggle::Bones => view.bones,
        Toggle::Model => view.model,
        Toggle::Grid => view.grid,
        Toggle::RestPose => view.rest_pose,
        Toggle::InPlace => view.in_place,
        Toggle::Trails => view.travel.trails,
        Toggle::Ghosts => view.travel.ghosts != Ghosts::Off,
        Toggle::FadeUntracked => view.fade_untracked,
        Toggle::HeadCamera => view.camera == CameraMode::Head,
        // Those of the panels; and who looks at a full screen sees that it is.
        Toggle::Curves
        | Toggle::Velocity
        | Toggle::NormalisedCurves
        | Toggle::Frames
        | Toggle::CompressGaps
        | Toggle::Snapping
        | Toggle::Panels
        | Toggle::LightTheme
        | Toggle::FullScreen => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        asset::ClipAsset,
        formats,
        playback::{TimeCommand, TimeRange},
        session::{ACTIONS, RigFile, SAMPLES},
    };

    /// What is met of everything that any action needs.
    fn met(player: &Player, files: &Files, counterpart: &Counterpart) -> Vec<Needs> {
        let situation = Situation { player, files, counterpart, has_gaps: false };
        let mut met = Vec::new();
        for needs in ACTIONS.iter().map(|action| action.needs) {
            if needs.are_met(&situation) && !met.contains(&needs) {
                met.push(needs);
            }
        }
        met
    }

    #[test]
    fn what_can_be_done_depends_on_what_is_open() {
        let (mut player, mut files) = (Player::default(), Files::default());
        let mut counterpart = Counterpart::default();
        let has = |met: &[Needs], needs: &[Needs]| {
            met.len() == needs.len() + 1 && needs.iter().all(|one| met.contains(one))
        };
        let nothing = met(&player, &files, &counterpart);
        assert!(has(&nothing, &[Needs::SkeletonFormat]), "{nothing:?}");

        let hands = include_bytes!("../../assets/mrtk/two-hands.bin");
        let hands = ClipAsset::new(formats::decode(hands, None, None).unwrap());
        player.open(hands.clone());
        files.current = Some(Source::Sample(0));
        let sample = met(&player, &files, &counterpart);
        assert!(has(&sample, &[Needs::Recording]), "{sample:?}");

        files.current = Some(Source::File("hands.bin".into()));
        player.apply(TimeCommand::SetRange(Some(TimeRange::new(0.5, 1.0))));
        counterpart.open(hands);
        let all = met(&player, &files, &counterpart);
        let expected = [Needs::Recording, Needs::File, Needs::Range, Needs::Comparison];
        assert!(has(&all, &expected), "{all:?}");

        let walk = SAMPLES.iter().find(|sample| sample.rig().is_some()).unwrap();
        let rig = walk.rig().unwrap();
        let clip = formats::decode_on_rig(walk.bytes, None, None, &rig).unwrap();
        player.open(ClipAsset::new(clip));
        files = Files { rig: Some(RigFile::new(rig, None)), ..Files::default() };
        counterpart.close();
        let rigged = met(&player, &files, &counterpart);
        let expected =
            [Needs::Recording, Needs::SkeletonFormat, Needs::Skeleton, Needs::Detachable];
        assert!(has(&rigged, &expected), "{rigged:?}");
    }
}
