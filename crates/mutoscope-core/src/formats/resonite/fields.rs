//! The fields of a slot that make its transform.

use super::types::TypeInfo;

/// A field of a slot that says where it stands, relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// Where it is, in metres.
    Position,
    /// How it is turned.
    Rotation,
    /// How large it is.
    Scale,
}

impl Field {
    /// The field of this name, which is case-sensitive.
    pub(super) fn named(property: &str) -> Option<Self> {
        match property {
            "Position" => Some(Self::Position),
            "Rotation" => Some(Self::Rotation),
            "Scale" => Some(Self::Scale),
            _ => None,
        }
    }

    /// The name of the type that it has in Resonite.
    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Position | Self::Scale => "float3",
            Self::Rotation => "floatQ",
        }
    }

    /// Whether values of this type say what the field wants to know, if in double precision.
    pub(super) fn can_take(self, value_type: &TypeInfo) -> bool {
        value_type.name == self.type_name()
            || matches!(
                (self, value_type.name),
                (Self::Position | Self::Scale, "double3") | (Self::Rotation, "doubleQ")
            )
    }
}
