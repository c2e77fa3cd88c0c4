//! Which actions are available, and which toggles are on.

use super::Command;
use crate::session::{
    features::{OpenRecording, edited_labels_index},
    files::{Files, Source},
    footage::OpenFootage,
    history::EditHistory,
    view::{PanelCommand, Panels},
    viewport::CameraCommand,
};
use bevy_mutoscope::stage::{Follow, StageScreen, View};
use mutoscope_core::{clip::Variants, playback::Clock, retarget::Retargeting};

/// The condition under which an action is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The action is always available.
    Nothing,
    /// A recording is open.
    Recording,
    /// The recording came from a file.
    File,
    /// Several files are listed.
    Files,
    /// The recording is attached to a skeleton.
    Skeleton,
    /// A skeleton is attached, or kept for the next recording.
    Detachable,
    /// The user attached a skeleton.
    Attached,
    /// The recording is a table whose columns can be mapped differently.
    Columns,
    /// The recording is retargeted to a skeleton, bone by bone.
    Retargeted,
    /// The file has variants or several animations.
    Variants,
    /// The file has several animations.
    Animations,
    /// The clock has a range.
    Range,
    /// A recording is compared with another one.
    Comparison,
    /// The recording has long gaps without keys.
    Gaps,
    /// The recording is a scene.
    Scene,
    /// There is an edit to undo.
    Undo,
    /// There is an edit to redo.
    Redo,
    /// There are unsaved edits, or the recording is a scene.
    Edits,
    /// The recording has labels.
    Labels,
    /// A label is selected.
    Label,
    /// A label has been named, so that its name can be repeated.
    LastLabel,
    /// Reference footage is open next to a recording.
    Footage,
}

/// The state that decides which actions are available.
#[derive(Clone, Copy, Debug)]
pub struct ActionContext<'a> {
    /// The open recordings, the reference first.
    pub recordings: &'a [OpenRecording<'a>],
    /// The index of the recording that the panels show.
    pub focus: usize,
    /// The clock that all recordings share.
    pub clock: &'a Clock,
    /// The edits that can be undone.
    pub history: &'a EditHistory,
    /// The attached skeleton.
    pub files: &'a Files,
    /// The reference footage.
    pub footage: &'a OpenFootage,
    /// Is `true` if there are long gaps without keys, or if the gaps are still being computed.
    pub has_gaps: bool,
}

impl Needs {
    /// Returns `true` if the condition is met.
    pub fn are_met(self, context: &ActionContext<'_>) -> bool {
        let ActionContext { recordings, focus, clock, history, files, footage, has_gaps } =
            *context;
        let clip = recordings.get(focus).map(OpenRecording::clip);
        let scene = recordings.get(focus).and_then(OpenRecording::scene);
        let labels = recordings.get(edited_labels_index(recordings).unwrap_or(focus));
        let labels = labels.and_then(OpenRecording::labels);
        let is_attached = || clip.is_some_and(|clip| clip.skeleton.attached().is_some());
        match self {
            Self::Nothing => true,
            Self::Recording => clip.is_some(),
            Self::File => {
                recordings.first().is_some_and(|open| matches!(open.source, Source::File(_)))
            }
            Self::Files => files.listed.len() > 1,
            Self::Skeleton => is_attached(),
            Self::Detachable => files.skeleton.is_some() || is_attached(),
            Self::Attached => files.skeleton.is_some(),
            Self::Columns => clip.is_some_and(|clip| {
                clip.columns().is_some_and(|columns| !columns.choices.is_empty())
            }),
            Self::Retargeted => {
                clip.is_some_and(|clip| clip.procedural_as::<Retargeting>().is_some())
            }
            Self::Variants => {
                clip.is_some_and(|clip| clip.variants.iter().any(Variants::has_alternatives))
            }
            Self::Animations => clip.is_some_and(|clip| clip.animations().is_some()),
            Self::Range => clock.range().is_some(),
            Self::Comparison => recordings.len() > 1,
            Self::Gaps => has_gaps,
            Self::Scene => scene.is_some(),
            Self::Undo => history.undo_name().is_some(),
            Self::Redo => history.redo_name().is_some(),
            Self::Edits => scene.is_some() || history.unsaved().next().is_some(),
            Self::Labels => labels.is_some_and(|labels| !labels.labels().is_empty()),
            Self::Label => labels.is_some_and(|labels| labels.selected().is_some()),
            Self::LastLabel => labels.is_some_and(|labels| !labels.last_name().is_empty()),
            Self::Footage => footage.is_open() && clip.is_some(),
        }
    }
}

/// Returns `true` if `command` switches a setting or panel that is currently on.
pub fn is_on(command: &Command, view: &View, screen: &StageScreen, panels: &Panels) -> bool {
    match *command {
        Command::Toggle(toggle) => (toggle.is_on)(view, panels),
        Command::Panel(PanelCommand::Toggle(panel)) => panels.is_open(panel),
        Command::Camera(CameraCommand::CycleFollow) => screen.follow != Follow::Off,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use bevy::prelude::Entity;

    use super::*;
    use crate::session::{
        commands::ACTIONS,
        files::{AttachedSkeleton, RecordingDiagnostics},
        samples::SAMPLES,
    };
    use bevy_mutoscope::{
        ClipAsset, Recording,
        stage::{HiddenNodes, Tint},
    };
    use mutoscope_core::{
        ReadOptions, decode,
        playback::{TimeCommand, TimeRange},
    };

    fn met_needs(context: &ActionContext<'_>) -> Vec<Needs> {
        let mut met = Vec::new();
        for needs in ACTIONS.iter().map(|action| action.needs) {
            if needs.are_met(context) && !met.contains(&needs) {
                met.push(needs);
            }
        }
        met
    }

    #[test]
    fn availability_depends_on_open_recordings() {
        let has = |met: &[Needs], needs: &[Needs]| {
            met.len() == needs.len() + 1 && needs.iter().all(|needed| met.contains(needed))
        };
        let (clock, files, footage) = (Clock::default(), Files::default(), OpenFootage::default());
        let history = EditHistory::default();
        let closed = ActionContext {
            recordings: &[],
            focus: 0,
            clock: &clock,
            history: &history,
            files: &files,
            footage: &footage,
            has_gaps: false,
        };
        let without_recording = met_needs(&closed);
        assert!(has(&without_recording, &[]), "{without_recording:?}");

        let hands = include_bytes!("../../../assets/mrtk/two-hands.bin");
        let hands = decode(hands, &ReadOptions::default()).unwrap();
        let mut clock = Clock::new(hands.span);
        let hands = Recording::new(ClipAsset::new(hands));
        let (diagnostics, hidden) = (RecordingDiagnostics::default(), HiddenNodes::default());
        let open = |recording, source| OpenRecording {
            entity: Entity::PLACEHOLDER,
            index: 0,
            recording,
            source,
            diagnostics: &diagnostics,
            tint: Tint::default(),
            hidden: &hidden,
            is_visible: true,
            overlay: None,
            features: (None, None, None),
        };
        let sample =
            met_needs(&ActionContext { recordings: &[open(&hands, &Source::Sample(0))], ..closed });
        assert!(has(&sample, &[Needs::Recording]), "{sample:?}");

        clock.apply(TimeCommand::SetRange(Some(TimeRange::new(0.5, 1.0))), &[]);
        let file = Source::File("hands.bin".into());
        let with_comparison = met_needs(&ActionContext {
            recordings: &[open(&hands, &file), open(&hands, &Source::Sample(0))],
            clock: &clock,
            ..closed
        });
        let expected = [Needs::Recording, Needs::File, Needs::Range, Needs::Comparison];
        assert!(has(&with_comparison, &expected), "{with_comparison:?}");

        let walk = SAMPLES.iter().find(|sample| sample.load_skeleton().is_some()).unwrap();
        let rig = walk.load_skeleton().unwrap();
        let request = ReadOptions::default().with_skeleton(rig.clone());
        let clip = decode(walk.bytes, &request).unwrap();
        let walk = Recording::new(ClipAsset::new(clip));
        let files = Files { skeleton: Some(AttachedSkeleton::new(rig, None)), ..Files::default() };
        let with_skeleton = met_needs(&ActionContext {
            recordings: &[open(&walk, &Source::Sample(0))],
            files: &files,
            ..closed
        });
        let expected = [Needs::Recording, Needs::Skeleton, Needs::Detachable, Needs::Attached];
        assert!(has(&with_skeleton, &expected), "{with_skeleton:?}");
    }
}
