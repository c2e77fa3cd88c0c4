//! The view of a recording as options of the command line and of links, to restore or share it.

use std::path::PathBuf;

use bevy::prelude::*;

use bevy_mutoscope::{
    RecordingNode,
    stage::{CameraPose, CameraRequest, View},
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

/// The reference footage and its timing, as a saved view stores them.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedFootage {
    /// The file, an image of a sequence, or a folder of images.
    pub path: PathBuf,
    /// The clock time, in seconds, at which the footage starts.
    pub offset: f64,
    /// The frame rate of an image sequence in Hz. `None` for other footage, or for the default
    /// rate.
    pub rate: Option<f64>,
}

impl SavedFootage {
    /// Returns the footage at `path`, starting with the clock.
    pub fn from_path(path: PathBuf) -> Self {
        Self { path, offset: 0.0, rate: None }
    }
}

impl SavedView {
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

pub(in crate::session) fn node_selector(clip: &Clip, node: NodeId) -> String {
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
    use super::*;
    use mutoscope_core::{ReadOptions, decode};

    #[test]
    fn nodes_are_found_by_name_or_index() {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        let clip = &decode(bytes, &ReadOptions::default()).unwrap();
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
