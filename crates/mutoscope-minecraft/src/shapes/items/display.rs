//! The transforms of items in a hand in third person. The numbers are the game's.

use glam::{DQuat, DVec3};

use super::ItemFamily;
use mutoscope_core::clip::Transform;

/// The rotation about x, y and z in degrees, the translation in sixteenths of a block, and the
/// scale.
struct HandDisplay([f64; 3], [f64; 3], f64);

/// Returns the transform of an item relative to the hand, in blocks. The origin is the centre of
/// the item. `is_used` is `true` while the player blocks with a shield or is about to throw a
/// trident.
pub fn held_item_transform(family: ItemFamily, is_right: bool, is_used: bool) -> Transform {
    let HandDisplay(angles, place, scale) = hand_display(family, is_right, is_used);
    // Mirror the numbers for the left hand, because the game does so.
    let side = if is_right { 1.0 } else { -1.0 };
    let [x, y, z] = angles.map(f64::to_radians);
    let rotation = DQuat::from_rotation_x(x)
        * DQuat::from_rotation_y(side * y)
        * DQuat::from_rotation_z(side * z);
    let translation = DVec3::new(side * place[0], place[1], place[2]) / 16.0;
    Transform { translation, rotation, scale: DVec3::splat(scale) }
}

fn hand_display(family: ItemFamily, is_right: bool, is_used: bool) -> HandDisplay {
    match (family, is_right, is_used) {
        (ItemFamily::Flat, ..) => HandDisplay([0.0, 0.0, 0.0], [0.0, 3.0, 1.0], 0.55),
        (ItemFamily::Handheld, true, _) => HandDisplay([0.0, -90.0, 55.0], [0.0, 4.0, 0.5], 0.85),
        (ItemFamily::Handheld, false, _) => HandDisplay([0.0, 90.0, -55.0], [0.0, 4.0, 0.5], 0.85),
        (ItemFamily::Rod, true, _) => HandDisplay([0.0, 90.0, 55.0], [0.0, 4.0, 2.5], 0.85),
        (ItemFamily::Rod, false, _) => HandDisplay([0.0, -90.0, -55.0], [0.0, 4.0, 2.5], 0.85),
        (ItemFamily::Mace, true, _) => HandDisplay([0.0, -90.0, 55.0], [0.0, 4.0, 1.0], 1.0),
        (ItemFamily::Mace, false, _) => HandDisplay([0.0, 90.0, -55.0], [0.0, 4.0, 1.0], 1.0),
        (ItemFamily::Block, ..) => HandDisplay([75.0, 45.0, 0.0], [0.0, 2.5, 0.0], 0.375),
        (ItemFamily::Bow, true, _) => HandDisplay([-80.0, 260.0, -40.0], [-1.0, -2.0, 2.5], 0.9),
        (ItemFamily::Bow, false, _) => HandDisplay([-80.0, -280.0, 40.0], [-1.0, -2.0, 2.5], 0.9),
        (ItemFamily::Crossbow, true, _) => HandDisplay([-90.0, 0.0, -60.0], [2.0, 0.1, -3.0], 0.9),
        (ItemFamily::Crossbow, false, _) => HandDisplay([-90.0, 0.0, 30.0], [2.0, 0.1, -3.0], 0.9),
        (ItemFamily::Shield, true, false) => HandDisplay([0.0, 90.0, 0.0], [10.0, 6.0, -4.0], 1.0),
        (ItemFamily::Shield, false, false) => HandDisplay([0.0, 90.0, 0.0], [10.0, 6.0, 12.0], 1.0),
        (ItemFamily::Shield, true, true) => {
            HandDisplay([45.0, 135.0, 0.0], [3.51, 11.0, -2.0], 1.0)
        }
        (ItemFamily::Shield, false, true) => {
            HandDisplay([45.0, 135.0, 0.0], [13.51, 3.0, 5.0], 1.0)
        }
        (ItemFamily::Trident, true, false) => {
            HandDisplay([0.0, 60.0, 0.0], [11.0, 17.0, -2.0], 1.0)
        }
        (ItemFamily::Trident, false, false) => {
            HandDisplay([0.0, 60.0, 0.0], [3.0, 17.0, 12.0], 1.0)
        }
        (ItemFamily::Trident, true, true) => {
            HandDisplay([0.0, 90.0, 180.0], [8.0, -17.0, 9.0], 1.0)
        }
        (ItemFamily::Trident, false, true) => {
            HandDisplay([0.0, 90.0, 180.0], [8.0, -17.0, -7.0], 1.0)
        }
        (ItemFamily::Spyglass, ..) => HandDisplay([0.0; 3], [0.0, -2.0, 0.0], 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part;

    /// Rotates a direction of an item's model into the frame of a hanging arm, in which y points up
    /// and −Z forwards.
    fn direction_in_arm(
        family: ItemFamily,
        is_right: bool,
        is_used: bool,
        direction: DVec3,
    ) -> DVec3 {
        let part = if is_right { Part::RightArm } else { Part::LeftArm };
        let hand = part.hand_transform(false).unwrap();
        hand.rotation * (held_item_transform(family, is_right, is_used).rotation * direction)
    }

    /// The expected directions follow from the table in part C.3 of the format's description,
    /// worked out with matrices by hand.
    #[test]
    fn held_items_are_rotated_as_in_the_table() {
        let upper_right = DVec3::new(1.0, 1.0, 0.0).normalize();
        let upper_left = DVec3::new(-1.0, 1.0, 0.0).normalize();
        for is_right in [true, false] {
            // The blade points forwards and slightly down.
            let blade = direction_in_arm(ItemFamily::Handheld, is_right, false, upper_right);
            assert!(blade.abs_diff_eq(DVec3::new(0.0, -0.173_648, -0.984_808), 1e-5), "{blade}");
            // The belly of the bow points along the arm, its upper end forwards.
            let belly = direction_in_arm(ItemFamily::Bow, is_right, false, upper_left);
            assert!(belly.y < -0.99, "{belly}");
            let end = direction_in_arm(ItemFamily::Bow, is_right, false, upper_right);
            assert!(end.z < -0.97, "{end}");
            // A card stands in front of the hand, and its picture is visible from above.
            let up = direction_in_arm(ItemFamily::Flat, is_right, false, DVec3::Y);
            assert!(up.abs_diff_eq(DVec3::NEG_Z, 1e-9), "{up}");
        }
        let crossbow = direction_in_arm(ItemFamily::Crossbow, true, false, upper_left);
        assert!(crossbow.abs_diff_eq(DVec3::new(0.258_819, -0.965_926, 0.0), 1e-5), "{crossbow}");
        let shield = direction_in_arm(ItemFamily::Shield, true, false, DVec3::Z);
        assert!(shield.abs_diff_eq(DVec3::X, 1e-9), "its face is outside: {shield}");
        let raised = direction_in_arm(ItemFamily::Shield, true, true, DVec3::Z);
        assert!(raised.abs_diff_eq(DVec3::new(0.5_f64.sqrt(), -0.5, -0.5), 1e-5), "{raised}");
    }

    #[test]
    fn held_items_are_placed_as_in_the_table() {
        let place = |family, is_right| held_item_transform(family, is_right, false);
        let block = place(ItemFamily::Block, true);
        assert_eq!(
            (block.translation, block.scale),
            (DVec3::new(0.0, 0.15625, 0.0), DVec3::splat(0.375))
        );
        assert_eq!(place(ItemFamily::Shield, true).translation, DVec3::new(0.625, 0.375, -0.25));
        assert_eq!(place(ItemFamily::Shield, false).translation, DVec3::new(-0.625, 0.375, 0.75));
        assert_eq!(place(ItemFamily::Flat, false).scale, DVec3::splat(0.55));
    }
}
