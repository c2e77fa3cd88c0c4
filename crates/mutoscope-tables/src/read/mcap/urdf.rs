//! Reads the joints of a robot description (URDF).

use glam::{DQuat, DVec3, EulerRot};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};

use super::{
    error::{MessageError, Result},
    pose::Pose,
};

pub(super) struct Robot {
    pub(super) joints: Vec<Joint>,
}

/// A joint between two links. The child link becomes a frame below the parent link.
pub(super) struct Joint {
    pub(super) name: String,
    kind: JointKind,
    pub(super) parent: String,
    pub(super) child: String,
    origin: Pose,
    axis: DVec3,
    mimic: Option<Mimic>,
}

#[derive(Clone, Copy, PartialEq)]
enum JointKind {
    Rotating,
    Sliding,
    Fixed,
    /// `floating` or `planar`, whose poses have more than one number.
    Other,
}

/// Another joint whose position determines that of a joint.
struct Mimic {
    joint: String,
    multiplier: f64,
    offset: f64,
}

impl Robot {
    /// # Errors
    /// If the text is not URDF.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader::from_str(text);
        let mut robot = Self { joints: Vec::new() };
        let mut depth = 0_usize;
        let mut is_robot = false;
        let mut is_in_joint = false;
        loop {
            let event = reader.read_event().map_err(MessageError::syntax)?;
            let (tag, is_empty) = match event {
                Event::Start(tag) => (tag, false),
                Event::Empty(tag) => (tag, true),
                Event::End(_) => {
                    depth = depth.saturating_sub(1);
                    is_in_joint &= depth > 1;
                    continue;
                }
                Event::Eof if is_robot => return Ok(robot),
                Event::Eof => return Err(MessageError::unexpected("the element <robot>", "none")),
                _ => continue,
            };
            match (depth, tag.name().as_ref()) {
                (0, b"robot") => is_robot = true,
                (1, b"joint") => {
                    robot.joints.push(Joint::new(&tag)?);
                    is_in_joint = !is_empty;
                }
                (2, name) if is_in_joint => {
                    if let Some(joint) = robot.joints.last_mut() {
                        joint.add_element(name, &tag)?;
                    }
                }
                _ => {}
            }
            depth += usize::from(!is_empty);
        }
    }
}

impl Joint {
    fn new(tag: &BytesStart<'_>) -> Result<Self> {
        let kind = match attribute(tag, "type")?.unwrap_or_default().as_str() {
            "revolute" | "continuous" => JointKind::Rotating,
            "prismatic" => JointKind::Sliding,
            "fixed" => JointKind::Fixed,
            _ => JointKind::Other,
        };
        Ok(Self {
            name: attribute(tag, "name")?.unwrap_or_default(),
            kind,
            parent: String::new(),
            child: String::new(),
            origin: Pose::IDENTITY,
            axis: DVec3::X,
            mimic: None,
        })
    }

    fn add_element(&mut self, name: &[u8], tag: &BytesStart<'_>) -> Result<()> {
        match name {
            b"parent" => self.parent = attribute(tag, "link")?.unwrap_or_default(),
            b"child" => self.child = attribute(tag, "link")?.unwrap_or_default(),
            b"origin" => {
                let [roll, pitch, yaw] = vector(tag, "rpy", DVec3::ZERO)?.to_array();
                let rotation = DQuat::from_euler(EulerRot::ZYX, yaw, pitch, roll);
                self.origin = Pose::new(vector(tag, "xyz", DVec3::ZERO)?, rotation);
            }
            b"axis" => {
                let axis = vector(tag, "xyz", DVec3::X)?;
                let unexpected = || MessageError::unexpected("an axis", "zeros");
                self.axis = axis.try_normalize().ok_or_else(unexpected)?;
            }
            b"mimic" => {
                self.mimic = Some(Mimic {
                    joint: attribute(tag, "joint")?.unwrap_or_default(),
                    multiplier: number(tag, "multiplier", 1.0)?,
                    offset: number(tag, "offset", 0.0)?,
                });
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn is_fixed(&self) -> bool {
        self.kind == JointKind::Fixed
    }

    /// Returns `true` if the joint has one degree of freedom.
    pub(super) fn is_supported(&self) -> bool {
        self.kind != JointKind::Other
    }

    /// Returns the name of the joint whose positions move this joint.
    pub(super) fn source(&self) -> &str {
        self.mimic.as_ref().map_or(&self.name, |mimic| &mimic.joint)
    }

    /// Returns the pose of the child link, relative to the parent link. `position` is that of the
    /// joint from [`Self::source`], in radians or metres.
    pub(super) fn pose(&self, position: f64) -> Pose {
        let position = match &self.mimic {
            Some(mimic) => position * mimic.multiplier + mimic.offset,
            None => position,
        };
        let motion = match self.kind {
            JointKind::Rotating => {
                Pose::new(DVec3::ZERO, DQuat::from_axis_angle(self.axis, position))
            }
            JointKind::Sliding => Pose::new(self.axis * position, DQuat::IDENTITY),
            JointKind::Fixed | JointKind::Other => Pose::IDENTITY,
        };
        self.origin.transform(motion)
    }
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Result<Option<String>> {
    let found = tag.try_get_attribute(name).map_err(MessageError::syntax)?;
    let value =
        found.map(|it| it.normalized_value(XmlVersion::Implicit1_0).map(|it| it.into_owned()));
    value.transpose().map_err(MessageError::syntax)
}

fn number(tag: &BytesStart<'_>, name: &str, default: f64) -> Result<f64> {
    let Some(text) = attribute(tag, name)? else { return Ok(default) };
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        MessageError::unexpected(format!("a number for {name:?}"), format!("{text:?}"))
    })
}

fn vector(tag: &BytesStart<'_>, name: &str, default: DVec3) -> Result<DVec3> {
    let Some(text) = attribute(tag, name)? else { return Ok(default) };
    let numbers: Option<Vec<f64>> = text.split_whitespace().map(|it| it.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|number| number.is_finite()) => {
            Ok(DVec3::new(x, y, z))
        }
        _ => {
            let expected = format!("three numbers for {name:?}");
            Err(MessageError::unexpected(expected, format!("{text:?}")))
        }
    }
}
