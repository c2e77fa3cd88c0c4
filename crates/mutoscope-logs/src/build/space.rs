//! Determines axes, units and angles from the file, from the mapping, or by assumption.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use mutoscope_core::{
    clip::{
        AssumedFact, AxisDirection, Convention, EulerOrder, FactOrigin, Handedness, RotationRule,
        SourceAxes, Stated, UpAxis, ViewerFromSource, ViewerMirror,
    },
    diagnostics::format_number,
};

use super::rows::Rows;
use crate::{
    mapping::{EulerProduct, Mapping, ThreeAngles},
    names::{format_length_unit, is_upper_body},
    plan::{NodePlan, Plan},
    table::Table,
};

#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub(crate) axes: Stated<SourceAxes>,
    pub(crate) metres_per_unit: Stated<f64>,
    pub(crate) euler: EulerProduct,
    pub(crate) is_euler_used: bool,
    /// Radians per unit of angle, for columns whose name does not state a unit.
    pub(crate) radians: f64,
    pub(crate) are_angles_used: bool,
    /// `true` if the mapping sets the unit in place of the one that all columns state.
    is_unit_chosen: bool,
    /// The direction from the head of a body to its hips and feet, in the file's axes, if it decides
    /// about the axes.
    pub(crate) body_down: Option<DVec3>,
    /// `true` if no angle is beyond a full turn, so that angles may be in radians.
    pub(crate) may_be_radians: bool,
}

impl Space {
    pub(super) fn for_table(
        table: &Table,
        plan: &Plan,
        rows: &Rows,
        [mapping, chosen]: [&Mapping; 2],
        assumed: &mut Vec<AssumedFact>,
    ) -> Self {
        let mut assume = |fact, value: String, why: &str| {
            assumed.push(AssumedFact { fact, value, why: why.to_owned() });
        };
        let of_program = mapping
            .logger
            .as_ref()
            .map(|logger| format!("the columns are those of {}", logger.name))
            .unwrap_or_default();
        let is_own = table.declared.is_own;
        let mut body_down = None;
        let axes = match chosen.space.axes {
            Some(value) => Stated { value, origin: FactOrigin::Chosen },
            None if is_own => Stated::declared(SourceAxes::VIEWER),
            None if table.declared.axes.is_some() => {
                Stated::declared(table.declared.axes.unwrap_or(SourceAxes::VIEWER))
            }
            None => {
                let gravity = axes_from_gravity(table, mapping);
                let (value, why) = match (gravity, mapping.space.axes) {
                    (Some(value), _) => {
                        (value, "the columns of gravity state what is down".to_owned())
                    }
                    (None, Some(value)) => match correct_gaze_axes(table, plan, mapping, value) {
                        Some((corrected, why)) => (corrected, format!("{of_program}, {why}")),
                        None => (value, of_program.clone()),
                    },
                    (None, None) => {
                        body_down = find_body_down(table, plan, rows);
                        match body_down.and_then(axes_from_body) {
                            Some(axes) => {
                                (axes, "the head is above the hips and the feet".to_owned())
                            }
                            None => {
                                let (value, why) = guess_axes(table);
                                (value, why.to_owned())
                            }
                        }
                    }
                };
                assume("axes", axes_label(value), &why);
                Stated::assumed(value)
            }
        };
        // A unit that the columns of one node state says nothing about another node.
        let mut positions = plan.nodes.iter().filter(|node| node.position.is_some());
        let first = positions.clone().find_map(|node| node.length_units).map(|units| units[0]);
        let all_state = positions.clone().all(|node| node.length_units.is_some());
        // A chosen unit replaces a unit that all columns state. If they state several, it is the
        // unit of the others.
        let all_state_one_unit = positions
            .all(|node| node.length_units == first.map(|metres| [metres; 3]) && first.is_some());
        let stated = first.filter(|_| all_state).or(table.declared.metres_per_unit);
        let metres_per_unit = match (chosen.space.metres_per_unit, stated) {
            (Some(value), _) => Stated { value, origin: FactOrigin::Chosen },
            (None, Some(value)) => Stated::declared(value),
            (None, None) if is_own => Stated::declared(1.0),
            (None, None) if matches!(table.version, "c3d" | "trc" | "vicon") => {
                let (value, unit, why) = guess_marker_unit(table, plan);
                assume("unit", unit.to_owned(), &why);
                Stated::assumed(value)
            }
            (None, None) => {
                let (value, why) = match mapping.space.metres_per_unit {
                    Some(value) => (value, of_program.as_str()),
                    None => (1.0, "no column states the unit of positions"),
                };
                if plan.nodes.iter().any(|node| node.position.is_some()) {
                    assume("unit", format_length_unit(value), why);
                }
                Stated::assumed(value)
            }
        };
        let is_euler_used = plan.nodes.iter().any(|node| node.euler.is_some());
        let declared = table.declared.euler.as_deref();
        let declared = declared.or(table.declared.assumed_angles.map(|assumed| assumed.value));
        let declared = declared.and_then(EulerProduct::parse);
        let product = match mapping.space.euler {
            Some(ThreeAngles::Product(product)) => Some(product),
            Some(ThreeAngles::Vector) | None => None,
        };
        let stated = product.or(declared);
        let euler = stated.unwrap_or(EulerProduct::UNITY);
        // Values beyond a full turn are certainly in degrees, and do not belong to a rotation
        // vector.
        let may_be_radians = is_euler_used && are_angles_within_a_turn(table, plan);
        let are_radians = may_be_radians && do_angles_wrap_at_pi(table, plan);
        if is_euler_used && stated.is_none() {
            let why = match may_be_radians {
                true => {
                    "no column states the order of the three angles; they may be a rotation vector \
                     too. If they are, set [space] euler = \"vector\" in a mapping file"
                }
                false => "no column states the order of the three angles",
            };
            assume("euler", euler.letters(), why);
        }
        let has_three_angles = |node: &NodePlan| node.euler.or(node.rotation_vector).is_some();
        if let Some(assumed) = table.declared.assumed_angles
            && mapping.space.euler.is_none()
            && plan.nodes.iter().any(has_three_angles)
        {
            assume("euler", assumed.value.to_owned(), assumed.why);
        }
        let has_angles = |node: &&NodePlan| {
            node.euler.is_some() || node.yaw_pitch.is_some() || node.tangents.is_some()
        };
        let are_angles_used = plan.nodes.iter().any(|node| has_angles(&node));
        let unstated =
            plan.nodes.iter().filter(has_angles).any(|node| node.radians_per_unit.is_none());
        if unstated && mapping.space.radians_per_unit.is_none() {
            let (value, why) = match (are_radians, may_be_radians) {
                (true, _) => ("radians", "they wrap around by 2 pi"),
                (false, true) => {
                    ("degrees", "no column states the unit of angles; they may be radians too")
                }
                (false, false) => ("degrees", "no column states the unit of angles"),
            };
            assume("angles", value.to_owned(), why);
        }
        let assumed_radians = if are_radians { 1.0 } else { 1f64.to_radians() };
        Self {
            axes,
            metres_per_unit,
            euler,
            is_euler_used,
            radians: mapping.space.radians_per_unit.unwrap_or(assumed_radians),
            are_angles_used,
            is_unit_chosen: chosen.space.metres_per_unit.is_some() && all_state_one_unit,
            body_down,
            may_be_radians,
        }
    }

    pub(crate) fn for_log(axes: Stated<SourceAxes>, metres_per_unit: Stated<f64>) -> Self {
        Self {
            axes,
            metres_per_unit,
            euler: EulerProduct::UNITY,
            is_euler_used: false,
            radians: 1f64.to_radians(),
            are_angles_used: false,
            is_unit_chosen: false,
            body_down: None,
            may_be_radians: false,
        }
    }

    pub(crate) fn convention(&self) -> Convention {
        let Stated { value: axes, origin } = self.axes;
        let (handedness, up) = (axes.handedness(), axes.up());
        let is_plain = matches!(
            (axes, handedness, up),
            (SourceAxes::VIEWER, Handedness::Right, UpAxis::Y)
                | (SourceAxes::UNITY, Handedness::Left, UpAxis::Y)
                | (SourceAxes::Z_UP, Handedness::Right, UpAxis::Z)
        );
        Convention {
            handedness: Stated { value: handedness, origin },
            up: Stated { value: up, origin },
            metres_per_unit: self.metres_per_unit,
            seconds_per_unit: None,
            rotation: Stated::assumed(RotationRule::Continuous),
            mirror: ViewerMirror::Z,
            axes: (!is_plain).then_some(axes),
        }
    }

    /// Returns the factors that convert x, y and z of a node to the unit of the clip.
    pub(crate) fn position_factors(&self, node: &NodePlan) -> [f64; 3] {
        match node.length_units.filter(|_| node.has_own_unit || !self.is_unit_chosen) {
            Some(metres) => metres.map(|metres| metres / self.metres_per_unit.value),
            None => [1.0; 3],
        }
    }

    pub(crate) fn radians_per_unit(&self, node: &NodePlan) -> f64 {
        node.radians_per_unit.unwrap_or(self.radians)
    }

    /// Returns the conversion from the axes of a node to those of the file. Returns `None` if they are
    /// equal.
    pub(crate) fn file_from_node(&self, node: &NodePlan) -> Option<AxesConversion> {
        let axes = node.axes.filter(|axes| *axes != self.axes.value)?;
        let viewer_from = |axes| {
            let space = Self::for_log(Stated::assumed(axes), Stated::assumed(1.0));
            space.convention().viewer_from_source()
        };
        let file_from_viewer = viewer_from(self.axes.value).inverse();
        Some(AxesConversion { viewer_from_node: viewer_from(axes), file_from_viewer })
    }

    pub(crate) fn euler_order(&self) -> EulerOrder {
        self.euler.to_euler_order()
    }
}

/// A conversion between two sets of axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxesConversion {
    viewer_from_node: ViewerFromSource,
    file_from_viewer: ViewerFromSource,
}

impl AxesConversion {
    pub(crate) fn convert_vector(&self, vector: [f64; 3]) -> [f64; 3] {
        let in_viewer = self.viewer_from_node.convert_direction(DVec3::from_array(vector));
        self.file_from_viewer.convert_direction(in_viewer).to_array()
    }

    pub(crate) fn convert_rotation(&self, rotation: DQuat) -> [f64; 4] {
        let in_viewer = self.viewer_from_node.convert_rotation(rotation);
        self.file_from_viewer.convert_rotation(in_viewer).to_array()
    }
}

fn are_angles_within_a_turn(table: &Table, plan: &Plan) -> bool {
    let columns = plan.nodes.iter().filter(|node| node.radians_per_unit.is_none());
    let mut columns = columns.filter_map(|node| node.euler).flatten();
    columns.all(|column| table.columns[column].numbers().all(|(_, it)| it.abs() <= TAU))
}

/// Returns `true` if angles jump by a turn in radians, and if no other step is nearly as long.
fn do_angles_wrap_at_pi(table: &Table, plan: &Plan) -> bool {
    const MAX_STEP: f64 = 1.5;
    let columns = plan.nodes.iter().filter(|node| node.radians_per_unit.is_none());
    let steps = columns.filter_map(|node| node.euler).flatten().flat_map(|column| {
        let numbers = || table.columns[column].numbers().map(|(_, number)| number);
        numbers().skip(1).zip(numbers()).map(|(next, before)| (next - before).abs())
    });
    let mut is_wrapped = false;
    for step in steps {
        if (step - TAU).abs() < MAX_STEP {
            is_wrapped = true;
        } else if step > MAX_STEP {
            return false;
        }
    }
    is_wrapped
}

/// Guesses the unit of markers: the unit in which their cloud has the size of a body. If there is no
/// such unit, their distance from the origin decides. Returns the metres per unit, the unit and the
/// reason.
fn guess_marker_unit(table: &Table, plan: &Plan) -> (f64, &'static str, String) {
    /// A marker this far from the origin is hardly in metres. In millimetres, this is far less than
    /// the height of a body.
    const MAX_METRES: f64 = 50.0;
    /// The sizes of a body with markers, in metres: a child, or a tall person with raised arms.
    const BODY_SIZES_M: std::ops::RangeInclusive<f64> = 0.75..=2.4;
    /// Few files are in centimetres. A body in centimetres has the numbers of a hand in
    /// millimetres, but a hand is farther from the origin of the room, in relation to its size.
    const MAX_CENTIMETRE_REACH: f64 = 6.0;
    let positions: Vec<[usize; 3]> = plan.nodes.iter().filter_map(|node| node.position).collect();
    let reach = |columns: &[usize; 3]| {
        let numbers = columns.iter().flat_map(|column| table.columns[*column].numbers());
        numbers.fold(0.0, |reach: f64, (_, number)| reach.max(number.abs()))
    };
    let mut reaches: Vec<f64> = positions.iter().map(reach).collect();
    // The median is not affected by a single marker that is far away.
    let median = crate::median(&mut reaches).unwrap_or(0.0);
    let reach = format_number(median);
    let size = typical_cloud_size(table, &positions);
    let body_units = [(1.0, "m"), (0.001, "mm"), (0.01, "cm")];
    let is_body = |(metres, unit): &(f64, &str)| {
        let is_believable = *unit != "cm" || median <= MAX_CENTIMETRE_REACH * size.unwrap_or(0.0);
        size.is_some_and(|size| BODY_SIZES_M.contains(&(size * metres))) && is_believable
    };
    if let (Some(size), Some((metres, unit))) = (size, body_units.into_iter().find(is_body)) {
        let size_m = format_number(size * metres);
        let size = format_number(size);
        let why = "the file states no unit of length, and the markers usually extend over";
        return (metres, unit, format!("{why} {size}, which is a body of {size_m} m"));
    }
    let states = "the file states no unit of length, and the coordinates of most markers";
    match median <= MAX_METRES {
        true => (1.0, "m", format!("{states} reach only {reach}")),
        false => (0.001, "mm", format!("{states} reach {reach}")),
    }
}

/// Returns the median over time of the largest extent of the markers along an axis. `None` if there
/// are too few markers for a body.
fn typical_cloud_size(table: &Table, positions: &[[usize; 3]]) -> Option<f64> {
    const MIN_BODY_MARKERS: usize = 8;
    const SAMPLED_ROWS: usize = 64;
    if positions.len() < MIN_BODY_MARKERS {
        return None;
    }
    let stride = (table.rows / SAMPLED_ROWS).max(1);
    let mut extents = vec![[(f64::INFINITY, f64::NEG_INFINITY); 3]; table.rows / stride + 1];
    for columns in positions {
        for (axis, column) in columns.iter().enumerate() {
            let sampled = table.columns[*column].numbers().filter(|(row, _)| row % stride == 0);
            for (row, number) in sampled {
                let (low, high) = &mut extents[row / stride][axis];
                (*low, *high) = (low.min(number), high.max(number));
            }
        }
    }
    let size =
        |axes: &[(f64, f64); 3]| axes.iter().map(|(low, high)| high - low).fold(0.0, f64::max);
    let mut sizes: Vec<f64> = extents.iter().map(size).filter(|size| *size > 0.0).collect();
    crate::median(&mut sizes)
}

pub(crate) fn axes_label(axes: SourceAxes) -> String {
    axes.directions().map(|direction| direction.as_str()).join(" ")
}

/// Returns axes in which the head of a body is above its hips and feet. Returns `None` if the body
/// lies, or if the viewer's axes fit.
fn axes_from_body(down: DVec3) -> Option<SourceAxes> {
    axes_from_down(down).filter(|axes| axes.up() != UpAxis::Y || down.y > 0.0)
}

/// Returns the mean direction from the head of a body to its hips and feet. Returns `None` if the
/// body has no head or no hips and feet.
fn find_body_down<'a>(table: &Table, plan: &Plan, rows: &'a Rows) -> Option<DVec3> {
    if matches!(table.version, "c3d" | "vicon" | "motive" | "trc") {
        return None;
    }
    struct BodyPart<'a> {
        is_upper: bool,
        columns: [usize; 3],
        /// `None` means all rows.
        rows: Option<&'a [u32]>,
    }
    let mut parts: Vec<BodyPart<'_>> = Vec::new();
    for node in &plan.nodes {
        let Some(columns) = node.position else { continue };
        let mut add = |name: &str, rows: Option<&'a [u32]>| {
            parts.extend(is_upper_body(name).map(|is_upper| BodyPart { is_upper, columns, rows }));
        };
        match node.is_of_row && !rows.groups.is_empty() {
            true => rows.groups.iter().for_each(|it| add(&it.name_of(node), Some(&it.rows))),
            false => add(&node.name_on_side(None), None),
        }
    }
    // Most tables have a head but no hips. Do not read their positions.
    if [true, false].iter().any(|is_upper| parts.iter().all(|part| part.is_upper != *is_upper)) {
        return None;
    }
    let mut sums = [(DVec3::ZERO, 0_u32); 2];
    for BodyPart { is_upper, columns, rows } in parts {
        let (sum, count) = &mut sums[usize::from(is_upper)];
        let mut add = |row: usize| {
            let position = DVec3::from_array(columns.map(|it| table.columns[it].number(row)));
            if position.is_finite() {
                (*sum, *count) = (*sum + position, *count + 1);
            }
        };
        match rows {
            Some(rows) => rows.iter().for_each(|row| add(*row as usize)),
            None => (0..table.rows).for_each(add),
        }
    }
    let [lower, upper] = sums.map(|(sum, count)| (count > 0).then(|| sum / f64::from(count)));
    (lower? - upper?).try_normalize()
}

/// Returns other axes if the values refute the documented axes of a gaze that is relative to the
/// head: a person looks forward, and the left eye is on the left. Also returns what spoke against
/// the documented axes.
fn correct_gaze_axes(
    table: &Table,
    plan: &Plan,
    mapping: &Mapping,
    axes: SourceAxes,
) -> Option<(SourceAxes, String)> {
    use AxisDirection::{Back, Forward, Left, Right};
    if !mapping.logger.as_ref()?.looks_forward {
        return None;
    }
    let mut directions = axes.directions();
    let mut reasons = Vec::new();
    if let Some(axis) = directions.iter().position(|it| matches!(it, Forward | Back)) {
        let sign = if directions[axis] == Forward { 1.0 } else { -1.0 };
        let gazes = plan.nodes.iter().filter_map(|node| node.direction);
        if gazes.map(|columns| count_signs(table, columns, axis) * sign).sum::<f64>() < 0.0 {
            reasons.push("the gaze would look back");
            // Programs whose x points left are rare. If one axis is refuted, do not believe the other.
            directions = directions.map(|direction| match direction {
                Forward => Back,
                Back => Forward,
                Left => Right,
                other => other,
            });
        }
    }
    let position = |name: &str| {
        plan.nodes.iter().find(|node| node.name_on_side(None) == name).and_then(|it| it.position)
    };
    if let Some(axis) = directions.iter().position(|it| matches!(it, Left | Right))
        && let Some(left) = position("left/gaze")
        && let Some(right) = position("right/gaze")
    {
        let sign = if directions[axis] == Right { 1.0 } else { -1.0 };
        let number = |columns: [usize; 3], row| table.columns[columns[axis]].number(row);
        let distances = (0..table.rows).map(|row| number(right, row) - number(left, row));
        let distances = distances.filter(|distance| !distance.is_nan() && *distance != 0.0);
        if distances.map(|distance| distance.signum() * sign).sum::<f64>() < 0.0 {
            reasons.push("the eyes would be swapped");
            directions = directions.map(|direction| match direction {
                Left => Right,
                Right => Left,
                other => other,
            });
        }
    }
    let why = format!("but in its axes {}", reasons.join(", and "));
    (!reasons.is_empty()).then_some((SourceAxes::new(directions)?, why))
}

/// Returns how many more directions are positive than negative along an axis.
fn count_signs(table: &Table, columns: [usize; 3], axis: usize) -> f64 {
    let vectors = (0..table.rows).map(|row| columns.map(|it| table.columns[it].number(row)));
    // Some programs write vectors of another length if a gaze is not valid.
    let is_direction =
        |vector: &[f64; 3]| (0.8..1.2).contains(&vector.iter().map(|it| it * it).sum::<f64>());
    let along = vectors.filter(is_direction).map(|vector| vector[axis]);
    along.filter(|number| *number != 0.0).map(f64::signum).sum()
}

/// Returns axes in which the mean of the gravity columns points down. Returns `None` without such
/// columns, or if the vector is not close to an axis.
fn axes_from_gravity(table: &Table, mapping: &Mapping) -> Option<SourceAxes> {
    let columns = mapping.space.gravity.as_ref()?;
    let mean = |name: &str| {
        let column = table.columns.iter().find(|column| column.name == name)?;
        let (sum, count) =
            column.numbers().fold((0.0, 0), |(sum, count), (_, it)| (sum + it, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    };
    let [x, y, z] = &columns[..] else { return None };
    let down = DVec3::new(mean(&x.column)?, mean(&y.column)?, mean(&z.column)?).try_normalize()?;
    axes_from_down(down)
}

pub(super) fn axes_from_down(down: DVec3) -> Option<SourceAxes> {
    /// The cosine of the largest angle between the direction and an axis.
    const MIN_COSINE: f64 = 0.9;
    use AxisDirection::{Back, Down, Forward, Left, Right, Up};
    let candidates = [
        (DVec3::NEG_Y, [Right, Up, Back]),
        (DVec3::NEG_Z, [Right, Forward, Up]),
        (DVec3::NEG_X, [Up, Left, Back]),
        (DVec3::Y, [Right, Down, Forward]),
        (DVec3::Z, [Right, Back, Down]),
        (DVec3::X, [Down, Right, Back]),
    ];
    let found = candidates.into_iter().find(|(axis, _)| axis.dot(down) > MIN_COSINE);
    found.and_then(|(_, directions)| SourceAxes::new(directions))
}

/// Returns the axes that programs with this container usually use, with the reason.
fn guess_axes(table: &Table) -> (SourceAxes, &'static str) {
    match table.version {
        "vicon" => (SourceAxes::Z_UP, "Vicon measures with Z up"),
        "qualisys" => (SourceAxes::Z_UP, "Qualisys measures with Z up"),
        "c3d" => (SourceAxes::Z_UP, "motion capture usually measures with Z up"),
        _ => (SourceAxes::VIEWER, "nothing in the file states them"),
    }
}
