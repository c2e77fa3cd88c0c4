//! Axes, units and angles: what the file states, what was chosen, and what is assumed.

use std::f64::consts::TAU;

use mutoscope_core::clip::{
    AssumedFact, Convention, EulerOrder, Handedness, Origin, RotationRule, SourceAxes, Stated, Up,
    ViewerMirror,
};

use crate::{
    mapping::{EulerProduct, Mapping, ThreeAngles},
    plan::{NodePlan, Plan},
    table::Table,
};

/// The axes and units of a table.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub(crate) axes: Stated<SourceAxes>,
    pub(crate) metres_per_unit: Stated<f64>,
    pub(crate) euler: EulerProduct,
    /// Whether it was not stated.
    pub(crate) is_euler_used: bool,
    /// Radians of angles whose columns state no unit.
    pub(crate) radians: f64,
    pub(crate) are_angles_used: bool,
    /// Whether the mapping sets the unit, whatever columns state.
    is_unit_chosen: bool,
}

impl Space {
    pub(crate) fn of(
        table: &Table,
        plan: &Plan,
        mapping: &Mapping,
        assumed: &mut Vec<AssumedFact>,
    ) -> Self {
        let mut assume = |fact, value: String, why: &str| {
            assumed.push(AssumedFact { fact, value, why: why.to_owned() });
        };
        let is_own = table.declared.is_own;
        let axes = match mapping.space.axes {
            Some(value) => Stated { value, origin: Origin::Chosen },
            None if is_own => Stated::declared(SourceAxes::VIEWER),
            None if table.declared.axes.is_some() => {
                Stated::declared(table.declared.axes.unwrap_or(SourceAxes::VIEWER))
            }
            None => {
                let (value, why) = axes_of_program(table);
                assume("axes", words_of(value), why);
                Stated::assumed(value)
            }
        };
        let stated = plan.nodes.iter().find_map(|node| node.metres);
        let stated = stated.or(table.declared.metres_per_unit);
        let metres_per_unit = match (mapping.space.unit, stated) {
            (Some(value), _) => Stated { value, origin: Origin::Chosen },
            (None, Some(value)) => Stated::declared(value),
            (None, None) if is_own => Stated::declared(1.0),
            (None, None) => {
                if plan.nodes.iter().any(|node| node.position.is_some()) {
                    assume("unit", "m".to_owned(), "no column states the unit of positions");
                }
                Stated::assumed(1.0)
            }
        };
        let is_euler_used = plan.nodes.iter().any(|node| node.euler.is_some());
        let declared = table.declared.euler.as_deref().and_then(EulerProduct::of_word);
        let chosen = match mapping.space.euler {
            Some(ThreeAngles::Product(product)) => Some(product),
            Some(ThreeAngles::Vector) | None => None,
        };
        let stated = chosen.or(declared);
        let euler = stated.unwrap_or(EulerProduct::UNITY);
        // What exceeds one turn in radians is no rotation vector, and in degrees.
        let may_be_radians = is_euler_used && are_within_a_turn(table, plan);
        if is_euler_used && stated.is_none() {
            let why = match may_be_radians {
                true => {
                    "no column states the order of the three angles; they may be a rotation vector \
                     too. A mapping file can state that: [space] euler = \"vector\""
                }
                false => "no column states the order of the three angles",
            };
            assume("euler", euler.word(), why);
        }
        let has_angles = |node: &&NodePlan| node.euler.is_some() || node.angles.is_some();
        let are_angles_used = plan.nodes.iter().any(|node| has_angles(&node));
        let unstated = plan.nodes.iter().filter(has_angles).any(|node| node.radians.is_none());
        let is_motive = table.version == "motive";
        if unstated && mapping.space.angles.is_none() && !is_motive {
            let why = match may_be_radians {
                true => "no column states the unit of angles; they may be radians too",
                false => "no column states the unit of angles",
            };
            assume("angles", "degrees".to_owned(), why);
        }
        Self {
            axes,
            metres_per_unit,
            euler,
            is_euler_used,
            radians: mapping.space.angles.unwrap_or(1f64.to_radians()),
            are_angles_used,
            is_unit_chosen: mapping.space.unit.is_some(),
        }
    }

    /// The space of a log with these axes and unit.
    pub(crate) fn of_log(axes: Stated<SourceAxes>, metres_per_unit: Stated<f64>) -> Self {
        Self {
            axes,
            metres_per_unit,
            euler: EulerProduct::UNITY,
            is_euler_used: false,
            radians: 1f64.to_radians(),
            are_angles_used: false,
            is_unit_chosen: false,
        }
    }

    /// The same as a convention of a clip.
    pub(crate) fn convention(&self) -> Convention {
        let Stated { value: axes, origin } = self.axes;
        let (handedness, up) = (axes.handedness(), axes.up());
        let is_plain = matches!(
            (axes, handedness, up),
            (SourceAxes::VIEWER, Handedness::Right, Up::Y)
                | (SourceAxes::UNITY, Handedness::Left, Up::Y)
                | (SourceAxes::Z_UP, Handedness::Right, Up::Z)
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

    /// The factor from the unit of a node's position to that of the table.
    pub(crate) fn factor(&self, node: &NodePlan) -> f64 {
        match node.metres.filter(|_| !self.is_unit_chosen) {
            Some(metres) => metres / self.metres_per_unit.value,
            None => 1.0,
        }
    }

    /// The radians of the unit of a node's angles.
    pub(crate) fn radians_of(&self, node: &NodePlan) -> f64 {
        node.radians.unwrap_or(self.radians)
    }

    pub(crate) fn order(&self) -> EulerOrder {
        self.euler.order()
    }
}

/// Whether all angles about axes are within one turn if they are radians.
fn are_within_a_turn(table: &Table, plan: &Plan) -> bool {
    let columns = plan.nodes.iter().filter(|node| node.radians.is_none());
    let mut columns = columns.filter_map(|node| node.euler).flatten();
    columns.all(|column| table.columns[column].numbers().all(|(_, it)| it.abs() <= TAU))
}

/// The words for axes, as a list of TOML.
pub(crate) fn words_of(axes: SourceAxes) -> String {
    axes.directions().map(|direction| direction.word()).join(" ")
}

/// The axes of the program that wrote a table, by its exact columns.
fn axes_of_program(table: &Table) -> (SourceAxes, &'static str) {
    let has = |name: &str| table.columns.iter().any(|column| column.name == name);
    let is_exactly =
        |names: &[&str]| names.len() == table.columns.len() && names.iter().all(|it| has(it));
    let uxf = ["time", "pos_x", "pos_y", "pos_z", "rot_x", "rot_y", "rot_z"];
    let has_landmarks = ["landmark_name", "landmark_id", "Landmark"].iter().any(|name| has(name))
        && (has("x") && has("y") && has("z") || has("X") && has("Y") && has("Z"));
    if is_exactly(&uxf) {
        (SourceAxes::UNITY, "the columns are those of UXF, which runs in Unity")
    } else if has("eyeDataTimestamp") && has("gazeOrigin_x") {
        (SourceAxes::UNITY, "the columns are those of ARETT, which runs in Unity")
    } else if has("tracking_timestamp_us") && has("tx_world_device") {
        (SourceAxes::Z_UP, "the columns are those of Project Aria")
    } else if table.columns.iter().any(|column| column.name.starts_with("p_RS_R_x")) {
        (SourceAxes::Z_UP, "the columns are those of EuRoC")
    } else if table.version == "vicon" {
        (SourceAxes::Z_UP, "Vicon measures with Z up")
    } else if table.version == "c3d" {
        (SourceAxes::Z_UP, "motion capture usually measures with Z up")
    } else if has("gaze direction homogeneous") {
        (SourceAxes::VIEWER, "the columns are those of StreamRecorder, on HoloLens 2")
    } else if has_landmarks {
        (SourceAxes::PICTURE, "the columns are those of MediaPipe")
    } else {
        (SourceAxes::VIEWER, "nothing in the file states them")
    }
}
