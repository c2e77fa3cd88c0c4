//! The options that change the motion itself: root motion, axes, rest pose, scale and speed. The
//! clip is changed before a target sees it, so that targets need no code for them.

use std::{ops::RangeInclusive, str::FromStr};

use glam::{DMat3, DQuat, DVec3};
use strum::VariantNames as _;

use super::{ExportError, ExportTarget, Report, codes};
use crate::{clip::Clip, diagnostics::Code};

/// The options that change the motion, the same for all targets.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionOptions {
    /// The treatment of the root motion.
    pub in_place: InPlace,
    /// The axis of the file that points up. `None` means +Y.
    pub up: Option<FileAxis>,
    /// The axis of the file that becomes the viewer's forward direction, −Z. `None` means −Z if Y is
    /// up, +Y if Z is up, and otherwise the axis that needs the smallest rotation.
    pub forward: Option<FileAxis>,
    /// The rest pose.
    pub rest: RestPose,
    /// The factor by which all lengths are multiplied.
    pub scale: f64,
    /// The seconds of the recording that pass in one second of the file.
    pub speed: f64,
}

impl Default for MotionOptions {
    fn default() -> Self {
        Self {
            in_place: InPlace::Keep,
            up: None,
            forward: None,
            rest: RestPose::File,
            scale: 1.0,
            speed: 1.0,
        }
    }
}

/// The treatment of root motion: the horizontal movement of the root node, and its rotation about
/// the vertical axis since the start of the exported range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum InPlace {
    /// Removes the root motion. The root node stays above the origin.
    Remove,
    /// Moves the root motion to a new root node above all other nodes.
    Root,
    /// Keeps the root motion where it is.
    #[default]
    Keep,
}

/// An axis of a file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::VariantNames, strum::IntoStaticStr,
)]
pub enum FileAxis {
    /// +X.
    #[strum(serialize = "x")]
    X,
    /// +Y.
    #[strum(serialize = "y")]
    Y,
    /// +Z.
    #[strum(serialize = "z")]
    Z,
    /// −X.
    #[strum(serialize = "-x")]
    NegX,
    /// −Y.
    #[strum(serialize = "-y")]
    NegY,
    /// −Z.
    #[strum(serialize = "-z")]
    NegZ,
}

impl InPlace {
    /// The names of all values.
    pub const NAMES: &[&str] = Self::VARIANTS;
}

impl FileAxis {
    /// The names of all axes.
    pub const NAMES: &[&str] = Self::VARIANTS;

    /// Returns the name: `-z`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    fn direction(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
            Self::NegX => DVec3::NEG_X,
            Self::NegY => DVec3::NEG_Y,
            Self::NegZ => DVec3::NEG_Z,
        }
    }
}

/// The rest pose of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RestPose {
    /// The rest pose of the recording, or the pose at its start if it has none.
    #[default]
    File,
    /// The pose at this time, in seconds.
    Time(f64),
    /// A T-pose, for recordings of humanoids.
    TPose,
}

/// The error for text that is not a rest pose.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected file, t-pose or a time in seconds, found {0:?}")]
pub struct ParseRestPoseError(String);

impl FromStr for RestPose {
    type Err = ParseRestPoseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "file" => Ok(Self::File),
            "t-pose" => Ok(Self::TPose),
            _ => {
                let time = text.parse().ok().filter(|time: &f64| time.is_finite());
                time.map(Self::Time).ok_or_else(|| ParseRestPoseError(text.to_owned()))
            }
        }
    }
}

impl MotionOptions {
    /// The speeds that are possible. The limits keep all times finite.
    pub const SPEEDS: RangeInclusive<f64> = 1e-6..=1e6;

    /// Returns the rotation from the viewer's axes to those of the file.
    ///
    /// # Errors
    /// Fails if the axes are parallel.
    pub fn axes_rotation(&self) -> Result<DQuat, ExportError> {
        let file_axes = self.file_axes();
        let [up, forward] = file_axes.map(FileAxis::direction);
        if up.dot(forward) != 0.0 {
            let [up, forward] = file_axes.map(FileAxis::as_str);
            return Err(ExportError::refused(
                codes::OPTION_INVALID,
                format!(
                    "up is {up} and forward is {forward}: expected two axes at a right angle; nothing \
                     written"
                ),
            ));
        }
        let axes = DMat3::from_cols(forward.cross(up), up, -forward);
        Ok(DQuat::from_mat3(&axes).normalize())
    }

    /// Returns the axes of the file that point up and forward.
    pub fn file_axes(&self) -> [FileAxis; 2] {
        let up = self.up.unwrap_or(FileAxis::Y);
        let forward = self.forward.unwrap_or(match up {
            FileAxis::X | FileAxis::NegX | FileAxis::Y => FileAxis::NegZ,
            FileAxis::NegY => FileAxis::Z,
            FileAxis::Z => FileAxis::Y,
            FileAxis::NegZ => FileAxis::NegY,
        });
        [up, forward]
    }

    /// Returns the up axis for reports: `Z up`.
    pub fn describe_up(&self) -> String {
        let [up, _] = self.file_axes();
        format!("{} up", up.as_str().to_uppercase().replace('-', "−"))
    }

    pub(super) fn check(&self, clip: &Clip, target: &ExportTarget) -> Result<(), ExportError> {
        let refuse = |code: Code, message: String| {
            Err(ExportError::refused(code, format!("{message}; nothing written")))
        };
        if !(self.scale.is_finite() && self.scale > 0.0) {
            let message = format!("scale: expected a factor above 0, found {}", self.scale);
            return refuse(codes::OPTION_INVALID, message);
        }
        if !Self::SPEEDS.contains(&self.speed) {
            let (min, max) = Self::SPEEDS.into_inner();
            let message =
                format!("speed: expected a factor from {min} to {max}, found {}", self.speed);
            return refuse(codes::OPTION_INVALID, message);
        }
        let is_default = self.axes_rotation()?.angle_between(DQuat::IDENTITY) < 1e-9;
        if !is_default && !target.has_free_axes {
            let message = format!("{} always has Y up and −Z forward", target.name);
            return refuse(codes::OPTION_NOT_SUPPORTED, message);
        }
        if self.rest != RestPose::File && !target.has_rest_pose {
            let message = format!("{} has no rest pose to set", target.name);
            return refuse(codes::OPTION_NOT_SUPPORTED, message);
        }
        if let RestPose::Time(time) = self.rest
            && !(clip.span.start..=clip.span.end()).contains(&time)
        {
            let (start, end) = (clip.span.start, clip.span.end());
            let message = format!("rest: expected a time from {start} to {end} s, found {time} s");
            return refuse(codes::OPTION_INVALID, message);
        }
        Ok(())
    }

    /// Reports how the motion was changed.
    pub fn report(&self, report: &mut Report) {
        match self.in_place {
            InPlace::Remove => {
                report.info("without root motion: no horizontal movement or heading of the root");
            }
            InPlace::Root => report.info("with the root motion on a root node of its own"),
            InPlace::Keep => {}
        }
        match self.rest {
            RestPose::File => {}
            RestPose::Time(time) => report.info(format!("the rest pose is the pose at {time} s")),
            RestPose::TPose => report.info("the rest pose is a T-pose"),
        }
        if self.scale != 1.0 {
            report.info(format!("all lengths are multiplied by {}", self.scale));
        }
        if self.speed != 1.0 {
            report.info(format!("1 s of the file is {} s of the recording", self.speed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_follow_the_options() {
        use FileAxis as A;
        // Up, forward, and the directions to the right, up and forward in the file.
        let cases = [
            (None, None, [DVec3::X, DVec3::Y, DVec3::NEG_Z]),
            (Some(A::Z), None, [DVec3::X, DVec3::Z, DVec3::Y]),
            (Some(A::Z), Some(A::X), [DVec3::NEG_Y, DVec3::Z, DVec3::X]),
            (Some(A::NegY), None, [DVec3::X, DVec3::NEG_Y, DVec3::Z]),
            (Some(A::X), None, [DVec3::NEG_Y, DVec3::X, DVec3::NEG_Z]),
            (None, Some(A::Z), [DVec3::NEG_X, DVec3::Y, DVec3::Z]),
        ];
        for (up, forward, expected) in cases {
            let options = MotionOptions { up, forward, ..MotionOptions::default() };
            let rotation = options.axes_rotation().unwrap();
            let found = [DVec3::X, DVec3::Y, DVec3::NEG_Z].map(|axis| rotation * axis);
            for (found, expected) in found.into_iter().zip(expected) {
                assert!(found.abs_diff_eq(expected, 1e-12), "{up:?} {forward:?}: {found}");
            }
        }
        let parallel =
            MotionOptions { up: Some(A::Z), forward: Some(A::NegZ), ..MotionOptions::default() };
        let error = parallel.axes_rotation().unwrap_err();
        assert_eq!(error.code(), Some(codes::OPTION_INVALID), "{error}");
    }

    #[test]
    fn rest_poses_are_parsed() {
        let parse = |text: &str| text.parse::<RestPose>().ok();
        assert_eq!(parse("file"), Some(RestPose::File));
        assert_eq!(parse("t-pose"), Some(RestPose::TPose));
        assert_eq!(parse("-1.5"), Some(RestPose::Time(-1.5)));
        assert_eq!([parse("nan"), parse("inf"), parse("T"), parse("")], [None; 4]);
    }
}
