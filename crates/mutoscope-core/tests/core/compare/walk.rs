//! Writes one known motion in several formats.

use std::fmt::Write as _;

use glam::DVec3;
use mutoscope_core::{ReadOptions, clip::Clip, decode};

use crate::compare::{Keys, Recording};

/// Returns the position of a head in metres. The motion swings back and forth, and never repeats
/// itself.
pub(crate) fn head(time: f64) -> DVec3 {
    DVec3::new(
        0.3 * (1.7 * time).sin() + 0.1 * (5.3 * time).sin(),
        1.6 + 0.05 * (4.1 * time + 0.3 * (0.9 * time).sin()).cos(),
        0.2 * (0.6 * time).cos()
            + 0.06 * (2.3 * time + 5.0 * (0.11 * time).sin() + 3.0 * (0.0173 * time).sin()).sin(),
    )
}

fn times(duration: f64, rate: f64) -> impl Iterator<Item = f64> {
    (0..=(duration * rate).round() as usize).map(move |step| step as f64 / rate)
}

/// Records `position` from the time `start` on, as the camera of an MRTK recording.
pub(crate) fn mrtk(position: impl Fn(f64) -> DVec3, start: f64, duration: f64, rate: f64) -> Clip {
    let axis = |axis: usize| {
        // MRTK is left-handed, so z is negated.
        let sign = if axis == 2 { -1.0 } else { 1.0 };
        let key = |time: f64| (time as f32, (sign * position(start + time)[axis]) as f32);
        Keys::simple(&times(duration, rate).map(key).collect::<Vec<_>>())
    };
    let still = |value: f32| Keys::simple(&[(0.0, value)]);
    let [x, y, z] = [0, 1, 2].map(axis);
    let camera = [x, y, z, still(0.0), still(0.0), still(0.0), still(1.0)];
    decode(&Recording::with_camera(camera).encode(), &ReadOptions::default()).unwrap()
}

/// Records the head as a Maya joint called `camera`, in centimetres, at the rate `rate`.
pub(crate) fn maya(start: f64, duration: f64, rate: f64) -> Clip {
    let mut text = format!(
        "animVersion 1.1;\nmayaVersion 2022;\ntimeUnit {rate}fps;\nlinearUnit cm;\nangularUnit deg;\n\
         startTime 0;\nendTime {};\n",
        duration * rate
    );
    for (index, axis) in ["X", "Y", "Z"].iter().enumerate() {
        writeln!(text, "anim translate.translate{axis} translate{axis} camera 0 0 {index};")
            .unwrap();
        text += "animData {\n  input time;\n  output linear;\n  weighted 0;\n  preInfinity constant;\n  \
                 postInfinity constant;\n  keys {\n";
        for time in times(duration, rate) {
            let value = 100.0 * head(start + time)[index];
            writeln!(text, "    {} {value} spline spline 1 1 0;", time * rate).unwrap();
        }
        text += "  }\n}\n";
    }
    decode(text.as_bytes(), &ReadOptions::default()).unwrap()
}

/// Records the head as an AnimJ animation that plays `speed` times as fast.
pub(crate) fn animj(start: f64, duration: f64, rate: f64, speed: f64) -> Clip {
    let keys: Vec<_> = times(duration, rate)
        .map(|time| {
            let DVec3 { x, y, z } = head(start + time);
            let (time, z) = (time / speed, -z);
            format!(
                r#"{{"time":{time},"value":{{"x":{x},"y":{y},"z":{z}}},"interpolation":"Linear"}}"#
            )
        })
        .collect();
    let text = format!(
        r#"{{"tracks":[{{"trackType":"Curve","valueType":"float3","data":{{"node":"Camera",
           "property":"Position","keyframes":[{}]}}}}]}}"#,
        keys.join(",")
    );
    decode(text.as_bytes(), &ReadOptions::default()).unwrap()
}
