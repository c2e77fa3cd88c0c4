//! Areas of interest.

use bevy::{math::DVec3, prelude::*};

use super::files::OpenRecordings;
use bevy_mutoscope::{Recording, stage::View};
use mutoscope_core::{
    clip::{Clip, Pose},
    measure::analysis::{NamedArea, Shape, sample_gaze},
};

/// A command on areas of interest.
#[derive(Clone, Debug, PartialEq)]
pub enum AreaCommand {
    /// Adds an area around the selected joint. If no joint is selected, adds the area at the point
    /// of gaze.
    Add,
    /// Replaces all areas.
    Set(Vec<NamedArea>),
}

const NEW_AREA_RADIUS_M: f64 = 0.1;

const GAZE_DISTANCE_M: f64 = 1.5;

pub(in crate::session) fn apply(
    In(command): In<AreaCommand>,
    open: OpenRecordings,
    mut view: ResMut<View>,
) {
    match command {
        AreaCommand::Add => add_area(&open, &mut view),
        AreaCommand::Set(areas) => view.areas = areas,
    }
}

fn add_area(open: &OpenRecordings, view: &mut View) {
    let Some(focus) = open.focused(view) else { return };
    let joint = view.selected.filter(|selected| selected.recording == focus.entity);
    let joint =
        joint.and_then(|joint| Some(focus.clip().nodes.get(joint.node.index())?.name.clone()));
    let centre = match joint {
        Some(_) => DVec3::ZERO,
        None => point_on_gaze(focus.recording)
            .unwrap_or_else(|| centre_of_visible_nodes(focus.recording.pose())),
    };
    let name = joint.clone().unwrap_or_else(|| "area".to_owned());
    let name = unused_area_name(name, &view.areas);
    let shape = Shape::Sphere { centre, radius: NEW_AREA_RADIUS_M };
    view.areas.push(NamedArea { name, shape, joint });
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
