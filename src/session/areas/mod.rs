//! Areas of interest, which all open recordings share.

mod files;

use bevy::{math::DVec3, prelude::*};

use super::{
    files::{Files, OpenRecordings, ReplaceQuestion},
    history::{Edit, EditHistory, EditedValue},
};
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
    /// Writes the areas to a text file next to the reference.
    Save {
        /// Is `true` if a file that another program has written may be replaced without asking the
        /// user.
        replaces: bool,
    },
}

const NEW_AREA_RADIUS_M: f64 = 0.1;

const GAZE_DISTANCE_M: f64 = 1.5;

pub(in crate::session) fn plugin(app: &mut App) {
    app.init_resource::<files::AreaFile>().add_observer(files::read_areas);
}

/// Applies a command. Returns a question if the command would replace a file.
pub(in crate::session) fn apply(
    In(command): In<AreaCommand>,
    open: OpenRecordings,
    mut view: ResMut<View>,
    mut history: ResMut<EditHistory>,
    mut file: ResMut<files::AreaFile>,
    mut files: ResMut<Files>,
) -> Option<ReplaceQuestion<AreaCommand>> {
    let (edited, is_own_step) = match command {
        AreaCommand::Add => (with_another_area(&open, &view)?, true),
        AreaCommand::Set(areas) => (areas, false),
        AreaCommand::Save { replaces } => {
            return file.save(replaces, &open, &view.areas, &mut history, &mut files);
        }
    };
    let name = edit_name(&view.areas, &edited);
    let before = EditedValue::Areas(std::mem::replace(&mut view.areas, edited.clone()));
    let edit = Edit { name, before, after: EditedValue::Areas(edited) };
    match is_own_step {
        true => history.record(edit),
        false => history.record_in_step(edit),
    }
    if let (true, Some(area)) = (is_own_step, view.areas.last()) {
        let position = match &area.joint {
            Some(joint) => format!("around {joint}"),
            None => "where the gaze points".to_owned(),
        };
        let text = format!("Added the area {} {position}. The inspector edits it", area.name);
        files.notify(text);
    }
    None
}

/// Restores the areas after undo or redo.
pub(in crate::session) fn restore(In(areas): In<Vec<NamedArea>>, mut view: ResMut<View>) {
    view.areas = areas;
}

fn edit_name(before: &[NamedArea], after: &[NamedArea]) -> String {
    let missing_name = |from: &[NamedArea], other: &[NamedArea]| {
        let area = from.iter().find(|area| !other.contains(area));
        area.map_or_else(|| "an area".to_owned(), |area| area.name.clone())
    };
    match before.len().cmp(&after.len()) {
        std::cmp::Ordering::Less => format!("adding {}", missing_name(after, before)),
        std::cmp::Ordering::Greater => format!("removing {}", missing_name(before, after)),
        std::cmp::Ordering::Equal => "changing an area".to_owned(),
    }
}

/// Returns the areas and one more, around the selected joint or at the point of gaze. `None` if no
/// recording is open.
fn with_another_area(open: &OpenRecordings, view: &View) -> Option<Vec<NamedArea>> {
    let focus = open.focused(view)?;
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
    let mut areas = view.areas.clone();
    areas.push(NamedArea { name, shape, joint });
    Some(areas)
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
