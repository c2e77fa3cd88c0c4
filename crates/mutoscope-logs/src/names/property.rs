//! The property that the name of a column means: its axis, quantity and unit.

use super::{
    node::NodeName,
    unit::UnitWord,
    words::{Word, words},
};

/// A quantity with components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Quantity {
    Position,
    Rotation,
    Euler,
    /// The axis times the angle.
    RotationVector,
    Scale,
    Direction,
    /// The origin of a ray: its position.
    Origin,
    /// The point that a ray hits: a node of its own.
    Hit,
}

impl Quantity {
    /// The word for it in properties.
    pub(crate) fn word(self) -> &'static str {
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

/// A property without components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flag {
    /// Yes or no, or a number that is not negative.
    Tracked,
    /// A number that is negative where a pose is lost.
    Confidence,
    Radius,
    Yaw,
    Pitch,
}

/// The name of a column, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct ColumnName {
    /// The index of the component: 0 is x.
    pub(crate) axis: Option<usize>,
    pub(crate) quantity: Option<Quantity>,
    pub(crate) flag: Option<Flag>,
    pub(crate) unit: Option<UnitWord>,
    pub(crate) node: NodeName,
    /// The words for a frame of reference beside a known node.
    pub(crate) frame: Option<String>,
    /// Whether a word says that it is no pose: a velocity, a pixel.
    pub(crate) is_no_pose: bool,
}

const NO_POSE: [&str; 21] = [
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
    /// Takes a name apart.
    pub(crate) fn of(name: &str) -> Self {
        // EuRoC writes the frame of reference once more.
        let name = name.replace("_RS_R_", "_RS_");
        let (name, mut unit) = without_unit(&name);
        let all = words(&name);
        let mut left: Vec<bool> = vec![true; all.len()];
        let axis = if let Some(axis) = axis_in_parentheses(unit) {
            unit = None;
            Some((axis, usize::MAX))
        } else {
            cut_unit(&all, &mut left, &mut unit);
            find_axis(&all, &left)
        };
        if let Some((_, at)) = axis.filter(|(_, at)| *at < all.len()) {
            left[at] = false;
        }
        let unit = unit.map(UnitWord::of).filter(|unit| *unit != UnitWord::Other);
        // A letter alone is a normal only right before its axis: `nx`.
        let is_normal =
            |index: usize| all[index].text == "n" && axis.is_some_and(|(_, at)| at == index + 1);
        let is_word = |index: usize| NO_POSE.contains(&&*all[index].text) || is_normal(index);
        let is_no_pose = unit == Some(UnitWord::Pixels)
            || (0..all.len()).any(|index| left[index] && is_word(index));
        let quantity = axis.and_then(|(_, at)| find_quantity(&all, &mut left, at));
        let flag = if axis.is_none() { find_flag(&all, &mut left) } else { None };
        let own = joined(&name, &all, &left);
        let words = all.iter().zip(&left).filter(|(_, left)| **left);
        let words: Vec<&str> = words.map(|(word, _)| word.text.as_str()).collect();
        let (node, frame) = NodeName::of(&words, &own);
        Self { axis: axis.map(|(axis, _)| axis), quantity, flag, unit, node, frame, is_no_pose }
    }

    /// The length in metres of its unit of length, if it states one.
    pub(crate) fn metres(&self) -> Option<f64> {
        match self.unit {
            Some(UnitWord::Length(metres)) => Some(metres),
            _ => None,
        }
    }

    /// The radians of its unit of angle, if it states one.
    pub(crate) fn radians(&self) -> Option<f64> {
        match self.unit {
            Some(UnitWord::Angle(radians)) => Some(radians),
            _ => None,
        }
    }
}

/// A name without what stands in brackets at its end, and that.
fn without_unit(name: &str) -> (String, Option<&str>) {
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

/// An axis where a unit usually stands: `thumbTipPosition(X)`.
fn axis_in_parentheses(unit: Option<&str>) -> Option<usize> {
    axis_of(&unit?.to_ascii_lowercase())
}

fn axis_of(word: &str) -> Option<usize> {
    ["x", "y", "z", "w"].iter().position(|axis| *axis == word)
}

/// Cuts off a unit that is the last word, or the last before a frame of reference.
fn cut_unit<'a>(all: &'a [Word], left: &mut [bool], unit: &mut Option<&'a str>) {
    let last = all.iter().rposition(|word| !matches!(&*word.text, "cpf" | "device" | "world"));
    let Some(last) = last.filter(|last| *last > 0 && unit.is_none()) else { return };
    let word = all[last].text.as_str();
    // A single letter is a unit of time only behind a word of time.
    let is_lone = word == "s" && !is_time_word(&all[last - 1].text);
    if UnitWord::of_last_word(word).is_some() && !is_lone {
        *unit = Some(word);
        left[last] = false;
    }
}

/// Whether a word is one of time.
pub(super) fn is_time_word(word: &str) -> bool {
    matches!(word, "time" | "timestamp" | "stamp" | "date" | "datetime" | "elapsed" | "clock" | "t")
}

/// The component, and the index of its word.
fn find_axis(all: &[Word], left: &[bool]) -> Option<(usize, usize)> {
    let open: Vec<usize> = (0..all.len()).filter(|index| left[*index]).collect();
    let axis = |index: usize| axis_of(&all[index].text).map(|axis| (axis, index));
    let (&first, &last) = (open.first()?, open.last()?);
    let is_fused = |index: usize| {
        open.contains(&(index + 1)) && all[index].place.end == all[index + 1].place.start
    };
    axis(last)
        .or_else(|| (open.len() > 1 && is_fused(first)).then(|| axis(first + 1)).flatten())
        .or_else(|| axis(first).filter(|_| open.len() > 1))
        .or_else(|| {
            let before = open.len().checked_sub(2).map(|index| open[index])?;
            quantity_of(&all[last].text).and_then(|_| axis(before))
        })
}

/// The quantity of a word of several letters.
fn quantity_of(word: &str) -> Option<Quantity> {
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

/// The quantity of a single letter.
fn quantity_of_letter(word: &str, is_fused: bool) -> Option<Quantity> {
    Some(match word {
        "t" | "p" => Quantity::Position,
        "q" => Quantity::Rotation,
        "s" => Quantity::Scale,
        "d" => Quantity::Direction,
        // Apart, it is more often the right side.
        "r" if is_fused => Quantity::Euler,
        _ => return None,
    })
}

/// Finds the quantity beside the axis, as the first word, or anywhere if it is a whole word.
fn find_quantity(all: &[Word], left: &mut [bool], axis: usize) -> Option<Quantity> {
    let open = |index: &usize| *index < all.len() && left[*index];
    let beside = [axis.checked_sub(1), axis.checked_add(1)];
    let beside = beside.into_iter().flatten().filter(open);
    let near: Vec<usize> = beside.chain((!all.is_empty()).then_some(0).filter(open)).collect();
    let whole = near.iter().copied().chain((0..all.len()).rev().filter(open));
    let mut found = None;
    for index in whole {
        if let Some(quantity) = quantity_of(&all[index].text) {
            found = Some((quantity, index));
            break;
        }
    }
    if found.is_none() {
        for index in near {
            let is_fused = axis.checked_sub(1) == Some(index)
                && axis < all.len()
                && all[index].place.end == all[axis].place.start;
            if let Some(quantity) = quantity_of_letter(&all[index].text, is_fused) {
                found = Some((quantity, index));
                break;
            }
        }
    }
    if let Some(both) = find_rotation_vector(all, left) {
        both.into_iter().for_each(|index| left[index] = false);
        return Some(Quantity::RotationVector);
    }
    let is_of_gaze = all.iter().any(|word| matches!(&*word.text, "gaze" | "hit"));
    let point = all.iter().rposition(|word| word.text == "point").filter(|_| is_of_gaze);
    match (found, point.filter(|point| left[*point])) {
        (Some((Quantity::Hit, at)), point) => {
            left[at] = false;
            if let Some(point) = point {
                left[point] = false;
            }
            Some(Quantity::Hit)
        }
        (Some((Quantity::Position, at)), Some(point)) => {
            (left[at], left[point]) = (false, false);
            Some(Quantity::Hit)
        }
        (None, Some(point)) => {
            left[point] = false;
            Some(Quantity::Hit)
        }
        (Some((quantity, at)), _) => {
            left[at] = false;
            // `euler angles` and the like are one quantity.
            for (word, left) in all.iter().zip(left.iter_mut()) {
                *left &= quantity_of(&word.text) != Some(quantity);
            }
            Some(quantity)
        }
        (None, None) => None,
    }
}

/// The two words of a rotation vector: `rotation vector`, `axis angle`.
fn find_rotation_vector(all: &[Word], left: &[bool]) -> Option<[usize; 2]> {
    let is_pair = |first: usize| {
        let [one, other] = [first, first + 1].map(|index| all[index].text.as_str());
        left[first]
            && left[first + 1]
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

/// Finds a property without components.
fn find_flag(all: &[Word], left: &mut [bool]) -> Option<Flag> {
    let mut found = None;
    for index in 0..all.len() {
        let after = all.get(index + 1).map(|word| word.text.as_str());
        let flag = match (all[index].text.as_str(), after) {
            ("tracked" | "valid" | "visible" | "shown" | "istracked" | "isvalid", _)
            | ("has", Some("value")) => Flag::Tracked,
            ("confidence", _) => Flag::Confidence,
            ("radius", _) => Flag::Radius,
            ("yaw" | "azimuth", _) => Flag::Yaw,
            ("pitch" | "elevation", _) => Flag::Pitch,
            _ => continue,
        };
        found = Some((flag, index));
    }
    let (flag, at) = found?;
    left[at] = false;
    for (index, word) in all.iter().enumerate() {
        let is_part = match word.text.as_str() {
            "is" | "has" | "tracking" => true,
            "value" => index == at + 1,
            _ => false,
        };
        left[index] &= !is_part;
    }
    Some(flag)
}

/// The part of a name with these words, and what stands between them.
fn joined(name: &str, all: &[Word], left: &[bool]) -> String {
    let mut text = String::new();
    let mut last: Option<usize> = None;
    for index in (0..all.len()).filter(|index| left[*index]) {
        if let Some(last) = last {
            // What stands behind the last word, or, where that is nothing, before this one.
            let behind = &name[all[last].place.end..all[last + 1].place.start];
            let before = &name[all[index - 1].place.end..all[index].place.start];
            text.push_str(if behind.is_empty() { before } else { behind });
        }
        text.push_str(&name[all[index].place.clone()]);
        last = Some(index);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> (Option<usize>, Option<Quantity>, String) {
        let name = ColumnName::of(name);
        (name.axis, name.quantity, name.node.text(None))
    }

    #[test]
    fn names_have_axis_quantity_and_node_in_any_order() {
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
    fn flags_units_and_frames_are_known() {
        let flag = |name: &str| {
            let name = ColumnName::of(name);
            (name.flag, name.node.text(None))
        };
        assert_eq!(flag("gazeHasValue"), (Some(Flag::Tracked), "gaze".to_owned()));
        assert_eq!(flag("eye_valid_L"), (Some(Flag::Tracked), "left/eye".to_owned()));
        assert_eq!(
            flag("left_tracking_confidence"),
            (Some(Flag::Confidence), "left/hand".to_owned())
        );
        assert_eq!(flag("azimuth [deg]"), (Some(Flag::Yaw), "pose".to_owned()));
        assert_eq!(flag("LeftPinch").0, None);
        assert_eq!(ColumnName::of("yaw_rads_cpf").radians(), Some(1.0));
        assert_eq!(ColumnName::of("gaze_origin_L.x(mm)").metres(), Some(0.001));
        assert_eq!(ColumnName::of("tx_left_wrist_device").frame.as_deref(), Some("device"));
        assert!(ColumnName::of("gaze x [px]").is_no_pose);
        assert!(ColumnName::of("Index_Tip_Vel_X").is_no_pose);
        assert!(ColumnName::of("nx_left_palm_device").is_no_pose);
    }
}
