//! Determines axes, units and angles from the file, from the mapping, or by assumption.

use std::f64::consts::TAU;

use mutoscope_core::clip::{
    AssumedFact, Convention, EulerOrder, FactOrigin, Handedness, RotationRule, SourceAxes, Stated,
    UpAxis, ViewerMirror,
};

use crate::{
    mapping::{EulerProduct, Mapping, ThreeAngles},
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
    /// `true` if the mapping sets the unit. Units in column names are then ignored.
    is_unit_chosen: bool,
}

impl Space {
    pub(crate) fn for_table(
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
            Some(value) => Stated { value, origin: FactOrigin::Chosen },
            None if is_own => Stated::declared(SourceAxes::VIEWER),
            None if table.declared.axes.is_some() => {
                Stated::declared(table.declared.axes.unwrap_or(SourceAxes::VIEWER))
            }
            None => {
                let (value, why) = guess_axes(table);
                assume("axes", axes_label(value), why);
                Stated::assumed(value)
            }
        };
        let stated = plan.nodes.iter().find_map(|node| node.metres_per_unit);
        let stated = stated.or(table.declared.metres_per_unit);
        let metres_per_unit = match (mapping.space.metres_per_unit, stated) {
            (Some(value), _) => Stated { value, origin: FactOrigin::Chosen },
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
        let declared = table.declared.euler.as_deref().and_then(EulerProduct::parse);
        let chosen = match mapping.space.euler {
            Some(ThreeAngles::Product(product)) => Some(product),
            Some(ThreeAngles::Vector) | None => None,
        };
        let stated = chosen.or(declared);
        let euler = stated.unwrap_or(EulerProduct::UNITY);
        // Values beyond a full turn are certainly in degrees, and do not belong to a rotation
        // vector.
        let may_be_radians = is_euler_used && are_angles_within_a_turn(table, plan);
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
        let has_angles = |node: &&NodePlan| node.euler.is_some() || node.yaw_pitch.is_some();
        let are_angles_used = plan.nodes.iter().any(|node| has_angles(&node));
        let unstated =
            plan.nodes.iter().filter(has_angles).any(|node| node.radians_per_unit.is_none());
        let is_motive = table.version == "motive";
        if unstated && mapping.space.radians_per_unit.is_none() && !is_motive {
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
            radians: mapping.space.radians_per_unit.unwrap_or(1f64.to_radians()),
            are_angles_used,
            is_unit_chosen: mapping.space.metres_per_unit.is_some(),
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

    pub(crate) fn position_factor(&self, node: &NodePlan) -> f64 {
        match node.metres_per_unit.filter(|_| !self.is_unit_chosen) {
            Some(metres) => metres / self.metres_per_unit.value,
            None => 1.0,
        }
    }

    pub(crate) fn radians_per_unit(&self, node: &NodePlan) -> f64 {
        node.radians_per_unit.unwrap_or(self.radians)
    }

    pub(crate) fn euler_order(&self) -> EulerOrder {
        self.euler.to_euler_order()
    }
}

fn are_angles_within_a_turn(table: &Table, plan: &Plan) -> bool {
    let columns = plan.nodes.iter().filter(|node| node.radians_per_unit.is_none());
    let mut columns = columns.filter_map(|node| node.euler).flatten();
    columns.all(|column| table.columns[column].numbers().all(|(_, it)| it.abs() <= TAU))
}

pub(crate) fn axes_label(axes: SourceAxes) -> String {
    axes.directions().map(|direction| direction.as_str()).join(" ")
}

/// Recognises the program that wrote the table by its exact column names, and returns that
/// program's axes with the reason.
fn guess_axes(table: &Table) -> (SourceAxes, &'static str) {
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
        (SourceAxes::IMAGE, "the columns are those of MediaPipe")
    } else {
        (SourceAxes::VIEWER, "nothing in the file states them")
    }
}
