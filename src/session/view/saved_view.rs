//! The view of a recording as options of the command line and of links, to restore or share it.

use std::{borrow::Cow, fmt::Write as _, path::PathBuf};

use bevy::prelude::*;

use crate::session::{
    Command, CompareCommand, Files, FootageCommand, SavedFootage, Source,
    files::open::{OpenRecording, OpenRecordings},
};
use crate::{
    recording::RecordingNode,
    stage::{CameraMode, CameraPose, CameraRequest, StageScreen, View},
};
use mutoscope_core::{
    clip::{Clip, NodeId},
    measure::{
        analysis::{NamedArea, ParseAreaError},
        compare::{CompareOptions, Placement, Timing},
    },
    playback::{Clock, ParseTimeError, TimeCommand, TimeRange, parse_seconds, parse_time_range},
};

/// The time, the selection, the areas of interest and the camera. Everything else keeps its
/// default.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
pub struct SavedView {
    /// The time at which playback pauses, in seconds.
    pub at: Option<f64>,
    /// The range to play, in seconds.
    pub range: Option<(f64, f64)>,
    /// The selected node of the reference: its name, or its index as `#3`.
    pub select: Option<String>,
    /// The pose of the camera.
    pub camera: Option<CameraPose>,
    /// The areas of interest.
    pub areas: Vec<NamedArea>,
    /// The recordings that are compared with the reference, and their options.
    pub compared: Vec<(PathBuf, CompareOptions)>,
    /// The reference video, images or sound.
    pub footage: Option<SavedFootage>,
}

impl SavedView {
    /// Returns the current view, without reference footage.
    pub fn capture(open: &OpenRecordings, view: &View, screen: &StageScreen) -> Self {
        let all = open.in_order();
        let clock = open.clock();
        let select = all.first().and_then(|reference| {
            let node = view.selected?.node_in(reference.entity)?;
            Some(node_selector(reference.clip(), node))
        });
        Self {
            at: clock.map(Clock::time),
            range: clock.and_then(Clock::range).map(|range| (range.start(), range.end())),
            select,
            camera: (view.camera == CameraMode::Free).then_some(screen.camera_pose),
            areas: view.areas.clone(),
            compared: all.iter().filter_map(compare_options).collect(),
            footage: None,
        }
    }

    pub(in crate::session) fn compare_commands(&self) -> impl Iterator<Item = Command> {
        let with = |(path, options): &(PathBuf, CompareOptions)| {
            Command::Compare(CompareCommand::Add(Source::from_path(path.clone()), *options))
        };
        self.compared.iter().map(with)
    }

    pub(in crate::session) fn footage_command(&self) -> Option<Command> {
        self.footage.clone().map(|footage| Command::Footage(FootageCommand::Open(footage)))
    }

    pub(in crate::session) fn apply_to_clock(&self, clock: &mut Clock) {
        if let Some((start, end)) = self.range {
            clock.apply(TimeCommand::SetRange(Some(TimeRange::new(start, end))), &[]);
        }
        if let Some(time) = self.at {
            clock.apply(TimeCommand::Pause, &[]);
            clock.apply(TimeCommand::Seek(time), &[]);
        }
    }

    pub(in crate::session) fn apply_to_view(
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
        let Some(selector) = &self.select else { return Ok(()) };
        let node = find_node(clip, selector);
        view.selected = node.map(|node| RecordingNode::new(recording, node));
        match node {
            Some(_) => Ok(()),
            None => Err(format!("--select: no node {selector:?}; nothing selected")),
        }
    }

    /// Returns the command that opens `files` with this view. `None` if no file is open, or if a
    /// path is not Unicode or cannot be quoted for a shell.
    pub fn command_line(&self, files: &Files) -> Option<String> {
        let Some(Source::File(path)) = &files.current else { return None };
        let mut line = format!("mutoscope {}", quote_for_shell(path.to_str()?)?);
        let mut options = self.options()?;
        if let Some(rig) = files.skeleton.as_ref().and_then(|rig| rig.path.as_ref()) {
            options.insert(0, ("rig", rig.to_str()?.to_owned()));
        }
        if let Some(columns) = &files.options.columns {
            options.insert(0, ("columns", columns.name.clone()));
        }
        for (name, value) in options {
            // Writing to a string cannot fail.
            let _ = write!(line, " --{name}={}", quote_for_shell(&value)?);
        }
        Some(line)
    }

    /// Returns the name and the value of each option that differs from its default. The command
    /// line and links use these names. Returns `None` if a path is not Unicode.
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

    fn add_compare_options(&self, to: &mut Vec<(&'static str, String)>) {
        let timings = self.compared.iter().map(|(_, options)| options.timing.unwrap_or_default());
        let placements =
            self.compared.iter().map(|(_, options)| options.placement.unwrap_or_default());
        let default = Timing::default();
        if timings.clone().any(|timing| timing.offset != default.offset) {
            to.extend(timings.clone().map(|timing| ("offset", timing.offset.to_string())));
        }
        if timings.clone().any(|timing| timing.rate != default.rate) {
            to.extend(timings.map(|timing| ("rate", timing.rate.to_string())));
        }
        if placements.clone().any(|placement| placement != Placement::default()) {
            to.extend(placements.map(|placement| ("place", placement.name().to_owned())));
        }
    }

    pub(in crate::session) fn set_option(
        &mut self,
        name: &str,
        value: String,
    ) -> Result<(), String> {
        let time_error = |error: ParseTimeError| error.to_string();
        match name {
            "at" => self.at = Some(parse_seconds(&value).map_err(time_error)?),
            "range" => {
                let range = parse_time_range(&value).map_err(time_error)?;
                self.range = Some(range.into_inner());
            }
            "select" => self.select = Some(value),
            "camera" => self.camera = Some(value.parse()?),
            "area" => {
                let area = value.parse().map_err(|error: ParseAreaError| error.to_string())?;
                self.areas.push(area);
            }
            "reference" | "reference-offset" | "reference-rate" => {
                return Err("reference videos need the viewer on the desktop; skipped".to_owned());
            }
            _ => return Err("unknown parameter; skipped".to_owned()),
        }
        Ok(())
    }
}

fn quote_for_shell(text: &str) -> Option<String> {
    // Leave numbers and simple paths unquoted, because quotes make them hard to read.
    let is_plain = |char: char| char.is_ascii_alphanumeric() || ".,-/".contains(char);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Some(text.to_owned()),
        false => shlex::try_quote(text).ok().map(Cow::into_owned),
    }
}

fn compare_options(recording: &OpenRecording<'_>) -> Option<(PathBuf, CompareOptions)> {
    let (overlay, Source::File(path)) = (recording.overlay?, recording.source) else { return None };
    let (timing, placement) = (recording.recording.timing(), overlay.placement);
    let options = CompareOptions { timing: Some(timing), placement: Some(placement), align: false };
    Some((path.clone(), options))
}

fn node_selector(clip: &Clip, node: NodeId) -> String {
    let name = &clip.nodes[node].name;
    match find_node(clip, name) {
        Some(other) if other == node => name.clone(),
        _ => format!("#{}", node.index()),
    }
}

fn find_node(clip: &Clip, selector: &str) -> Option<NodeId> {
    let by_name = clip.nodes.with_ids().find(|(_, node)| node.name == selector).map(|(id, _)| id);
    by_name.or_else(|| {
        let index: usize = selector.strip_prefix('#')?.parse().ok()?;
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
        session::{RecordingDiagnostics, SessionClock},
    };
    use mutoscope_core::{ReadOptions, decode};

    fn hands() -> Recording {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        Recording::new(ClipAsset::new(decode(bytes, &ReadOptions::default()).unwrap()))
    }

    fn world() -> (World, Entity) {
        let mut world = World::new();
        world.init_resource::<SessionClock>();
        let clock = world.resource::<SessionClock>().0;
        let mut playback_clock = PlaybackClock::for_asset(hands().asset());
        playback_clock.0.apply(TimeCommand::SetRange(Some(TimeRange::new(0.5, 1.25))), &[]);
        playback_clock.0.apply(TimeCommand::Seek(0.75), &[]);
        world.entity_mut(clock).insert(playback_clock);
        let source = Source::File("my takes/it's.bin".into());
        let first =
            world.spawn((hands(), source, RecordingDiagnostics::default(), OnClock(clock))).id();
        (world, first)
    }

    fn saved(world: &mut World, view: View, screen: StageScreen) -> SavedView {
        let capture = move |open: OpenRecordings| SavedView::capture(&open, &view, &screen);
        world.run_system_once(capture).unwrap()
    }

    #[test]
    fn view_command_is_valid_shell() {
        let (mut world, first) = world();
        let index_tip = find_node(hands().clip(), "left/IndexTip").unwrap();
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
        assert_eq!(alone.command_line(&files), None, "no file is open");
        files.current = Some(Source::File("my takes/it's.bin".into()));
        let line = "mutoscope \"my takes/it's.bin\" --at=0.75 --range=0.5..1.25 \
                    --select=left/IndexTip --camera=30,-5.5,1.5,0.1,1.2,-3 \
                    --area='the cup=sphere:0,1,-1,0.25'";
        assert_eq!(alone.command_line(&files).as_deref(), Some(line));
        let clock = world.resource::<SessionClock>().0;
        for (name, offset) in [("my takes/b.bin", -0.25), ("c.bin", 0.0)] {
            let mut other = hands();
            other.set_timing(Timing { offset, rate: 1.0 });
            let overlay =
                Overlay { base: first, placement: Placement::SideBySide, mean_offset: None };
            let source = Source::File(name.into());
            world.spawn((other, overlay, source, RecordingDiagnostics::default(), OnClock(clock)));
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
        let recording = hands();
        let clip = recording.clip();
        let found =
            |selector: &str| find_node(clip, selector).map(|id| clip.nodes[id].name.as_str());
        assert_eq!(found("right/Wrist"), Some("right/Wrist"));
        assert_eq!(found("#0"), Some(clip.nodes[NodeId::new(0)].name.as_str()));
        for missing in ["Wrist", "#", "#999", "#-1", ""] {
            assert_eq!(found(missing), None, "{missing}");
        }
        for (id, _) in clip.nodes.with_ids() {
            assert_eq!(find_node(clip, &node_selector(clip, id)), Some(id));
        }
    }
}
