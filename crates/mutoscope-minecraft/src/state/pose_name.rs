//! The poses of the game.

use strum::VariantArray as _;

/// A pose of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[repr(u8)]
#[allow(missing_docs, reason = "the game's own words")]
pub enum PoseName {
    #[default]
    Standing = 1,
    FallFlying,
    Sleeping,
    Swimming,
    SpinAttack,
    Crouching,
    Dying,
    LongJumping,
    Croaking,
    UsingTongue,
    Sitting,
    Roaring,
    Sniffing,
    Emerging,
    Digging,
    Sliding,
    Shooting,
    Inhaling,
}

impl PoseName {
    /// All poses, in the order of their ids, which start at 1.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the pose with this id, or `None` if no pose has this id. Id 0 means "unknown", for
    /// which `Standing` is returned.
    pub fn from_id(id: i32) -> Option<Self> {
        if id == 0 {
            return Some(Self::Standing);
        }
        let index = usize::try_from(id).ok()?.checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// Returns the game's name of the pose, such as `CROUCHING`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the height of a player's eyes in this pose, in blocks.
    pub fn eye_height(self) -> f64 {
        match self {
            Self::Crouching => 1.27,
            Self::Swimming | Self::FallFlying | Self::SpinAttack => 0.4,
            Self::Sleeping => 0.2,
            _ => 1.62,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pose_has_its_number_and_name() {
        for (index, &pose) in PoseName::ALL.iter().enumerate() {
            assert_eq!(pose as usize, index + 1);
            assert_eq!(PoseName::from_id(index as i32 + 1), Some(pose));
        }
        let names = [PoseName::Standing, PoseName::FallFlying, PoseName::UsingTongue];
        assert_eq!(names.map(PoseName::name), ["STANDING", "FALL_FLYING", "USING_TONGUE"]);
        assert_eq!(PoseName::from_id(0), Some(PoseName::Standing));
        assert_eq!([-1, 19].map(PoseName::from_id), [None, None]);
    }
}
