//! The pose of a camera, and its text on the command line and in links.

use std::{fmt, str::FromStr};

use bevy::math::DVec3;
use serde::{Deserialize, Serialize};

/// A camera pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CameraPose {
    /// Degrees about Y: 0 looks along −Z, 90 from the right of a person who faces −Z.
    pub yaw: f32,
    /// Degrees above the horizon.
    pub pitch: f32,
    /// Metres from what is looked at; nothing goes as near as shows all that moves.
    pub distance: Option<f32>,
    /// The point that is looked at, in metres in the viewer's space; `None` is the middle of all
    /// that moves.
    pub middle: Option<DVec3>,
}

impl fmt::Display for CameraPose {
    /// As the command line takes it: `30,20,1.5,0,1.2,-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Thousandths of a degree and tenths of a millimetre are as good as the same.
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

    /// As the command line and links write it: `30,20,1.5` or `30,20,1.5,0,1.2,-3`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<f64>> =
            text.split(',').map(|number| number.trim().parse().ok()).collect();
        let fits_single = |number: &f64| (*number as f32).is_finite();
        let numbers = numbers.filter(|numbers| numbers.iter().all(fits_single));
        let (yaw, pitch, distance, middle) = match numbers.as_deref() {
            Some([_, pitch, ..]) if pitch.abs() > 90.0 => {
                return Err("the second number, degrees above the horizon, is -90 to 90".to_owned());
            }
            Some([_, _, distance, ..]) if *distance as f32 <= 0.0 => {
                return Err("the third number, metres of distance, is above 0".to_owned());
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
        let stands = |yaw, pitch, distance, middle: Option<[f64; 3]>| {
            Ok(CameraPose { yaw, pitch, distance, middle: middle.map(DVec3::from_array) })
        };
        assert_eq!(parsed("-30,20,1.5"), stands(-30.0, 20.0, Some(1.5), None));
        assert_eq!(parsed("200, -90"), stands(200.0, -90.0, None, None));
        let far = "0.5,1,2,1000000.25,-3,0";
        let from_far = stands(0.5, 1.0, Some(2.0), Some([1_000_000.25, -3.0, 0.0]));
        assert_eq!(parsed(far), from_far);
        assert_eq!(from_far.map(|stands| stands.to_string()).as_deref(), Ok(far));
        let wrong =
            ["", "1", "1,91,1", "1,2,0", "1,2,-1", "1,2,3,4", "a,b,c", "nan,0,1", "1,2,1e99"];
        for wrong in wrong {
            assert!(parsed(wrong).is_err(), "{wrong:?}");
        }
    }
}
