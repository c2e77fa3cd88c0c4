//! Adds areas of interest.

use bevy::math::DVec3;

use super::CommandContext;
use crate::recording::Recording;
use mutoscope_core::{
    clip::{Clip, Pose},
    measure::analysis::{NamedArea, Shape, sample_gaze},
};

const NEW_AREA_RADIUS_M: f64 = 0.1;

const GAZE_DISTANCE_M: f64 = 1.5;

impl CommandContext<'_, '_> {
    pub(super) fn add_area(&mut self) {
        let selected = self.view.selected;
        let focus = self.open.focused_recording(self.selected_recording());
        let Some(recording) = focus.and_then(|focus| self.open.recording(focus)) else { return };
        let clip = recording.clip();
        let joint = selected.filter(|selected| Some(selected.recording) == focus);
        let joint = joint.and_then(|joint| Some(clip.nodes.get(joint.node.index())?.name.clone()));
        let centre = match joint {
            Some(_) => DVec3::ZERO,
            None => point_on_gaze(recording)
                .unwrap_or_else(|| centre_of_visible_nodes(recording.pose())),
        };
        let name = joint.clone().unwrap_or_else(|| "area".to_owned());
        let name = unused_area_name(name, &self.view.areas);
        let shape = Shape::Sphere { centre, radius: NEW_AREA_RADIUS_M };
        self.view.areas.push(NamedArea { name, shape, joint });
    }
}

fn point_on_gaze(recording: &Recording) -> Option<DVec3> {
    let clip: &Clip = recording.clip();
    let now = [recording.pose().time];
    let mut tracked = clip.ray_nodes().filter_map(|ray| sample_gaze(clip, ray, &now)[0].ray);
    tracked.next().map(|ray| ray.origin + GAZE_DISTANCE_M * ray.direction)
}

fn centre_of_visible_nodes(pose: &Pose) -> DVec3 {
    let visible = pose.nodes.iter().filter(|node| node.is_visible && node.world.is_finite());
    let positions: Vec<DVec3> = visible.map(|node| node.world.translation).collect();
    positions.iter().sum::<DVec3>() / positions.len().max(1) as f64
}

fn unused_area_name(name: String, areas: &[NamedArea]) -> String {
    let is_used = |name: &str| areas.iter().any(|area| area.name == name);
    if !is_used(&name) {
        return name;
    }
    let mut numbered = (2..).map(|number| format!("{name} {number}"));
    numbered.find(|name| !is_used(name)).expect("there are more numbers than areas")
}
