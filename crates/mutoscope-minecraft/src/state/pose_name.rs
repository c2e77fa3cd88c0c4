//! The poses of the game.

/// A pose of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// All poses with their names, in the order of their ids, which start at 1.
const POSES: [(PoseName, &str); 18] = [
    (PoseName::Standing, "STANDING"),
    (PoseName::FallFlying, "FALL_FLYING"),
    (PoseName::Sleeping, "SLEEPING"),
    (PoseName::Swimming, "SWIMMING"),
    (PoseName::SpinAttack, "SPIN_ATTACK"),
    (PoseName::Crouching, "CROUCHING"),
    (PoseName::Dying, "DYING"),
    (PoseName::LongJumping, "LONG_JUMPING"),
    (PoseName::Croaking, "CROAKING"),
    (PoseName::UsingTongue, "USING_TONGUE"),
    (PoseName::Sitting, "SITTING"),
    (PoseName::Roaring, "ROARING"),
    (PoseName::Sniffing, "SNIFFING"),
    (PoseName::Emerging, "EMERGING"),
    (PoseName::Digging, "DIGGING"),
    (PoseName::Sliding, "SLIDING"),
    (PoseName::Shooting, "SHOOTING"),
    (PoseName::Inhaling, "INHALING"),
];

impl PoseName {
    /// All poses, in the order of their ids.
    pub const ALL: [Self; 18] = {
        let mut all = [Self::Standing; 18];
        let mut index = 0;
        while index < all.len() {
            all[index] = POSES[index].0;
            index += 1;
        }
        all
    };

    /// Returns the pose with this id, or `None` if no pose has this id. Id 0 means "unknown", for
    /// which `Standing` is returned.
    pub fn from_id(id: i32) -> Option<Self> {
        if id == 0 {
            return Some(Self::Standing);
        }
        let index = usize::try_from(id).ok()?.checked_sub(1)?;
        POSES.get(index).map(|pose| pose.0)
    }

    /// Returns the game's name of the pose, such as `CROUCHING`.
    pub fn name(self) -> &'static str {
        POSES[self as usize - 1].1
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
        for (index, (pose, name)) in POSES.into_iter().enumerate() {
            assert_eq!(pose as usize, index + 1, "{name}");
            assert_eq!(PoseName::from_id(index as i32 + 1), Some(pose));
            assert_eq!(pose.name(), name);
        }
        assert_eq!(PoseName::from_id(0), Some(PoseName::Standing));
        assert_eq!([-1, 19].map(PoseName::from_id), [None, None]);
    }
}
