//! Names the columns of StreamRecorder (Microsoft's Research Mode for HoloLens 2), which writes no
//! header.

use crate::numbering::Numbering;

const JOINTS_PER_HAND: usize = 26;

const MATRIX_ELEMENTS: usize = 16;

/// Returns the column names of a row if it is as long as a row of StreamRecorder. The row holds the
/// time and the head, then a flag and the joints of each hand. The gaze follows: a flag, a
/// homogeneous origin and direction, and the distance of the hit.
pub(super) fn column_names(numbers: usize) -> Option<Vec<String>> {
    const COLUMNS: usize =
        1 + MATRIX_ELEMENTS + 2 * (1 + JOINTS_PER_HAND * MATRIX_ELEMENTS) + 1 + 4 + 4 + 1;
    if numbers != COLUMNS {
        return None;
    }
    let mut names = vec!["time (100ns)".to_owned()];
    let matrix = |names: &mut Vec<String>, node: &str| {
        names.extend((0..MATRIX_ELEMENTS).map(|at| format!("{node}_m{}{}", at / 4, at % 4)));
    };
    matrix(&mut names, "head");
    // Windows numbers joints like OpenXR.
    let numbering = Numbering::from_name("openxr");
    for side in ["left", "right"] {
        names.push(format!("{side}_tracked"));
        for joint in 0..JOINTS_PER_HAND {
            let joint = numbering.and_then(|numbering| numbering.joint(joint)).unwrap_or("Wrist");
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
    fn names_columns_in_recorder_order() {
        let names = column_names(861).unwrap();
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
        assert!(super::column_names(860).is_none());
    }
}
