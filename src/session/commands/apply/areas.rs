//! Adding areas of interest.

use bevy::math::DVec3;

use super::Targets;
use crate::recording::Recording;
use mutoscope_core::{
    clip::{Clip, Pose},
    measure::analysis::{NamedArea, Shape, gaze},
};

/// The radius of an area that was just added, in metres: a hand's.
const RADIUS: f64 = 0.1;

/// How far along the gaze an area is added, in metres.
const AHEAD: f64 = 1.5;

impl Targets<'_, '_> {
    /// Adds an area around the selected joint, else where the gaze points now, else in the middle of
    /// the pose.
    pub(super) fn add_area(&mut self) {
        let selected = self.view.selected;
        let focus = self.open.focus(self.selected_recording());
        let Some(recording) = focus.and_then(|focus| self.open.recording(focus)) else { return };
        let clip = recording.clip();
        let joint = selected.filter(|selected| Some(selected.recording) == focus);
        let joint = joint.and_then(|joint| Some(clip.nodes.get(joint.node.index())?.name.clone()));
        let centre = match joint {
            Some(_) => DVec3::ZERO,
            None => gazed_at(recording).unwrap_or_else(|| middle(recording.pose())),
        };
        let name = joint.clone().unwrap_or_else(|| "area".to_owned());
        let name = unused(name, &self.view.areas);
        let shape = Shape::Sphere { centre, radius: RADIUS };
        self.view.areas.push(NamedArea { name, shape, joint });
    }
}

/// The place ahead on the first gaze that is tracked now.
fn gazed_at(recording: &Recording) -> Option<DVec3> {
    let clip: &Clip = recording.clip();
    let now = [recording.pose().time];
    let mut tracked = clip.rays().filter_map(|ray| gaze(clip, ray, &now)[0].ray);
    tracked.next().map(|ray| ray.origin + AHEAD * ray.direction)
}

/// The mean of all nodes that are there.
fn middle(pose: &Pose) -> DVec3 {
    let there = pose.nodes.iter().filter(|node| node.shown && node.world.is_finite());
    let places: Vec<DVec3> = there.map(|node| node.world.translation).collect();
    places.iter().sum::<DVec3>() / places.len().max(1) as f64
}

/// `name`, with a number if an area is called so.
fn unused(name: String, areas: &[NamedArea]) -> String {
    let is_used = |name: &str| areas.iter().any(|area| area.name == name);
    if !is_used(&name) {
        return name;
    }
    let mut numbered = (2..).map(|number| format!("{name} {number}"));
    numbered.find(|name| !is_used(name)).expect("there are more numbers than areas")
}
