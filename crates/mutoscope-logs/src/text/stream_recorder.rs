//! The columns of HoloLens 2's StreamRecorder (Microsoft's Research Mode), which writes none.

use crate::names::{HandJoint, Numbering};

/// The joints of a hand.
const JOINTS: usize = 26;

/// The numbers of a matrix.
const MATRIX: usize = 16;

/// The names of the columns of a row with this many numbers, if it is one of StreamRecorder's: the time, the
/// head, both hands with a flag each, and the gaze with a flag, homogeneous origin and direction, and the
/// distance of what it hits.
pub(super) fn names(numbers: usize) -> Option<Vec<String>> {
    const NUMBERS: usize = 1 + MATRIX + 2 * (1 + JOINTS * MATRIX) + 1 + 4 + 4 + 1;
    if numbers != NUMBERS {
        return None;
    }
    let mut names = vec!["time (100ns)".to_owned()];
    let matrix = |names: &mut Vec<String>, node: &str| {
        names.extend((0..MATRIX).map(|at| format!("{node}_m{}{}", at / 4, at % 4)));
    };
    matrix(&mut names, "head");
    for side in ["left", "right"] {
        names.push(format!("{side}_tracked"));
        for joint in 0..JOINTS {
            // Windows counts joints as OpenXR does.
            let joint = Numbering::OpenXr.joint(joint).map_or("Wrist", HandJoint::name);
            matrix(&mut names, &format!("{side}_{joint}"));
        }
    }
    names.push("gaze_tracked".to_owned());
    for quantity in ["origin", "direction"] {
        names.extend(["x", "y", "z"].map(|axis| format!("gaze_{quantity}_{axis}")));
        names.push(format!("gaze {quantity} homogeneous"));
    }
    names.push("gaze distance".to_owned());
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_where_the_recorder_writes_them() {
        let names = names(861).unwrap();
        let at = [0, 1, 17, 18, 18 + 16 * 10 + 3, 434, 435, 851, 852, 856, 860];
        let expected = [
            "time (100ns)",
            "head_m00",
            "left_tracked",
            "left_Palm_m00",
            "left_IndexTip_m03",
            "right_tracked",
            "right_Palm_m00",
            "gaze_tracked",
            "gaze_origin_x",
            "gaze_direction_x",
            "gaze distance",
        ];
        let found: Vec<_> = at.iter().map(|at| names[*at].as_str()).collect();
        assert_eq!(found, expected);
        assert!(super::names(860).is_none());
    }
}
