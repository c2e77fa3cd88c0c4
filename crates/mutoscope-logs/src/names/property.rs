//! Parses the property that a column name states: its axis, quantity and unit.

use super::{
    node::NodeName,
    unit::UnitWord,
    words::{Word, split_words},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Quantity {
    Position,
    Rotation,
    Euler,
    /// The rotation axis times the angle.
    RotationVector,
    Scale,
    Direction,
    /// The origin of a ray, which is its position.
    Origin,
    /// The point that a ray hits, which becomes a node of its own.
    Hit,
}

impl Quantity {
    pub(crate) fn property_name(self) -> &'static str {
        match self {
            Self::Position | Self::Origin | Self::Hit => "position",
            Self::Rotation => "rotation",
            Self::Euler => "euler",
            Self::RotationVector => "rotation_vector",
            Self::Scale => "scale",
            Self::Direction => "direction",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarProperty {
    /// A boolean, or a number that is positive while the pose is tracked.
    Tracked,
    /// A number that is negative while the pose is lost.
    Confidence,
    Radius,
    Yaw,
    Pitch,
}

#[derive(Clone, Debug)]
pub(crate) struct ColumnName {
    pub(crate) axis: Option<usize>,
    pub(crate) quantity: Option<Quantity>,
    pub(crate) scalar: Option<ScalarProperty>,
    pub(crate) unit: Option<UnitWord>,
    pub(crate) node: NodeName,
    pub(crate) frame: Option<String>,
    /// `true` if a word shows that the column is not part of a pose, for example a velocity or a
    /// pixel.
    pub(crate) is_not_pose: bool,
}

const NON_POSE_WORDS: [&str; 21] = [
    "vel",
    "velocity",
    "acc",
    "accel",
    "acceleration",
    "normal",
    "px",
    "pixel",
    "pixels",
    "screen",
    "webcam",
    "norm",
    "normalized",
    "normalised",
    "angular",
    "linear",
    "force",
    "torque",
    "gravity",
    "speed",
    "gyro",
];

impl ColumnName {
    pub(crate) fn parse(name: &str) -> Self {
        // EuRoC's column names contain the frame of reference twice.
        let name = name.replace("_RS_R_", "_RS_");
        let (name, mut unit) = split_unit(&name);
        let all = split_words(&name);
        let mut unused: Vec<bool> = vec![true; all.len()];
        let axis = if let Some(axis) = axis_in_parentheses(unit) {
            unit = None;
            Some((axis, usize::MAX))
        } else {
            take_unit(&all, &mut unused, &mut unit);
            find_axis(&all, &unused)
        };
        if let Some((_, at)) = axis.filter(|(_, at)| *at < all.len()) {
            unused[at] = false;
        }
        let unit = unit.map(UnitWord::parse).filter(|unit| *unit != UnitWord::Other);
        // The letter `n` means a normal only if the axis follows directly, as in `nx`.
        let is_normal =
            |index: usize| all[index].text == "n" && axis.is_some_and(|(_, at)| at == index + 1);
        let is_word =
            |index: usize| NON_POSE_WORDS.contains(&&*all[index].text) || is_normal(index);
        let is_not_pose = unit == Some(UnitWord::Pixels)
            || (0..all.len()).any(|index| unused[index] && is_word(index));
        let quantity = axis.and_then(|(_, at)| find_quantity(&all, &mut unused, at));
        let scalar = if axis.is_none() { find_scalar(&all, &mut unused) } else { None };
        let own = join_unused_words(&name, &all, &unused);
        let words = all.iter().zip(&unused).filter(|(_, unused)| **unused);
        let words: Vec<&str> = words.map(|(word, _)| word.text.as_str()).collect();
        let (node, frame) = NodeName::from_words(&words, &own);
        Self { axis: axis.map(|(axis, _)| axis), quantity, scalar, unit, node, frame, is_not_pose }
    }

    pub(crate) fn metres_per_unit(&self) -> Option<f64> {
        match self.unit {
            Some(UnitWord::Length(metres)) => Some(metres),
            _ => None,
        }
    }

    pub(crate) fn radians_per_unit(&self) -> Option<f64> {
        match self.unit {
            Some(UnitWord::Angle(radians)) => Some(radians),
            _ => None,
        }
    }
}

fn split_unit(name: &str) -> (String, Option<&str>) {
    let name = name.trim();
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some(inner) = name.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
        {
            let unit = inner[at + 1..].trim();
            return (name[..at].trim().to_owned(), (!unit.is_empty()).then_some(unit));
        }
    }
    (name.to_owned(), None)
}

/// Returns the axis if the parentheses contain an axis instead of a unit, as in
/// `thumbTipPosition(X)`.
fn axis_in_parentheses(unit: Option<&str>) -> Option<usize> {
    axis_index(&unit?.to_ascii_lowercase())
}

fn axis_index(word: &str) -> Option<usize> {
    ["x", "y", "z", "w"].iter().position(|axis| *axis == word)
}

/// Takes the last word as the unit, if it is one. A frame of reference may follow the unit.
fn take_unit<'a>(all: &'a [Word], unused: &mut [bool], unit: &mut Option<&'a str>) {
    let last = all.iter().rposition(|word| !matches!(&*word.text, "cpf" | "device" | "world"));
    let Some(last) = last.filter(|last| *last > 0 && unit.is_none()) else { return };
    let word = all[last].text.as_str();
    // A single `s` is a unit only after a word for time.
    let is_lone = word == "s" && !is_time_word(&all[last - 1].text);
    if UnitWord::parse_last_word(word).is_some() && !is_lone {
        *unit = Some(word);
        unused[last] = false;
    }
}

pub(super) fn is_time_word(word: &str) -> bool {
    matches!(word, "time" | "timestamp" | "stamp" | "date" | "datetime" | "elapsed" | "clock" | "t")
}

fn find_axis(all: &[Word], unused: &[bool]) -> Option<(usize, usize)> {
    let open: Vec<usize> = (0..all.len()).filter(|index| unused[*index]).collect();
    let axis = |index: usize| axis_index(&all[index].text).map(|axis| (axis, index));
    let (&first, &last) = (open.first()?, open.last()?);
    let is_fused = |index: usize| {
        open.contains(&(index + 1)) && all[index].range.end == all[index + 1].range.start
    };
    axis(last)
        .or_else(|| (open.len() > 1 && is_fused(first)).then(|| axis(first + 1)).flatten())
        .or_else(|| axis(first).filter(|_| open.len() > 1))
        .or_else(|| {
            let before = open.len().checked_sub(2).map(|index| open[index])?;
            quantity_from_word(&all[last].text).and_then(|_| axis(before))
        })
}

fn quantity_from_word(word: &str) -> Option<Quantity> {
    Some(match word {
        "position" | "pos" | "loc" | "location" | "translation" | "trans" | "coordinate"
        | "tvec" => Quantity::Position,
        "rotation" | "rot" | "orientation" | "ori" | "orient" | "quaternion" | "quat" => {
            Quantity::Rotation
        }
        "euler" | "angles" | "angle" => Quantity::Euler,
        "rvec" | "rotvec" | "rodrigues" => Quantity::RotationVector,
        "scale" => Quantity::Scale,
        "direction" | "dir" | "direct" | "forward" => Quantity::Direction,
        "origin" => Quantity::Origin,
        "hit" => Quantity::Hit,
        _ => return None,
    })
}

fn quantity_from_letter(word: &str, is_fused: bool) -> Option<Quantity> {
    Some(match word {
        "t" | "p" => Quantity::Position,
        "q" => Quantity::Rotation,
        "s" => Quantity::Scale,
        "d" => Quantity::Direction,
        // A separate `r` more often means the right side.
        "r" if is_fused => Quantity::Euler,
        _ => return None,
    })
}

/// Looks for the quantity next to the axis, then in the first word, then in all other words of
/// several letters.
fn find_quantity(all: &[Word], unused: &mut [bool], axis: usize) -> Option<Quantity> {
    let open = |index: &usize| *index < all.len() && unused[*index];
    let beside = [axis.checked_sub(1), axis.checked_add(1)];
    let beside = beside.into_iter().flatten().filter(open);
    let near: Vec<usize> = beside.chain((!all.is_empty()).then_some(0).filter(open)).collect();
    let whole = near.iter().copied().chain((0..all.len()).rev().filter(open));
    let mut found = None;
    for index in whole {
        if let Some(quantity) = quantity_from_word(&all[index].text) {
            found = Some((quantity, index));
            break;
        }
    }
    if found.is_none() {
        for index in near {
            let is_fused = axis.checked_sub(1) == Some(index)
                && axis < all.len()
                && all[index].range.end == all[axis].range.start;
            if let Some(quantity) = quantity_from_letter(&all[index].text, is_fused) {
                found = Some((quantity, index));
                break;
            }
        }
    }
    if let Some(both) = find_rotation_vector(all, unused) {
        both.into_iter().for_each(|index| unused[index] = false);
        return Some(Quantity::RotationVector);
    }
    let is_of_gaze = all.iter().any(|word| matches!(&*word.text, "gaze" | "hit"));
    let point = all.iter().rposition(|word| word.text == "point").filter(|_| is_of_gaze);
    match (found, point.filter(|point| unused[*point])) {
        (Some((Quantity::Hit, at)), point) => {
            unused[at] = false;
            if let Some(point) = point {
                unused[point] = false;
            }
            Some(Quantity::Hit)
        }
        (Some((Quantity::Position, at)), Some(point)) => {
            (unused[at], unused[point]) = (false, false);
            Some(Quantity::Hit)
        }
        (None, Some(point)) => {
            unused[point] = false;
            Some(Quantity::Hit)
        }
        (Some((quantity, at)), _) => {
            unused[at] = false;
            // Use up all words for this quantity, because a name may contain two of them, as in
            // `euler angles`.
            for (word, unused) in all.iter().zip(unused.iter_mut()) {
                *unused &= quantity_from_word(&word.text) != Some(quantity);
            }
            Some(quantity)
        }
        (None, None) => None,
    }
}

fn find_rotation_vector(all: &[Word], unused: &[bool]) -> Option<[usize; 2]> {
    let is_pair = |first: usize| {
        let [one, other] = [first, first + 1].map(|index| all[index].text.as_str());
        unused[first]
            && unused[first + 1]
            && matches!(
                (one, other),
                ("rotation" | "rot" | "rodrigues", "vector" | "vec")
                    | ("axis", "angle")
                    | ("angle", "axis")
            )
    };
    let first = (1..all.len()).map(|second| second - 1).find(|first| is_pair(*first))?;
    Some([first, first + 1])
}

fn find_scalar(all: &[Word], unused: &mut [bool]) -> Option<ScalarProperty> {
    let mut found = None;
    for index in 0..all.len() {
        let after = all.get(index + 1).map(|word| word.text.as_str());
        let flag = match (all[index].text.as_str(), after) {
            ("tracked" | "valid" | "visible" | "shown" | "istracked" | "isvalid", _)
            | ("has", Some("value")) => ScalarProperty::Tracked,
            ("confidence", _) => ScalarProperty::Confidence,
            ("radius", _) => ScalarProperty::Radius,
            ("yaw" | "azimuth", _) => ScalarProperty::Yaw,
            ("pitch" | "elevation", _) => ScalarProperty::Pitch,
            _ => continue,
        };
        found = Some((flag, index));
    }
    let (flag, at) = found?;
    unused[at] = false;
    for (index, word) in all.iter().enumerate() {
        let is_part = match word.text.as_str() {
            "is" | "has" | "tracking" => true,
            "value" => index == at + 1,
            _ => false,
        };
        unused[index] &= !is_part;
    }
    Some(flag)
}

fn join_unused_words(name: &str, all: &[Word], unused: &[bool]) -> String {
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for index in (0..all.len()).filter(|index| unused[*index]) {
        if let Some(last) = last {
            // Use the separator after the previous word. If that separator is empty, use the
            // separator before this word.
            let behind = &name[all[last].range.end..all[last + 1].range.start];
            let before = &name[all[index - 1].range.end..all[index].range.start];
            text.push_str(if behind.is_empty() { before } else { behind });
        }
        text.push_str(&name[all[index].range.clone()]);
        last = Some(index);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> (Option<usize>, Option<Quantity>, String) {
        let name = ColumnName::parse(name);
        (name.axis, name.quantity, name.node.name_on_side(None))
    }

    #[test]
    fn parses_axis_quantity_and_node_in_any_order() {
        use Quantity::{Direction, Euler, Hit, Origin, Position, Rotation, RotationVector};
        let cases = [
            ("x", Some(0), None, "pose"),
            ("pos_y", Some(1), Some(Position), "pose"),
            ("rot_w", Some(3), Some(Rotation), "pose"),
            ("LeftHand_IndexTip_x", Some(0), None, "left/IndexTip"),
            ("R_Index_Tip.rotation.w", Some(3), Some(Rotation), "right/IndexTip"),
            ("lhand_qx", Some(0), Some(Rotation), "left/hand"),
            ("tx_world_device", Some(0), Some(Position), "world_device"),
            ("x_unity", Some(0), None, "unity"),
            ("t_wo_x[m]", Some(0), Some(Position), "wo"),
            ("p_RS_R_x [m]", Some(0), Some(Position), "RS"),
            ("q_RS_w []", Some(3), Some(Rotation), "RS"),
            ("GameObject_Cup_xPos", Some(0), Some(Position), "GameObject_Cup"),
            ("GameObject_Cup_yRot", Some(1), Some(Rotation), "GameObject_Cup"),
            ("gaze_origin_L.x(mm)", Some(0), Some(Origin), "left/gaze"),
            ("gaze_direct_R.z", Some(2), Some(Direction), "right/gaze"),
            ("gazePoint_x", Some(0), Some(Hit), "gaze"),
            ("gazePoint_target_x", Some(0), Some(Hit), "gaze_target"),
            ("left.IndexTip.p.x", Some(0), Some(Position), "left/IndexTip"),
            ("head_rx", Some(0), Some(Euler), "head"),
            ("rvec_y", Some(1), Some(RotationVector), "pose"),
            ("tvecX", Some(0), Some(Position), "pose"),
            ("head_rotation_vector_z", Some(2), Some(RotationVector), "head"),
            ("cup.axisAngle.x", Some(0), Some(RotationVector), "cup"),
            ("rotvecx", Some(0), Some(RotationVector), "pose"),
            ("thumbTipPosition(X)", Some(0), Some(Position), "ThumbTip"),
            ("lwrist_px", Some(0), Some(Position), "left/Wrist"),
            ("HeadPosX", Some(0), Some(Position), "head"),
            ("LHandRotW", Some(3), Some(Rotation), "left/hand"),
            ("Héad_x", Some(0), None, "Héad"),
        ];
        for (name, axis, quantity, node) in cases {
            assert_eq!(of(name), (axis, quantity, node.to_owned()), "{name}");
        }
    }

    #[test]
    fn parses_scalars_units_and_frames() {
        let flag = |name: &str| {
            let name = ColumnName::parse(name);
            (name.scalar, name.node.name_on_side(None))
        };
        assert_eq!(flag("gazeHasValue"), (Some(ScalarProperty::Tracked), "gaze".to_owned()));
        assert_eq!(flag("eye_valid_L"), (Some(ScalarProperty::Tracked), "left/eye".to_owned()));
        assert_eq!(
            flag("left_tracking_confidence"),
            (Some(ScalarProperty::Confidence), "left/hand".to_owned())
        );
        assert_eq!(flag("azimuth [deg]"), (Some(ScalarProperty::Yaw), "pose".to_owned()));
        assert_eq!(flag("LeftPinch").0, None);
        assert_eq!(ColumnName::parse("yaw_rads_cpf").radians_per_unit(), Some(1.0));
        assert_eq!(ColumnName::parse("gaze_origin_L.x(mm)").metres_per_unit(), Some(0.001));
        assert_eq!(ColumnName::parse("tx_left_wrist_device").frame.as_deref(), Some("device"));
        assert!(ColumnName::parse("gaze x [px]").is_not_pose);
        assert!(ColumnName::parse("Index_Tip_Vel_X").is_not_pose);
        assert!(ColumnName::parse("nx_left_palm_device").is_not_pose);
    }
}
