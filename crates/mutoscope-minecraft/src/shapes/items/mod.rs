//! Items as boxes, by family, and how hands hold them.
//!
//! | file | what it has |
//! |---|---|
//! | `family` | which item is of which family |
//! | `display` | how items of a family are turned in a hand |
//! | `pictures` | flat items, pixel by pixel |
//! | `models` | shields, tridents, spyglasses |
//!
//! A model is in the game's space of items: 0 to 16 along x, y and z, the picture's left upper corner at
//! x = 0, y = 16.

mod display;
mod family;
mod models;
mod pictures;

use glam::Vec3;

pub use display::held;
pub use family::ItemFamily;

use super::{
    blocks,
    colors::color_of,
    shape::{Shape, ShapeBox},
};

/// The boxes of an item, about the middle of its model, in sixteenths of a block.
pub fn item_shape(id: &str) -> Shape {
    let family = ItemFamily::of(id);
    let shape = match family {
        ItemFamily::Block => {
            let boxes = blocks::shape_of(id).boxes;
            // A block without a shape is a plate in the hand.
            if boxes.is_empty() { pictures::card(id) } else { boxes.into() }
        }
        ItemFamily::Shield => models::shield(),
        ItemFamily::Trident => models::trident(),
        ItemFamily::Spyglass => models::spyglass(),
        _ => pictures::of(id, color_of(id)),
    };
    let centred = shape.boxes.iter().map(|one| one.moved(Vec3::splat(-8.0)));
    centred.collect::<Vec<_>>().into()
}

/// An item that lies on the ground.
pub(super) struct OnGround {
    /// At the size of the ground, about the place that bobs.
    pub(super) shape: Shape,
    /// How far above the bobbing that place is, in metres.
    pub(super) lift: f64,
}

pub(super) fn on_ground(id: &str) -> OnGround {
    let (scale, up) = match ItemFamily::of(id) {
        ItemFamily::Block => (0.25, 3.0),
        _ => (0.5, 2.0),
    };
    let smaller = |one: &ShapeBox| ShapeBox {
        min: one.min * scale + Vec3::Y * up,
        max: one.max * scale + Vec3::Y * up,
        about: one.about * scale + Vec3::Y * up,
        ..*one
    };
    let boxes: Vec<_> = item_shape(id).boxes.iter().map(smaller).collect();
    OnGround { shape: boxes.into(), lift: 0.25 * f64::from(scale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(id: &str) -> Vec3 {
        let [least, most] = item_shape(id).bounds();
        most - least
    }

    #[test]
    fn items_have_the_size_of_their_model() {
        assert_eq!(size("minecraft:stone"), Vec3::splat(16.0));
        assert_eq!(size("minecraft:oak_slab").y, 8.0);
        let shield = size("minecraft:shield");
        assert_eq!([shield.x, shield.y], [12.0, 22.0]);
        // Pole, base and spikes: 31 long.
        assert_eq!(size("minecraft:trident").y, 31.0);
        for flat in
            ["minecraft:apple", "minecraft:iron_sword", "minecraft:bow", "somemod:gizmo", "#836"]
        {
            let size = size(flat);
            assert_eq!(size.z, 1.0, "{flat} is a sixteenth thick");
            assert!(size.x > 6.0 && size.x <= 16.0 && size.y <= 16.0, "{flat}: {size}");
        }
    }

    #[test]
    fn any_name_is_some_item() {
        let mut chance = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let name: String =
                (0..chance.usize(..12)).map(|_| chance.char('\0'..='\u{3000}')).collect();
            for end in ["", "_sword", "_slab", "_door", "_spawn_egg"] {
                assert!(!item_shape(&format!("{name}{end}")).boxes.is_empty(), "{name}{end}");
            }
        }
    }

    #[test]
    fn blades_point_up_and_to_the_right() {
        let shape = item_shape("minecraft:diamond_sword");
        let blade = color_of("minecraft:diamond_sword");
        let of = |color: u32| {
            let boxes: Vec<_> = shape.boxes.iter().filter(|one| one.color == color).collect();
            boxes.iter().map(|one| (one.min + one.max) / 2.0).sum::<Vec3>() / boxes.len() as f32
        };
        let handle = of(pictures::WOOD);
        assert!((of(blade) - handle).cmpgt(Vec3::new(2.0, 2.0, -1.0)).all());
    }
}
