//! Parses column names into object, quantity, component, unit and frame of reference.

use super::{
    node::NodeName,
    unit::{UnitWord, is_unit},
    vocabulary::VOCABULARY,
    words::{Word, split_words},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Quantity {
    Position,
    /// A quaternion, or Euler angles if there is no w.
    Rotation,
    Quaternion,
    Euler,
    /// The rotation axis times the angle.
    RotationVector,
    Scale,
    Direction,
    /// The origin of a ray, which is its position.
    Origin,
    /// The point that a ray hits, which becomes a node of its own.
    Hit,
    /// A direction if its length is 1.
    Vector,
}

impl Quantity {
    pub(crate) fn property_name(self) -> &'static str {
        match self {
            Self::Position | Self::Origin | Self::Hit => "position",
            Self::Rotation | Self::Quaternion => "rotation",
            Self::Euler => "euler",
            Self::RotationVector => "rotation_vector",
            Self::Scale => "scale",
            Self::Direction | Self::Vector => "direction",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarProperty {
    /// A boolean, or a number that is positive while the pose is tracked.
    Tracked,
    /// A number that is negative while the pose is lost.
    Confidence,
    /// A word that may say whether the pose is tracked.
    State,
    /// A value that may say whether the pose is lost.
    Unclear,
    Radius,
    Yaw,
    Pitch,
    Roll,
}

#[derive(Clone, Debug)]
pub(crate) struct ColumnName {
    /// The component: 0 for x to 3 for w.
    pub(crate) axis: Option<usize>,
    /// The number of a component that has no letter, such as 2 in `q2` and `C7[2]`.
    pub(crate) index: Option<usize>,
    pub(crate) quantity: Option<Quantity>,
    pub(crate) scalar: Option<ScalarProperty>,
    pub(crate) unit: Option<UnitWord>,
    pub(crate) node: NodeName,
    /// The words for the object as the file writes them, with the number of a repeated column.
    pub(crate) object: String,
    /// The name without the component and the unit. Columns of one vector have the same spelling.
    pub(crate) spelling: String,
    pub(crate) frame: Option<String>,
    /// `true` if a word or the unit shows that the column is not part of a pose, for example a
    /// velocity or a pixel.
    pub(crate) is_not_pose: bool,
    /// The unit in brackets, if it is not known and nothing else shows that the column is not part
    /// of a pose.
    pub(crate) unknown_unit: Option<String>,
}

impl ColumnName {
    pub(crate) fn parse(name: &str) -> Self {
        // EuRoC's column names contain the frame of reference twice.
        let name = name.trim().replace("_RS_R_", "_RS_");
        let (name, copy) = split_copy_number(&name);
        let (name, suffix) = split_suffix(name);
        let mut all = split_words(name);
        all.retain(|word| !VOCABULARY.noise.has(&word.text));
        let mut unused = vec![true; all.len()];
        let (mut axis, mut index, mut unit) = (None, None, None);
        let mut of_suffix = None;
        match suffix {
            Some(suffix) if axis_index(&suffix.text.to_lowercase()).is_some() => {
                axis = axis_index(&suffix.text.to_lowercase()).map(|axis| (axis, usize::MAX));
            }
            Some(suffix) if suffix.is_square && suffix.text.parse::<usize>().is_ok() => {
                index = suffix.text.parse().ok();
            }
            Some(suffix) if !suffix.text.is_empty() => {
                unit = Some(UnitWord::parse(suffix.text));
                of_suffix = Some(suffix).filter(|_| unit == Some(UnitWord::Other));
            }
            _ => {}
        }
        if suffix.is_none() {
            unit = take_unit(&all, &mut unused);
        }
        if axis.is_none() && index.is_none() {
            axis = find_axis(&all, &unused);
        }
        if let Some((_, at)) = axis.filter(|(_, at)| *at < all.len()) {
            unused[at] = false;
        }
        if axis.is_none() && index.is_none() {
            index = take_number(&all, &mut unused);
        }
        // So far, only the unit and the component are used.
        let spelling = spell(name, &all, &unused) + copy.unwrap_or_default();
        // The letter `n` means a normal only if the axis follows directly, as in `nx`.
        let is_normal =
            |index: usize| all[index].text == "n" && axis.is_some_and(|(_, at)| at == index + 1);
        let is_other = |index: usize| VOCABULARY.other.has(&all[index].text) || is_normal(index);
        let mut is_not_pose = (0..all.len()).any(|index| unused[index] && is_other(index));
        let at = axis.map(|(_, at)| at).or(index.map(|_| usize::MAX));
        let quantity = at.and_then(|at| take_quantity(&all, &mut unused, at));
        let scalar = if at.is_none() { take_scalar(&all, &mut unused) } else { None };
        let mut object = join_unused_words(name, &all, &unused);
        let words = all.iter().zip(&unused).filter(|(_, unused)| **unused);
        let mut words: Vec<&str> = words.map(|(word, _)| word.text.as_str()).collect();
        let in_parentheses = of_suffix.map(|suffix| split_words(suffix.text)).unwrap_or_default();
        let mut unknown_unit = None;
        if let Some(suffix) = of_suffix {
            // Text in parentheses is the object if no other word is, as in `x (Cube)`.
            if !suffix.is_square && words.is_empty() && !is_unit(suffix.text) {
                words = in_parentheses.iter().map(|word| word.text.as_str()).collect();
                suffix.text.clone_into(&mut object);
                unit = None;
            } else {
                let is_known = is_unit(suffix.text)
                    || in_parentheses.iter().any(|word| VOCABULARY.other.has(&word.text));
                unknown_unit = (!is_known && !is_not_pose).then(|| suffix.text.to_owned());
                is_not_pose = true;
            }
        }
        if let Some(copy) = copy {
            object = format!("{object} {copy}").trim_start().to_owned();
        }
        let (node, frame) = NodeName::from_words(&words, &object);
        let axis = axis.map(|(axis, _)| axis);
        Self {
            axis,
            index,
            quantity,
            scalar,
            unit,
            node,
            object,
            spelling,
            frame,
            is_not_pose,
            unknown_unit,
        }
    }

    pub(crate) fn component(&self) -> Option<usize> {
        self.axis.or(self.index)
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

/// Joins the unused words and the text between all words, in lower case.
fn spell(name: &str, all: &[Word], unused: &[bool]) -> String {
    let mut text = String::new();
    let mut end = 0;
    for (word, unused) in all.iter().zip(unused) {
        text.push_str(&name[end..word.range.start]);
        text.push_str(if *unused { &word.text } else { "*" });
        end = word.range.end;
    }
    text.push_str(&name[end..]);
    text.to_lowercase()
}

/// Splits off the number that makes a repeated column name unique, as in `head_x (2)`.
fn split_copy_number(name: &str) -> (&str, Option<&str>) {
    let copy = name.rfind(" (").filter(|at| {
        let number = name[at + 2..].strip_suffix(')').unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    match copy {
        Some(at) => (&name[..at], Some(&name[at + 1..])),
        None => (name, None),
    }
}

/// Text in brackets at the end of a name.
#[derive(Clone, Copy, Debug)]
struct Suffix<'a> {
    text: &'a str,
    is_square: bool,
}

fn split_suffix(name: &str) -> (&str, Option<Suffix<'_>>) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some(inner) = name.strip_suffix(close)
            && let Some(at) = inner.rfind(open)
        {
            let suffix = Suffix { text: inner[at + 1..].trim(), is_square: open == '[' };
            return (name[..at].trim(), Some(suffix));
        }
    }
    (name, None)
}

fn axis_index(word: &str) -> Option<usize> {
    ["x", "y", "z", "w"].iter().position(|axis| *axis == word)
}

/// Takes the last word as the unit, if it is one. A frame of reference may follow the unit.
fn take_unit(all: &[Word], unused: &mut [bool]) -> Option<UnitWord> {
    let frames = &VOCABULARY.frames;
    let is_frame = |word: &Word| frames.any.has(&word.text) || frames.known.has(&word.text);
    let last = all.iter().rposition(|word| !is_frame(word)).filter(|last| *last > 0)?;
    let before = last - 1;
    let is_before_axis = before > 0 && axis_index(&all[last].text).is_some();
    if is_before_axis && VOCABULARY.units.words.has(&all[before].text) {
        unused[before] = false;
        return Some(UnitWord::parse(&all[before].text));
    }
    let word = all[last].text.as_str();
    // A single `s` is a unit only after a word for time.
    let is_lone = word == "s" && !super::is_time_word(&all[last - 1].text);
    let unit = UnitWord::parse_last_word(word).filter(|_| !is_lone)?;
    unused[last] = false;
    Some(unit)
}

fn find_axis(all: &[Word], unused: &[bool]) -> Option<(usize, usize)> {
    let open: Vec<usize> = (0..all.len()).filter(|index| unused[*index]).collect();
    let axis = |index: usize| axis_index(&all[index].text).map(|axis| (axis, index));
    let (&first, &last) = (open.first()?, open.last()?);
    let is_fused =
        |index: usize| open.contains(&(index + 1)) && all[index].touches(&all[index + 1]);
    let is_quantity = |index: usize| VOCABULARY.quantity_at(all, index).is_some();
    axis(last)
        .or_else(|| (open.len() > 1 && is_fused(first)).then(|| axis(first + 1)).flatten())
        .or_else(|| axis(first).filter(|_| open.len() > 1))
        .or_else(|| {
            let before = open.len().checked_sub(2).map(|index| open[index])?;
            axis(before).filter(|_| is_quantity(last))
        })
}

/// Takes a number after a quantity as the component, as in `q0` and `position_2`.
fn take_number(all: &[Word], unused: &mut [bool]) -> Option<usize> {
    let last = all.len().checked_sub(1).filter(|last| *last > 0 && unused[*last])?;
    let number: usize = all[last].text.parse().ok().filter(|number| *number <= 4)?;
    let before = last - 1;
    let is_letter = all[before].text == "q" && all[before].touches(&all[last]);
    let is_quantity = |start: usize| {
        VOCABULARY.quantity_at(all, start).is_some_and(|(_, length)| start + length == last)
    };
    let follows_quantity = is_letter || (before.saturating_sub(1)..last).any(is_quantity);
    unused[last] &= !follows_quantity;
    follows_quantity.then_some(number)
}

/// Takes the words for the quantity. The quantity next to the axis applies. Otherwise, all
/// quantities in the name must be the same.
fn take_quantity(all: &[Word], unused: &mut [bool], axis: usize) -> Option<Quantity> {
    use Quantity::{
        Direction, Euler, Hit, Origin, Position, Quaternion, Rotation, RotationVector, Vector,
    };
    let mut found: Vec<(Quantity, std::ops::Range<usize>)> = Vec::new();
    let mut start = 0;
    while start < all.len() {
        match VOCABULARY.quantity_at(all, start).filter(|_| unused[start]) {
            Some((quantity, length)) => {
                found.push((quantity, start..start + length));
                start += length;
            }
            None => start += 1,
        }
    }
    let is_of_gaze = |word: &Word| {
        VOCABULARY.nodes.gaze.has(&word.text)
            || VOCABULARY.quantity_at(std::slice::from_ref(word), 0).is_some_and(|it| it.0 == Hit)
    };
    let point = all.iter().rposition(|word| VOCABULARY.nodes.point.has(&word.text));
    if let Some(point) = point.filter(|point| unused[*point] && all.iter().any(is_of_gaze)) {
        found.push((Hit, point..point + 1));
    }
    let has = |quantity: Quantity| found.iter().any(|(own, _)| *own == quantity);
    let is_only = |allowed: &[Quantity]| found.iter().all(|(own, _)| allowed.contains(own));
    let near =
        found.iter().filter(|(_, range)| range.end == axis || range.start == axis.wrapping_add(1));
    let near = near.map(|(quantity, _)| *quantity).next_back();
    let near = near.or_else(|| {
        // A name without an axis word ends with the quantity, as in `position[0]`.
        found.last().filter(|(_, range)| axis >= all.len() && range.end == all.len()).map(|it| it.0)
    });
    let (quantity, used) = match near.or(found.first().map(|it| it.0)) {
        None => return take_letter(all, unused, axis),
        Some(_) if has(Hit) && is_only(&[Hit, Position]) => (Hit, vec![Hit, Position]),
        Some(_) if has(Origin) && is_only(&[Origin, Position, Direction]) => {
            (Origin, vec![Origin, Position, Direction])
        }
        Some(_) if has(RotationVector) => (RotationVector, vec![RotationVector, Rotation, Vector]),
        Some(_) if has(Euler) && is_only(&[Euler, Rotation]) => (Euler, vec![Euler, Rotation]),
        Some(_) if has(Quaternion) && is_only(&[Quaternion, Rotation]) => {
            (Quaternion, vec![Quaternion, Rotation])
        }
        Some(Vector) if has(Direction) => (Direction, vec![Direction, Vector]),
        Some(Vector) if has(Position) => (Position, vec![Position, Vector]),
        Some(quantity) => (quantity, vec![quantity, Vector]),
    };
    for (own, range) in found {
        if used.contains(&own) {
            range.for_each(|index| unused[index] = false);
        }
    }
    Some(quantity)
}

/// Takes a letter next to the axis, or at the start of the name, as the quantity.
fn take_letter(all: &[Word], unused: &mut [bool], axis: usize) -> Option<Quantity> {
    let near = [axis.checked_sub(1), axis.checked_add(1), Some(0)];
    let near = near.into_iter().flatten();
    for index in near.filter(|index| *index < all.len()).collect::<Vec<_>>() {
        let is_fused = index + 1 == axis && axis < all.len() && all[index].touches(&all[axis]);
        // `q0` has no axis word.
        let letter = VOCABULARY.quantity_of_letter(&all[index].text, is_fused);
        if let Some(quantity) = letter.filter(|_| unused[index]) {
            unused[index] = false;
            return Some(quantity);
        }
    }
    let last =
        all.len().checked_sub(2).filter(|last| axis >= all.len() && all[*last].text == "q")?;
    unused[last] = false;
    Some(Quantity::Quaternion)
}

fn take_scalar(all: &[Word], unused: &mut [bool]) -> Option<ScalarProperty> {
    let (flags, angles) = (&VOCABULARY.flags, &VOCABULARY.angles);
    let lists = [
        (ScalarProperty::Unclear, &flags.unclear),
        (ScalarProperty::State, &flags.state),
        (ScalarProperty::Tracked, &flags.tracked),
        (ScalarProperty::Confidence, &flags.confidence),
        (ScalarProperty::Radius, &flags.radius),
        (ScalarProperty::Yaw, &angles.yaw),
        (ScalarProperty::Pitch, &angles.pitch),
        (ScalarProperty::Roll, &angles.roll),
    ];
    let found = lists.into_iter().filter_map(|(scalar, list)| Some((list.find_last(all)?, scalar)));
    // A word such as `state` applies only if no other property is named, as it is in `tracked_state`.
    let ([first, last], scalar) = found.max_by_key(|([first, last], scalar)| {
        (*scalar != ScalarProperty::State, *last, last - first)
    })?;
    let is_vague = matches!(scalar, ScalarProperty::State | ScalarProperty::Unclear);
    if is_vague && !all[last + 1..].iter().all(|word| flags.beside.has(&word.text)) {
        return None;
    }
    for (index, word) in all.iter().enumerate() {
        let is_part = (first..=last).contains(&index) || flags.beside.has(&word.text);
        unused[index] &= !is_part;
    }
    Some(scalar)
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
    // Unity names copies `Cube (1)`, and NumPy names items `joints[1]`.
    for (open, close) in [('(', ')'), ('[', ']')] {
        if text.matches(open).count() > text.matches(close).count() {
            text.push(close);
        }
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
        use Quantity::{
            Direction, Euler, Hit, Origin, Position, Quaternion, Rotation, RotationVector,
        };
        let cases = [
            ("x", Some(0), None, "pose"),
            ("pos_y", Some(1), Some(Position), "pose"),
            ("rot_w", Some(3), Some(Rotation), "pose"),
            ("LeftHand_IndexTip_x", Some(0), None, "left/IndexTip"),
            ("R_Index_Tip.rotation.w", Some(3), Some(Rotation), "right/IndexTip"),
            ("lhand_qx", Some(0), Some(Quaternion), "left/hand"),
            ("tx_world_device", Some(0), Some(Position), "world_device"),
            ("x_unity", Some(0), None, "unity"),
            ("t_wo_x[m]", Some(0), Some(Position), "wo"),
            ("p_RS_R_x [m]", Some(0), Some(Position), "RS"),
            ("q_RS_w []", Some(3), Some(Quaternion), "RS"),
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
            (Some(ScalarProperty::Confidence), "left/pose".to_owned())
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
