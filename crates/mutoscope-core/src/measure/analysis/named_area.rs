//! Areas of interest that any recording can use: the joint is given by name, and the area has a
//! text form.

use std::{fmt, str::FromStr};

use glam::{DQuat, DVec2, DVec3};
use strum::VariantArray as _;

use super::{Area, Shape};
use crate::clip::Clip;

/// An area of interest that is defined by names, so that it applies to any recording that has its
/// joint.
///
/// The text form is `name=shape:numbers@joint`, where `@joint` is optional. Examples are
/// `cup=sphere:0,0,0,0.1@right/Palm`, `door=box:1,1,-2,0.9,2,0.1` and
/// `screen=plane:0,1.5,-2,1.2,0.7`. The first three numbers are the centre. The next numbers are
/// the radius of a sphere, the edge lengths of a box, or the width and height of a plane. A box or
/// plane may also have a rotation, as a quaternion x, y, z, w. Lengths are in metres. The shape is
/// relative to the joint, or in the viewer's space if there is no joint.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedArea {
    /// The name of the area.
    pub name: String,
    /// The shape of the area.
    pub shape: Shape,
    /// The name of the joint that the area moves and rotates with; `None` if the area is fixed.
    pub joint: Option<String>,
}

impl NamedArea {
    /// Returns the area in `clip`, or `None` if the clip lacks its joint.
    pub fn resolve(&self, clip: &Clip) -> Option<Area> {
        let joint = match &self.joint {
            None => None,
            Some(joint) => {
                let has_name = |node: &str| node == joint;
                Some(clip.nodes.with_ids().find(|(_, node)| has_name(&node.name))?.0)
            }
        };
        Some(Area { name: self.name.clone(), shape: self.shape, joint })
    }
}

impl fmt::Display for NamedArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, sizes) = match self.shape {
            Shape::Sphere { radius, .. } => (ShapeKind::Sphere, vec![radius]),
            Shape::Box { half, .. } => (ShapeKind::Box, (2.0 * half).to_array().into()),
            Shape::Plane { half, .. } => (ShapeKind::Plane, (2.0 * half).to_array().into()),
        };
        let rotation = self.shape.rotation();
        let mut numbers = Vec::from(self.shape.centre().to_array());
        numbers.extend(sizes);
        if rotation != DQuat::IDENTITY {
            numbers.extend(rotation.to_array());
        }
        let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
        write!(f, "{}={kind}:{}", self.name, numbers.join(","))?;
        self.joint.iter().try_for_each(|joint| write!(f, "@{joint}"))
    }
}

/// The error for text that is not an area. The field is the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected NAME=sphere:X,Y,Z,RADIUS, NAME=box:X,Y,Z,WIDTH,HEIGHT,DEPTH or \
     NAME=plane:X,Y,Z,WIDTH,HEIGHT, then @JOINT if it moves with one; found {0:?}"
)]
pub struct ParseAreaError(String);

impl FromStr for NamedArea {
    type Err = ParseAreaError;

    fn from_str(text: &str) -> Result<Self, ParseAreaError> {
        let syntax_error = || ParseAreaError(text.to_owned());
        let found = ShapeKind::VARIANTS.iter().filter_map(|kind| {
            let marker = format!("={kind}:");
            Some((text.find(&marker)?, kind, marker.len()))
        });
        let (start, kind, marker_len) =
            found.min_by_key(|(start, ..)| *start).ok_or_else(syntax_error)?;
        let (name, rest) = (&text[..start], &text[start + marker_len..]);
        let (numbers, joint) = match rest.split_once('@') {
            Some((numbers, joint)) => (numbers, Some(joint.to_owned())),
            None => (rest, None),
        };
        let numbers: Result<Vec<f64>, _> =
            numbers.split(',').map(|number| number.trim().parse::<f64>()).collect();
        let numbers = numbers.map_err(|_| syntax_error())?;
        if name.is_empty() || !numbers.iter().all(|number| number.is_finite()) {
            return Err(syntax_error());
        }
        let shape = kind.to_shape(&numbers).ok_or_else(syntax_error)?;
        Ok(Self { name: name.to_owned(), shape, joint })
    }
}

#[derive(Clone, Copy, Debug, strum::Display, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
enum ShapeKind {
    Sphere,
    Box,
    Plane,
}

impl ShapeKind {
    fn to_shape(self, numbers: &[f64]) -> Option<Shape> {
        let (&[x, y, z], rest) = numbers.split_first_chunk()?;
        let centre = DVec3::new(x, y, z);
        let sizes = match self {
            Self::Sphere => 1,
            Self::Box => 3,
            Self::Plane => 2,
        };
        let (sizes, rotation_numbers) = rest.split_at_checked(sizes)?;
        let rotation = match *rotation_numbers {
            [] => DQuat::IDENTITY,
            [x, y, z, w] => {
                let rotation = DQuat::from_xyzw(x, y, z, w);
                (rotation.length_squared() > 0.0).then(|| rotation.normalize())?
            }
            _ => return None,
        };
        if !sizes.iter().all(|size| *size > 0.0) {
            return None;
        }
        Some(match (self, sizes) {
            (Self::Sphere, &[radius]) if rotation_numbers.is_empty() => {
                Shape::Sphere { centre, radius }
            }
            (Self::Box, &[x, y, z]) => {
                Shape::Box { centre, rotation, half: DVec3::new(x, y, z) / 2.0 }
            }
            (Self::Plane, &[x, y]) => {
                Shape::Plane { centre, rotation, half: DVec2::new(x, y) / 2.0 }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, decode};

    #[test]
    fn text_gives_shapes_in_metres() {
        let area = |text: &str| text.parse::<NamedArea>().unwrap();
        let cup = area("the = cup=sphere:0,-0.5,1e-1,0.1@left/Palm");
        let centre = DVec3::new(0.0, -0.5, 0.1);
        assert_eq!(cup.shape, Shape::Sphere { centre, radius: 0.1 });
        assert_eq!((&*cup.name, cup.joint.as_deref()), ("the = cup", Some("left/Palm")));
        let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let door = area("door=box:1,1,-2,0.9,2,0.1,0,1,0,1");
        let Shape::Box { centre, rotation, half } = door.shape else { panic!("{door:?}") };
        assert_eq!((centre, half), (DVec3::new(1.0, 1.0, -2.0), DVec3::new(0.45, 1.0, 0.05)));
        assert!(rotation.abs_diff_eq(quarter, 1e-12), "the quaternion is normalised: {rotation}");
        let screen = area("screen=plane: 0, 1.5, -2, 1.2, 0.7").shape;
        let (centre, half) = (DVec3::new(0.0, 1.5, -2.0), DVec2::new(0.6, 0.35));
        assert_eq!(screen, Shape::Plane { centre, rotation: DQuat::IDENTITY, half });
    }

    #[test]
    fn text_round_trips() {
        for text in [
            "cup=sphere:0,-0.5,0.1,0.1@left/Palm",
            "door=box:1,1,-2,0.9,2,0.1",
            "screen=plane:0,1.5,-2,1.2,0.7,0,0.6,0,0.8",
        ] {
            assert_eq!(text.parse::<NamedArea>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn malformed_texts_are_rejected() {
        for text in [
            "",
            "cup",
            "=sphere:0,0,0,1",
            "cup=cone:0,0,0,1",
            "cup=sphere:0,0,0",
            "cup=sphere:0,0,0,1,0,0,0,1",
            "cup=sphere:0,0,0,0",
            "cup=sphere:0,0,0,-1",
            "cup=sphere:nan,0,0,1",
            "cup=sphere:0,0,0,one",
            "door=box:0,0,0,1,1,1,0,0,0,0",
            "door=box:0,0,0,1,1,1,0,0,0",
            "screen=plane:0,0,0,1",
        ] {
            assert_eq!(text.parse::<NamedArea>(), Err(ParseAreaError(text.to_owned())));
        }
    }

    #[test]
    fn joint_is_found_by_its_name() {
        let bytes = include_bytes!("../../../../../assets/mrtk/two-hands.bin");
        let clip = decode(bytes, &ReadOptions::default()).unwrap();
        let area = |text: &str| text.parse::<NamedArea>().unwrap().resolve(&clip);
        let joint = area("a=sphere:0,0,0,1@right/IndexTip").unwrap().joint.unwrap();
        assert_eq!(clip.nodes[joint].name, "right/IndexTip");
        assert_eq!(area("a=sphere:0,0,0,1").unwrap().joint, None);
        assert_eq!(area("a=sphere:0,0,0,1@Nobody"), None);
    }
}
