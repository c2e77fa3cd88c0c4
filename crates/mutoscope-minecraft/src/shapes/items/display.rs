//! How items of a family are turned in a hand of third person: the game's own numbers.

use glam::{DQuat, DVec3};

use super::ItemFamily;
use mutoscope_core::clip::Transform;

/// Degrees about x, y and z; sixteenths of a block; how large.
struct Display([f64; 3], [f64; 3], f64);

/// Where an item of a family is in a hand, relative to the hand's own place: for its model about its
/// middle, in blocks. `is_used` while a shield blocks or a trident is thrown.
pub fn held(family: ItemFamily, is_right: bool, is_used: bool) -> Transform {
    let Display(angles, place, scale) = display(family, is_right, is_used);
    // The game mirrors what its tables have for left hands.
    let side = if is_right { 1.0 } else { -1.0 };
    let [x, y, z] = angles.map(f64::to_radians);
    let rotation = DQuat::from_rotation_x(x)
        * DQuat::from_rotation_y(side * y)
        * DQuat::from_rotation_z(side * z);
    let translation = DVec3::new(side * place[0], place[1], place[2]) / 16.0;
    Transform { translation, rotation, scale: DVec3::splat(scale) }
}

fn display(family: ItemFamily, is_right: bool, is_used: bool) -> Display {
    match (family, is_right, is_used) {
        (ItemFamily::Flat, ..) => Display([0.0, 0.0, 0.0], [0.0, 3.0, 1.0], 0.55),
        (ItemFamily::Handheld, true, _) => Display([0.0, -90.0, 55.0], [0.0, 4.0, 0.5], 0.85),
        (ItemFamily::Handheld, false, _) => Display([0.0, 90.0, -55.0], [0.0, 4.0, 0.5], 0.85),
        (ItemFamily::Rod, true, _) => Display([0.0, 90.0, 55.0], [0.0, 4.0, 2.5], 0.85),
        (ItemFamily::Rod, false, _) => Display([0.0, -90.0, -55.0], [0.0, 4.0, 2.5], 0.85),
        (ItemFamily::Mace, true, _) => Display([0.0, -90.0, 55.0], [0.0, 4.0, 1.0], 1.0),
        (ItemFamily::Mace, false, _) => Display([0.0, 90.0, -55.0], [0.0, 4.0, 1.0], 1.0),
        (ItemFamily::Block, ..) => Display([75.0, 45.0, 0.0], [0.0, 2.5, 0.0], 0.375),
        (ItemFamily::Bow, true, _) => Display([-80.0, 260.0, -40.0], [-1.0, -2.0, 2.5], 0.9),
        (ItemFamily::Bow, false, _) => Display([-80.0, -280.0, 40.0], [-1.0, -2.0, 2.5], 0.9),
        (ItemFamily::Crossbow, true, _) => Display([-90.0, 0.0, -60.0], [2.0, 0.1, -3.0], 0.9),
        (ItemFamily::Crossbow, false, _) => Display([-90.0, 0.0, 30.0], [2.0, 0.1, -3.0], 0.9),
        (ItemFamily::Shield, true, false) => Display([0.0, 90.0, 0.0], [10.0, 6.0, -4.0], 1.0),
        (ItemFamily::Shield, false, false) => Display([0.0, 90.0, 0.0], [10.0, 6.0, 12.0], 1.0),
        (ItemFamily::Shield, true, true) => Display([45.0, 135.0, 0.0], [3.51, 11.0, -2.0], 1.0),
        (ItemFamily::Shield, false, true) => Display([45.0, 135.0, 0.0], [13.51, 3.0, 5.0], 1.0),
        (ItemFamily::Trident, true, false) => Display([0.0, 60.0, 0.0], [11.0, 17.0, -2.0], 1.0),
        (ItemFamily::Trident, false, false) => Display([0.0, 60.0, 0.0], [3.0, 17.0, 12.0], 1.0),
        (ItemFamily::Trident, true, true) => Display([0.0, 90.0, 180.0], [8.0, -17.0, 9.0], 1.0),
        (ItemFamily::Trident, false, true) => Display([0.0, 90.0, 180.0], [8.0, -17.0, -7.0], 1.0),
        (ItemFamily::Spyglass, ..) => Display([0.0; 3], [0.0, -2.0, 0.0], 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part;

    /// Where a direction of an item's model points in the frame of the arm that hangs down, y
    /// upwards and −Z ahead.
    fn in_arm(family: ItemFamily, is_right: bool, is_used: bool, direction: DVec3) -> DVec3 {
        let part = if is_right { Part::RightArm } else { Part::LeftArm };
        let hand = part.hand(false).unwrap();
        hand.rotation * (held(family, is_right, is_used).rotation * direction)
    }

    /// By the table of the format's description, part C.3, worked out with matrices by hand.
    #[test]
    fn items_are_turned_as_the_table_says() {
        let upper_right = DVec3::new(1.0, 1.0, 0.0).normalize();
        let upper_left = DVec3::new(-1.0, 1.0, 0.0).normalize();
        for is_right in [true, false] {
            // The blade points ahead, a little down.
            let blade = in_arm(ItemFamily::Handheld, is_right, false, upper_right);
            assert!(blade.abs_diff_eq(DVec3::new(0.0, -0.173_648, -0.984_808), 1e-5), "{blade}");
            // The bow's belly points along the arm, its upper end ahead.
            let belly = in_arm(ItemFamily::Bow, is_right, false, upper_left);
            assert!(belly.y < -0.99, "{belly}");
            let end = in_arm(ItemFamily::Bow, is_right, false, upper_right);
            assert!(end.z < -0.97, "{end}");
            // A card stands ahead of the hand, its picture seen from above.
            let up = in_arm(ItemFamily::Flat, is_right, false, DVec3::Y);
            assert!(up.abs_diff_eq(DVec3::NEG_Z, 1e-9), "{up}");
        }
        let crossbow = in_arm(ItemFamily::Crossbow, true, false, upper_left);
        assert!(crossbow.abs_diff_eq(DVec3::new(0.258_819, -0.965_926, 0.0), 1e-5), "{crossbow}");
        let shield = in_arm(ItemFamily::Shield, true, false, DVec3::Z);
        assert!(shield.abs_diff_eq(DVec3::X, 1e-9), "its face is outside: {shield}");
        let raised = in_arm(ItemFamily::Shield, true, true, DVec3::Z);
        assert!(raised.abs_diff_eq(DVec3::new(0.5_f64.sqrt(), -0.5, -0.5), 1e-5), "{raised}");
    }

    #[test]
    fn items_are_placed_as_the_table_says() {
        let place = |family, is_right| held(family, is_right, false);
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
