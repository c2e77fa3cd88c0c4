//! The pose of a camera, and its representation on the command line and in links.

use std::{fmt, str::FromStr};

use bevy::math::DVec3;
use serde::{Deserialize, Serialize};

/// A camera pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CameraPose {
    /// The angle about Y in degrees. At 0 the camera looks along −Z. At 90 it looks from the right
    /// of a person who faces −Z.
    pub yaw: f32,
    /// The angle above the horizon, in degrees.
    pub pitch: f32,
    /// The distance to the focus in metres. `None` chooses the distance so that everything that
    /// moves fits into the view.
    pub distance: Option<f32>,
    /// The point that the camera looks at, in metres in the viewer's space. `None` is the centre of
    /// everything that moves.
    pub middle: Option<DVec3>,
}

impl fmt::Display for CameraPose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Round to thousandths of a degree and tenths of a millimetre, which nobody can see.
        let rounded = |number: f64, places: f64| (number * places).round() / places + 0.0;
        let [yaw, pitch] = [self.yaw, self.pitch].map(|angle| rounded(angle.into(), 1e3));
        write!(f, "{yaw},{pitch}")?;
        let Some(distance) = self.distance else { return Ok(()) };
        write!(f, ",{}", rounded(distance.into(), 1e4).max(1e-4))?;
        let Some(middle) = self.middle else { return Ok(()) };
        let [x, y, z] = middle.to_array().map(|metres| rounded(metres, 1e4));
        write!(f, ",{x},{y},{z}")
    }
}

impl FromStr for CameraPose {
    type Err = String;

    /// Parses the pose from the command line or a link: `30,20,1.5` or `30,20,1.5,0,1.2,-3`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|number| number.trim().parse().ok()).collect();
        let fits_single = |number: &f64| (*number as f32).is_finite();
        let numbers = numbers.filter(|numbers| numbers.iter().all(fits_single));
        let (yaw, pitch, distance, middle) = match numbers.as_deref() {
            Some([_, pitch, ..]) if pitch.abs() > 90.0 => {
                return Err(
                    "expected a pitch from -90 to 90 degrees as the second number".to_owned()
                );
            }
            Some([_, _, distance, ..]) if *distance as f32 <= 0.0 => {
                return Err("expected a distance above 0 m as the third number".to_owned());
            }
            Some(&[yaw, pitch]) => (yaw, pitch, None, None),
            Some(&[yaw, pitch, distance]) => (yaw, pitch, Some(distance), None),
            Some(&[yaw, pitch, distance, x, y, z]) => {
                (yaw, pitch, Some(distance), Some(DVec3::new(x, y, z)))
            }
            _ => {
                return Err(
                    "expected yaw and pitch in degrees, a distance in metres, such as 30,20,1.5, \
                     and optionally the x, y and z of the point to look at"
                        .to_owned(),
                );
            }
        };
        let distance = distance.map(|distance| distance as f32);
        Ok(Self { yaw: yaw as f32, pitch: pitch as f32, distance, middle })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camera_poses_round_trip() {
        let parsed = |text: &str| text.parse::<CameraPose>();
        let pose = |yaw, pitch, distance, middle: Option<[f64; 3]>| {
            Ok(CameraPose { yaw, pitch, distance, middle: middle.map(DVec3::from_array) })
        };
        assert_eq!(parsed("-30,20,1.5"), pose(-30.0, 20.0, Some(1.5), None));
        assert_eq!(parsed("200, -90"), pose(200.0, -90.0, None, None));
        let far = "0.5,1,2,1000000.25,-3,0";
        let from_far = pose(0.5, 1.0, Some(2.0), Some([1_000_000.25, -3.0, 0.0]));
        assert_eq!(parsed(far), from_far);
        assert_eq!(from_far.map(|pose| pose.to_string()).as_deref(), Ok(far));
        let invalid =
            ["", "1", "1,91,1", "1,2,0", "1,2,-1", "1,2,3,4", "a,b,c", "nan,0,1", "1,2,1e99"];
        for invalid in invalid {
            assert!(parsed(invalid).is_err(), "{invalid:?}");
        }
    }
}
