//! Names the columns of two recorders for HoloLens 2, which write no header: StreamRecorder
//! (Microsoft's Research Mode) and HoloLensCapture (Microsoft's \psi).

use crate::numbering::Numbering;

const JOINTS_PER_HAND: usize = 26;

const MATRIX_ELEMENTS: usize = 16;

const HAND_ELEMENTS: usize = JOINTS_PER_HAND * MATRIX_ELEMENTS;

/// The times from 2015 to 2100 in ticks of 100 ns since the year 1.
const TICKS: std::ops::Range<f64> = 6.355e17..6.624e17;

/// Returns the column names of the recorder that writes such a row. Returns `None` for other rows.
pub(super) fn column_names(row: &[f64]) -> Option<Vec<String>> {
    stream_recorder_names(row.len()).or_else(|| capture_names(row))
}

/// Returns the column names of a row if it is as long as a row of StreamRecorder. The row holds the
/// time and the head, then a flag and the joints of each hand. The gaze follows: a flag, a
/// homogeneous origin and direction, and the distance of the hit.
fn stream_recorder_names(numbers: usize) -> Option<Vec<String>> {
    const COLUMNS: usize = 1 + MATRIX_ELEMENTS + 2 * (1 + HAND_ELEMENTS) + 1 + 4 + 4 + 1;
    if numbers != COLUMNS {
        return None;
    }
    let mut names = vec!["time (100ns)".to_owned()];
    names.extend(matrix("head"));
    for side in ["left", "right"] {
        names.push(format!("{side}_tracked"));
        names.extend(joints().flat_map(|joint| matrix(&format!("{side}_{joint}"))));
    }
    names.push("gaze_tracked".to_owned());
    for quantity in ["origin", "direction"] {
        names.extend(vector(&format!("gaze_{quantity}")));
        names.push(format!("gaze {quantity} homogeneous"));
    }
    names.push("gaze distance".to_owned());
    Some(names)
}

/// Returns the column names of a file of HoloLensCapture: the pose of the head or of a camera, the
/// gaze, or the joints of a hand. The data set HoloAssist adds a column of seconds before the time.
fn capture_names(row: &[f64]) -> Option<Vec<String>> {
    let time = row.iter().take(2).position(|number| TICKS.contains(number))?;
    let mut names = if time == 1 { vec!["seconds".to_owned()] } else { Vec::new() };
    names.push("HoloLensCapture ticks".to_owned());
    // Newer versions write one flag before the joints, and two for each joint after them.
    const HAND: usize = 1 + HAND_ELEMENTS + 2 * JOINTS_PER_HAND;
    const OLD_HAND: usize = 3 + HAND_ELEMENTS;
    let flags: &[&str] = match row.len() - names.len() {
        HAND => &["active"],
        OLD_HAND => &["gripped", "pinched", "tracked"],
        MATRIX_ELEMENTS => {
            names.extend(matrix("device"));
            return Some(names);
        }
        6 => {
            names.extend(["origin", "direction"].into_iter().flat_map(vector));
            return Some(names);
        }
        _ => return None,
    };
    names.extend(flags.iter().map(|&flag| flag.to_owned()));
    names.extend(joints().flat_map(|joint| matrix(&format!("hand {joint}"))));
    if flags.len() == 1 {
        for flag in ["valid", "tracked"] {
            names.extend(joints().map(|joint| format!("{joint} {flag}")));
        }
    }
    Some(names)
}

/// Returns the names of joints in the order of Windows, which numbers them like OpenXR.
fn joints() -> impl Iterator<Item = &'static str> {
    let numbering = Numbering::from_name("openxr");
    (0..JOINTS_PER_HAND).filter_map(move |joint| numbering?.joint(joint))
}

fn matrix(node: &str) -> [String; MATRIX_ELEMENTS] {
    std::array::from_fn(|at| format!("{node}_m{}{}", at / 4, at % 4))
}

fn vector(name: &str) -> [String; 3] {
    ["x", "y", "z"].map(|axis| format!("{name}_{axis}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(row: &[f64], expected: &[(usize, &str)]) {
        let names = column_names(row).unwrap();
        assert_eq!(names.len(), row.len());
        for (at, name) in expected {
            assert_eq!(names[*at], *name, "{at}");
        }
    }

    #[test]
    fn names_columns_of_stream_recorder() {
        let expected = [
            (0, "time (100ns)"),
            (1, "head_m00"),
            (17, "left_tracked"),
            (18, "left_Palm_m00"),
            (18 + 16 * 10 + 3, "left_IndexTip_m03"),
            (434, "right_tracked"),
            (435, "right_Palm_m00"),
            (851, "gaze_tracked"),
            (852, "gaze_origin_x"),
            (856, "gaze_direction_x"),
            (860, "gaze distance"),
        ];
        check(&[0.0; 861], &expected);
        assert!(column_names(&[0.0; 860]).is_none());
    }

    #[test]
    fn names_columns_of_hololens_capture() {
        const TIME: f64 = 637_835_897_125_443_909.0;
        let row =
            |seconds: &[f64], numbers: usize| [seconds, &[TIME], &vec![0.0; numbers]].concat();
        let time = (0, "HoloLensCapture ticks");
        check(&row(&[], 16), &[time, (1, "device_m00"), (16, "device_m33")]);
        check(&row(&[], 6), &[time, (1, "origin_x"), (6, "direction_z")]);
        let old = [(3, "tracked"), (4, "hand Palm_m00"), (419, "hand PinkyTip_m33")];
        check(&row(&[], 419), &old);
        let hand = [(1, time.1), (2, "active"), (3, "hand Palm_m00"), (419, "Palm valid")];
        check(&row(&[0.5], 469), &hand);
        check(&row(&[0.5], 469), &[(470, "PinkyTip tracked")]);
        assert!(column_names(&row(&[], 7)).is_none());
        assert!(column_names(&[1.0; 17]).is_none(), "1 is no time");
    }
}
