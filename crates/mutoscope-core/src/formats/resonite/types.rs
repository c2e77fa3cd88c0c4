//! The types of values in Resonite's animations.

use crate::clip::{Blend, Element, Form, ValueType};

/// A type of values.
#[derive(Debug, PartialEq)]
pub struct TypeInfo {
    /// The name in AnimJ.
    pub name: &'static str,
    /// The type of each component.
    pub scalar: Scalar,
    /// The meaning of the components together.
    pub shape: Shape,
}

/// The type of a value's components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A boolean. In AnimX the components of a vector share one byte.
    Bool,
    /// An unsigned integer of this many bytes.
    Unsigned(u8),
    /// A signed integer of this many bytes.
    Signed(u8),
    /// An f32.
    Single,
    /// An f64.
    Double,
    /// A string, which may be null.
    Text,
}

/// The meaning of a value's components together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A vector of this many components: x, y, z, w. A single component is a vector of 1.
    Vector(u8),
    /// A rotation: x, y, z, w.
    Quaternion,
    /// Red, green, blue and alpha.
    Color,
    /// A matrix with this many rows and columns, row by row. It occurs in AnimX only.
    Matrix(u8),
}

/// All types. The index is the number in AnimX.
pub static TYPES: [TypeInfo; 40] = {
    use Scalar::{Bool, Double, Signed, Single, Text, Unsigned};
    use Shape::{Color, Matrix, Quaternion, Vector};
    const fn row(name: &'static str, scalar: Scalar, shape: Shape) -> TypeInfo {
        TypeInfo { name, scalar, shape }
    }
    [
        row("bool", Bool, Vector(1)),
        row("bool2", Bool, Vector(2)),
        row("bool3", Bool, Vector(3)),
        row("bool4", Bool, Vector(4)),
        row("byte", Unsigned(1), Vector(1)),
        row("ushort", Unsigned(2), Vector(1)),
        row("uint", Unsigned(4), Vector(1)),
        row("ulong", Unsigned(8), Vector(1)),
        row("sbyte", Signed(1), Vector(1)),
        row("short", Signed(2), Vector(1)),
        row("int", Signed(4), Vector(1)),
        row("long", Signed(8), Vector(1)),
        row("int2", Signed(4), Vector(2)),
        row("int3", Signed(4), Vector(3)),
        row("int4", Signed(4), Vector(4)),
        row("uint2", Unsigned(4), Vector(2)),
        row("uint3", Unsigned(4), Vector(3)),
        row("uint4", Unsigned(4), Vector(4)),
        row("long2", Signed(8), Vector(2)),
        row("long3", Signed(8), Vector(3)),
        row("long4", Signed(8), Vector(4)),
        row("float", Single, Vector(1)),
        row("float2", Single, Vector(2)),
        row("float3", Single, Vector(3)),
        row("float4", Single, Vector(4)),
        row("floatQ", Single, Quaternion),
        row("float2x2", Single, Matrix(2)),
        row("float3x3", Single, Matrix(3)),
        row("float4x4", Single, Matrix(4)),
        row("double", Double, Vector(1)),
        row("double2", Double, Vector(2)),
        row("double3", Double, Vector(3)),
        row("double4", Double, Vector(4)),
        row("doubleQ", Double, Quaternion),
        row("double2x2", Double, Matrix(2)),
        row("double3x3", Double, Matrix(3)),
        row("double4x4", Double, Matrix(4)),
        row("color", Single, Color),
        row("color32", Unsigned(1), Color),
        row("string", Text, Vector(1)),
    ]
};

impl TypeInfo {
    /// Returns the type with this name. Names are case-sensitive.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        TYPES.iter().find(|info| info.name == name)
    }

    /// Returns the number of components of a value.
    pub fn component_count(&self) -> usize {
        match self.shape {
            Shape::Vector(count) => count.into(),
            Shape::Quaternion | Shape::Color => 4,
            Shape::Matrix(size) => usize::from(size) * usize::from(size),
        }
    }

    /// Returns the name of a component in AnimJ.
    pub fn member_name(&self, component: usize) -> &'static str {
        let names = if self.shape == Shape::Color { ["r", "g", "b", "a"] } else { MEMBER_NAMES };
        names[component]
    }

    /// Returns the size of a value in AnimX, in bytes. For strings, this is the smallest size.
    pub fn byte_size(&self) -> usize {
        let each = match self.scalar {
            // The booleans of a vector share one byte. A string has at least a byte that shows if
            // it is null.
            Scalar::Bool | Scalar::Text => return 1,
            Scalar::Unsigned(bytes) | Scalar::Signed(bytes) => bytes.into(),
            Scalar::Single => 4,
            Scalar::Double => 8,
        };
        each * self.component_count()
    }

    /// Returns `true` if Resonite cannot interpolate values of this type and always holds them.
    pub fn always_holds(&self) -> bool {
        matches!(self.scalar, Scalar::Bool | Scalar::Text)
    }

    /// Returns `true` if the type is a rotation.
    pub fn is_quaternion(&self) -> bool {
        self.shape == Shape::Quaternion
    }

    /// Returns the smallest and the largest integer of the type, or `None` if the type does not
    /// consist of integers.
    pub fn integer_bounds(&self) -> Option<(i64, u64)> {
        match self.scalar {
            Scalar::Unsigned(bytes) => Some((0, u64::MAX >> (64 - 8 * u32::from(bytes)))),
            Scalar::Signed(bytes) => {
                let unused = 64 - 8 * u32::from(bytes);
                Some((i64::MIN >> unused, (i64::MAX >> unused) as u64))
            }
            Scalar::Bool | Scalar::Single | Scalar::Double | Scalar::Text => None,
        }
    }

    /// Returns the integer of the type that is nearest to `number`. If the type does not consist of
    /// integers, returns `number`.
    pub fn nearest_integer(&self, number: f64) -> f64 {
        match self.integer_bounds() {
            Some((min, max)) => number.round().clamp(min as f64, max as f64),
            None => number,
        }
    }

    pub(super) fn to_value_type(&self) -> ValueType {
        let element = match (self.scalar, self.integer_bounds()) {
            (Scalar::Bool, _) => Element::Bool,
            (_, Some((min, max))) => Element::Integer { min, max },
            (_, None) => Element::Number,
        };
        let form = match self.shape {
            Shape::Vector(_) => Form::Plain,
            Shape::Quaternion => Form::Quaternion { authored_blend: Blend::Lerp },
            Shape::Color => Form::Color,
            Shape::Matrix(_) => Form::Matrix,
        };
        ValueType { name: self.name, element, form }
    }
}

const MEMBER_NAMES: [&str; 4] = ["x", "y", "z", "w"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_sizes_match_the_specification() {
        let sizes = [
            ("bool4", 1),
            ("ushort", 2),
            ("int3", 12),
            ("long4", 32),
            ("float3x3", 36),
            ("doubleQ", 32),
            ("double4x4", 128),
            ("color", 16),
            ("color32", 4),
        ];
        for (name, size) in sizes {
            assert_eq!(TypeInfo::from_name(name).map(TypeInfo::byte_size), Some(size), "{name}");
        }
        assert_eq!(TypeInfo::from_name("Float"), None);
    }

    #[test]
    fn integer_bounds_match_the_types() {
        let bounds = [
            ("byte", (0, 255)),
            ("sbyte", (-128, 127)),
            ("uint2", (0, u32::MAX.into())),
            ("long", (i64::MIN, i64::MAX as u64)),
            ("ulong", (0, u64::MAX)),
            ("color32", (0, 255)),
        ];
        for (name, bounds) in bounds {
            assert_eq!(TypeInfo::from_name(name).unwrap().integer_bounds(), Some(bounds), "{name}");
        }
    }
}
