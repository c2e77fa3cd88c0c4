//! The game's poses.

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

/// All poses with their names, in the order of their numbers, from 1 on.
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
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 18] = {
        let mut all = [Self::Standing; 18];
        let mut index = 0;
        while index < all.len() {
            all[index] = POSES[index].0;
            index += 1;
        }
        all
    };

    /// The pose with this number; nothing if there is none. 0, "unknown", is STANDING.
    pub fn numbered(number: i32) -> Option<Self> {
        if number == 0 {
            return Some(Self::Standing);
        }
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        POSES.get(index).map(|pose| pose.0)
    }

    /// The game's name for it: `CROUCHING`.
    pub fn name(self) -> &'static str {
        POSES[self as usize - 1].1
    }

    /// How high the eyes of a player in this pose are, in blocks.
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
            assert_eq!(PoseName::numbered(index as i32 + 1), Some(pose));
            assert_eq!(pose.name(), name);
        }
        assert_eq!(PoseName::numbered(0), Some(PoseName::Standing));
        assert_eq!([-1, 19].map(PoseName::numbered), [None, None]);
    }
}
