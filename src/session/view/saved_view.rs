//! A view of a recording, as options of the command line and of links: to restore or share it.

use std::{borrow::Cow, fmt::Write as _, path::PathBuf};

use bevy::prelude::*;

use crate::session::{
    Command, Compare, Files, FootageCommand, SavedFootage, Source,
    files::open::{OpenRecording, OpenRecordings},
};
use crate::{
    recording::RecordingNode,
    stage::{CameraMode, CameraPose, CameraRequest, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::{
        analysis::NamedArea,
        compare::{CompareOptions, Placement, Timing},
    },
    playback::{Clock, TimeCommand, TimeRange, parse_seconds, parse_time_range},
};

/// The time, selection, areas of interest and camera in a recording. The rest has its default.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SavedView {
    /// The time that playback pauses at, in seconds.
    pub at: Option<f64>,
    /// The range that is played, in seconds.
    pub range: Option<(f64, f64)>,
    /// The selected node of the reference: its name or, as `#3`, its index.
    pub select: Option<String>,
    /// The pose of the camera.
    pub camera: Option<CameraPose>,
    /// The areas of interest.
    pub areas: Vec<NamedArea>,
    /// The recordings that are compared with the reference, and how.
    pub compared: Vec<(PathBuf, CompareOptions)>,
    /// The reference video, images or sound.
    pub footage: Option<SavedFootage>,
}

impl SavedView {
    /// The current view, without reference footage.
    pub fn of(open: &OpenRecordings, view: &View, screen: &StageScreen) -> Self {
        let all = open.in_order();
        let clock = open.clock();
        let select = all.first().and_then(|reference| {
            let node = view.selected?.of(reference.entity)?;
            Some(word_of(reference.clip(), node))
        });
        Self {
            at: clock.map(Clock::time),
            range: clock.and_then(Clock::range).map(|range| (range.start(), range.end())),
            select,
            camera: (view.camera == CameraMode::Free).then_some(screen.camera_pose),
            areas: view.areas.clone(),
            compared: all.iter().filter_map(compared).collect(),
            footage: None,
        }
    }

    /// The commands that open the recordings compared with the first.
    pub(in crate::session) fn compared(&self) -> impl Iterator<Item = Command> {
        let with = |(path, options): &(PathBuf, CompareOptions)| {
            Command::Compare(Compare::With(Source::of_path(path.clone()), *options))
        };
        self.compared.iter().map(with)
    }

    /// The command that opens the reference footage.
    pub(in crate::session) fn open_footage(&self) -> Option<Command> {
        self.footage.clone().map(|footage| Command::Footage(FootageCommand::Open(footage)))
    }

    /// Takes the clock to the time, and gives it the range.
    pub(in crate::session) fn steer(&self, clock: &mut Clock) {
        if let Some((start, end)) = self.range {
            clock.apply(TimeCommand::SetRange(Some(TimeRange::new(start, end))), &[]);
        }
        if let Some(time) = self.at {
            clock.apply(TimeCommand::Pause, &[]);
            clock.apply(TimeCommand::Seek(time), &[]);
        }
    }

    /// Restores camera, areas of interest and selection.
    ///
    /// # Errors
    /// If no node of `clip`, which `recording` plays, is called as the one that is to be selected.
    pub(in crate::session) fn look(
        &self,
        recording: Entity,
        clip: &Clip,
        view: &mut View,
        camera: &mut MessageWriter<CameraRequest>,
    ) -> Result<(), String> {
        if let Some(camera_pose) = self.camera {
            camera.write(CameraRequest::LookFrom(camera_pose));
        }
        if !self.areas.is_empty() {
            view.areas.clone_from(&self.areas);
        }
        let Some(word) = &self.select else { return Ok(()) };
        let node = node_called(clip, word);
        view.selected = node.map(|node| RecordingNode::new(recording, node));
        match node {
            Some(_) => Ok(()),
            None => Err(format!("--select: no node {word:?}; nothing selected")),
        }
    }

    /// The command that opens `files` with this view; `None` without files.
    pub fn command_line(&self, files: &Files) -> Option<String> {
        let Some(Source::File(path)) = &files.current else { return None };
        let mut line = format!("mutoscope {}", quoted(path.to_str()?)?);
        let mut options = self.options()?;
        if let Some(rig) = files.rig.as_ref().and_then(|rig| rig.path.as_ref()) {
            options.insert(0, ("rig", rig.to_str()?.to_owned()));
        }
        if let Some(columns) = &files.columns {
            options.insert(0, ("columns", columns.name.clone()));
        }
        for (word, value) in options {
            // Writing to a string cannot fail.
            let _ = write!(line, " --{word}={}", quoted(&value)?);
        }
        Some(line)
    }

    /// All that is not the default, by the words of the command line and of links; `None` if a path is not
    /// Unicode.
    pub(in crate::session) fn options(&self) -> Option<Vec<(&'static str, String)>> {
        let mut options = Vec::new();
        options.extend(self.at.map(|at| ("at", at.to_string())));
        options.extend(self.range.map(|(start, end)| ("range", format!("{start}..{end}"))));
        options.extend(self.select.clone().map(|select| ("select", select)));
        options.extend(self.camera.map(|camera| ("camera", camera.to_string())));
        options.extend(self.areas.iter().map(|area| ("area", area.to_string())));
        for (path, _) in &self.compared {
            options.push(("against", path.to_str()?.to_owned()));
        }
        self.add_compare_options(&mut options);
        if let Some(SavedFootage { path, offset, rate }) = &self.footage {
            options.push(("reference", path.to_str()?.to_owned()));
            options.extend((*offset != 0.0).then(|| ("reference-offset", offset.to_string())));
            options.extend(rate.map(|rate| ("reference-rate", rate.to_string())));
        }
        Some(options)
    }

    /// How recordings are compared, where that is not the default: each option once for every recording, or
    /// not at all.
    fn add_compare_options(&self, to: &mut Vec<(&'static str, String)>) {
        let timings = self.compared.iter().map(|(_, options)| options.timing.unwrap_or_default());
        let places = self.compared.iter().map(|(_, options)| options.placement.unwrap_or_default());
        let usual = Timing::default();
        if timings.clone().any(|timing| timing.offset != usual.offset) {
            to.extend(timings.clone().map(|timing| ("offset", timing.offset.to_string())));
        }
        if timings.clone().any(|timing| timing.rate != usual.rate) {
            to.extend(timings.map(|timing| ("rate", timing.rate.to_string())));
        }
        if places.clone().any(|placement| placement != Placement::default()) {
            to.extend(places.map(|placement| ("place", placement.word().to_owned())));
        }
    }

    /// Takes an option by its word.
    ///
    /// # Errors
    /// If there is no such option, or its value is wrong: the message.
    pub(in crate::session) fn take(&mut self, word: &str, value: String) -> Result<(), String> {
        match word {
            "at" => self.at = Some(parse_seconds(&value)?),
            "range" => self.range = Some(parse_time_range(&value)?.into_inner()),
            "select" => self.select = Some(value),
            "camera" => self.camera = Some(value.parse()?),
            "area" => self.areas.push(value.parse()?),
            "reference" | "reference-offset" | "reference-rate" => {
                return Err("reference videos need the viewer on the desktop; skipped".to_owned());
            }
            _ => return Err("unknown parameter; skipped".to_owned()),
        }
        Ok(())
    }
}

/// `text` as a word of a shell; `None` if it cannot be one.
fn quoted(text: &str) -> Option<String> {
    // Quotes would only make numbers hard to read.
    let is_plain = |char: char| char.is_ascii_alphanumeric() || ".,-/".contains(char);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Some(text.to_owned()),
        false => shlex::try_quote(text).ok().map(Cow::into_owned),
    }
}

/// How a recording is compared, if it is and comes from a file.
fn compared(one: &OpenRecording<'_>) -> Option<(PathBuf, CompareOptions)> {
    let (overlay, Source::File(path)) = (one.overlay?, one.source) else { return None };
    let (timing, placement) = (one.recording.timing(), overlay.placement);
    let options = CompareOptions { timing: Some(timing), placement: Some(placement), align: false };
    Some((path.clone(), options))
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
    use bevy::{ecs::system::RunSystemOnce as _, math::DVec3};

    use super::*;
    use crate::{
        asset::ClipAsset,
        recording::{OnClock, Overlay, PlaybackClock, Recording},
        session::{Issues, SessionClock},
    };
    use mutoscope_core::formats;

    fn take() -> Recording {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        Recording::new(ClipAsset::new(
            formats::decode(bytes, &formats::DecodeRequest::default()).unwrap(),
        ))
    }

    fn world() -> (World, Entity) {
        let mut world = World::new();
        world.init_resource::<SessionClock>();
        let clock = world.resource::<SessionClock>().0;
        let mut of_take = PlaybackClock::of(take().asset());
        of_take.apply(TimeCommand::SetRange(Some(TimeRange::new(0.5, 1.25))), &[]);
        of_take.apply(TimeCommand::Seek(0.75), &[]);
        world.entity_mut(clock).insert(of_take);
        let source = Source::File("my takes/it's.bin".into());
        let first = world.spawn((take(), source, Issues::default(), OnClock(clock))).id();
        (world, first)
    }

    fn saved(world: &mut World, view: View, screen: StageScreen) -> SavedView {
        let of = move |open: OpenRecordings| SavedView::of(&open, &view, &screen);
        world.run_system_once(of).unwrap()
    }

    #[test]
    fn view_command_is_valid_shell() {
        let (mut world, first) = world();
        let index_tip = node_called(take().clip(), "left/IndexTip").unwrap();
        let selected = Some(RecordingNode::new(first, index_tip));
        let areas = vec!["the cup=sphere:0,1,-1,0.25".parse().unwrap()];
        let view = View { selected, areas, ..View::default() };
        let camera_pose = CameraPose {
            yaw: 30.0,
            pitch: -5.5,
            distance: Some(1.5),
            middle: Some(DVec3::new(0.1, 1.2, -3.0)),
        };
        let screen = StageScreen { camera_pose, ..StageScreen::default() };
        let mut files = Files::default();
        let alone = saved(&mut world, view.clone(), screen.clone());
        assert_eq!(alone.command_line(&files), None, "there is no file to come back to");
        files.current = Some(Source::File("my takes/it's.bin".into()));
        let line = "mutoscope \"my takes/it's.bin\" --at=0.75 --range=0.5..1.25 \
                    --select=left/IndexTip --camera=30,-5.5,1.5,0.1,1.2,-3 \
                    --area='the cup=sphere:0,1,-1,0.25'";
        assert_eq!(alone.command_line(&files).as_deref(), Some(line));
        let clock = world.resource::<SessionClock>().0;
        for (name, offset) in [("my takes/b.bin", -0.25), ("c.bin", 0.0)] {
            let mut other = take();
            other.set_timing(Timing { offset, rate: 1.0 });
            let overlay = Overlay { base: first, placement: Placement::SideBySide, mean: None };
            let source = Source::File(name.into());
            world.spawn((other, overlay, source, Issues::default(), OnClock(clock)));
        }
        let compared = saved(&mut world, view, screen).command_line(&files);
        let expected = format!(
            "{line} --against='my takes/b.bin' --against=c.bin --offset=-0.25 --offset=0 \
             --place=side-by-side --place=side-by-side"
        );
        assert_eq!(compared.as_ref(), Some(&expected));
        let path = "my takes/a video.mp4".into();
        let footage = SavedFootage { path, offset: -1.25, rate: Some(24.0) };
        let with_footage = SavedView { footage: Some(footage), ..alone }.command_line(&files);
        let expected = format!(
            "{line} --reference='my takes/a video.mp4' --reference-offset=-1.25 --reference-rate=24"
        );
        assert_eq!(with_footage, Some(expected));
    }

    #[test]
    fn nodes_are_found_by_name_or_index() {
        let take = take();
        let clip = take.clip();
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
