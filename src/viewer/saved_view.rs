//! A view of a recording, as a command line: to come back to it, and to show it to others.

use std::{fmt::Write as _, path::PathBuf};

use bevy::prelude::*;

use super::{Command, Compare, Files, Source};
use crate::{
    clip::{Clip, NodeId},
    compare::Timing,
    counterpart::{Counterpart, Placement, Wish},
    playback::{TimeCommand, TimeRange},
    player::Player,
    stage::{CameraMode, CameraRequest, StageScreen, Standpoint, View},
};

/// Where in a recording somebody is, what is selected and from where it is seen. What is not said is
/// as usual.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SavedView {
    /// The time that playback pauses at, in seconds.
    pub at: Option<f64>,
    /// The range that is played, in seconds.
    pub range: Option<(f64, f64)>,
    /// The selected node: its name or, as `#3`, its index.
    pub select: Option<String>,
    /// Where the camera stands.
    pub camera: Option<Standpoint>,
    /// What is held against the recording, and how that lies.
    pub against: Option<(PathBuf, Wish)>,
}

impl SavedView {
    /// What is looked at now.
    pub fn of(
        player: &Player,
        view: &View,
        screen: &StageScreen,
        files: &Files,
        counterpart: &Counterpart,
    ) -> Self {
        let against = match &files.against {
            Some(Source::File(path)) if counterpart.clip().is_some() => Some(path.clone()),
            _ => None,
        };
        let (timing, placement) = (counterpart.timing(), counterpart.placement);
        let wish = Wish { timing: Some(timing), placement: Some(placement), align: false };
        let clock = player.clock();
        let selected = player.clip().and_then(|clip| Some(word_of(clip, view.selected?)));
        Self {
            at: Some(clock.time()),
            range: clock.range().map(|range| (range.start(), range.end())),
            select: selected,
            camera: (view.camera == CameraMode::Free).then_some(screen.standpoint),
            against: against.map(|path| (path, wish)),
        }
    }

    /// What holds the second recording against the first, if there is to be one.
    pub(super) fn against(&self) -> Option<Command> {
        let (path, wish) = self.against.clone()?;
        Some(Command::Compare(Compare::With(Source::of_path(path), wish)))
    }

    /// Shows it. What cannot be shown is said.
    ///
    /// # Errors
    /// If no node is called as the one that is to be selected.
    pub(super) fn show(
        &self,
        player: &mut Player,
        view: &mut View,
        camera: &mut MessageWriter<CameraRequest>,
    ) -> Result<(), String> {
        if let Some((start, end)) = self.range {
            player.apply(TimeCommand::SetRange(Some(TimeRange::new(start, end))));
        }
        if let Some(time) = self.at {
            player.apply(TimeCommand::Pause);
            player.apply(TimeCommand::Seek(time));
        }
        if let Some(standpoint) = self.camera {
            camera.write(CameraRequest::LookFrom(standpoint));
        }
        if let (Some(word), Some(clip)) = (&self.select, player.clip()) {
            view.selected = node_called(clip, word);
            if view.selected.is_none() {
                return Err(format!("--select: no node is called {word:?}"));
            }
        }
        Ok(())
    }

    /// The command that opens `files` and shows this; nothing for what is no file.
    pub fn command_line(&self, files: &Files) -> Option<String> {
        let Some(Source::File(path)) = &files.current else { return None };
        let quoted = |text: &str| shlex::try_quote(text).ok().map(|text| text.into_owned());
        let mut line = format!("mutoscope {}", quoted(path.to_str()?)?);
        // Writing to a string cannot fail.
        if let Some(rig) = files.rig.as_ref().and_then(|rig| rig.path.as_ref()) {
            let _ = write!(line, " --rig {}", quoted(rig.to_str()?)?);
        }
        if let Some(at) = self.at {
            let _ = write!(line, " --at {at}");
        }
        if let Some((start, end)) = self.range {
            let _ = write!(line, " --range {start}..{end}");
        }
        if let Some(select) = &self.select {
            let _ = write!(line, " --select={}", quoted(select)?);
        }
        if let Some(camera) = &self.camera {
            let _ = write!(line, " --camera {camera}");
        }
        if let Some((path, wish)) = &self.against {
            let _ = write!(line, " --against {}", quoted(path.to_str()?)?);
            line += &wish_words(wish);
        }
        Some(line)
    }
}

/// How a second recording lies, where that is not as usual, as the command line takes it.
fn wish_words(wish: &Wish) -> String {
    let mut words = String::new();
    let Timing { offset, rate } = wish.timing.unwrap_or_default();
    if offset != 0.0 {
        // Writing to a string cannot fail.
        let _ = write!(words, " --offset {offset}");
    }
    if rate != 1.0 {
        let _ = write!(words, " --rate {rate}");
    }
    if let Some(placement) = wish.placement.filter(|one| *one != Placement::default()) {
        let _ = write!(words, " --place {}", placement.word());
    }
    words
}

/// The name of a node, or its index where the name leads to another.
fn word_of(clip: &Clip, node: NodeId) -> String {
    let name = &clip.nodes[node].name;
    match node_called(clip, name) {
        Some(found) if found == node => name.clone(),
        _ => format!("#{}", node.index()),
    }
}

/// The first node of this name, else the one with this index.
fn node_called(clip: &Clip, word: &str) -> Option<NodeId> {
    let by_name = clip.nodes.with_ids().find(|(_, node)| node.name == word).map(|(id, _)| id);
    by_name.or_else(|| {
        let index: usize = word.strip_prefix('#')?.parse().ok()?;
        (index < clip.nodes.len()).then(|| NodeId::new(index))
    })
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;

    use super::*;
    use crate::{
        asset::ClipAsset,
        formats::{self, DecodeRequest},
    };

    fn player() -> Player {
        let bytes = include_bytes!("../../assets/mrtk/two-hands.bin");
        let mut player = Player::default();
        player.open(ClipAsset::new(formats::decode(bytes, &DecodeRequest::default()).unwrap()));
        player
    }

    #[test]
    fn a_view_is_written_as_a_command_that_a_shell_understands() {
        let mut player = player();
        player.apply(TimeCommand::SetRange(Some(TimeRange::new(0.5, 1.25))));
        player.apply(TimeCommand::Seek(0.75));
        let index_tip = node_called(player.clip().unwrap(), "left/IndexTip");
        let view = View { selected: index_tip, ..View::default() };
        let standpoint = Standpoint {
            yaw: 30.0,
            pitch: -5.5,
            distance: Some(1.5),
            middle: Some(DVec3::new(0.1, 1.2, -3.0)),
        };
        let screen = StageScreen { standpoint, ..StageScreen::default() };
        let mut files = Files::default();
        let mut counterpart = Counterpart::default();
        let saved = |files: &Files, counterpart: &Counterpart| {
            SavedView::of(&player, &view, &screen, files, counterpart)
        };
        let nowhere = saved(&files, &counterpart).command_line(&files);
        assert_eq!(nowhere, None, "there is no file to come back to");
        files.current = Some(Source::File("my takes/it's.bin".into()));
        let alone = "mutoscope \"my takes/it's.bin\" --at 0.75 --range 0.5..1.25 \
                     --select=left/IndexTip --camera 30,-5.5,1.5,0.1,1.2,-3";
        assert_eq!(saved(&files, &counterpart).command_line(&files).as_deref(), Some(alone));
        files.against = Some(Source::File("my takes/other.bin".into()));
        counterpart.open(player.recording().unwrap().clone());
        counterpart.set_timing(Timing { offset: -0.25, rate: 1.0 });
        counterpart.placement = Placement::SideBySide;
        assert_eq!(
            saved(&files, &counterpart).command_line(&files),
            Some(format!("{alone} --against 'my takes/other.bin' --offset -0.25 --place beside"))
        );
    }

    #[test]
    fn nodes_are_found_by_name_and_else_by_index() {
        let player = player();
        let clip = player.clip().unwrap();
        let found = |word: &str| node_called(clip, word).map(|id| clip.nodes[id].name.as_str());
        assert_eq!(found("right/Wrist"), Some("right/Wrist"));
        assert_eq!(found("#0"), Some(clip.nodes[NodeId::new(0)].name.as_str()));
        for nobody in ["Wrist", "#", "#999", "#-1", ""] {
            assert_eq!(found(nobody), None, "{nobody}");
        }
        for (id, _) in clip.nodes.with_ids() {
            assert_eq!(node_called(clip, &word_of(clip, id)), Some(id));
        }
    }
}
