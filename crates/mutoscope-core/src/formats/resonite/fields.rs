//! The fields of a slot that form its transform.

use super::types::TypeInfo;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The position, in metres.
    Position,
    /// The rotation.
    Rotation,
    /// The scale.
    Scale,
}

impl Field {
    pub(super) fn from_name(property: &str) -> Option<Self> {
        match property {
            "Position" => Some(Self::Position),
            "Rotation" => Some(Self::Rotation),
            "Scale" => Some(Self::Scale),
            _ => None,
        }
    }

    pub(super) fn type_name(self) -> &'static str {
        match self {
            Self::Position | Self::Scale => "float3",
            Self::Rotation => "floatQ",
        }
    }

    pub(super) fn accepts(self, value_type: &TypeInfo) -> bool {
        value_type.name == self.type_name()
            || matches!(
                (self, value_type.name),
                (Self::Position | Self::Scale, "double3") | (Self::Rotation, "doubleQ")
            )
    }
}
