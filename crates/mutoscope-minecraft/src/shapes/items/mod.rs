//! Items as boxes, and the transforms with which hands hold them.
//!
//! | file | what it has |
//! |---|---|
//! | `family` | the family of an item |
//! | `display` | the transform of an item in a hand, by family |
//! | `pictures` | flat items, pixel by pixel |
//! | `models` | shields, tridents, spyglasses |
//!
//! A model is in the game's space of items: 0 to 16 along x, y and z. The upper left corner of its
//! picture is at x = 0, y = 16.

mod display;
mod family;
mod models;
mod pictures;

use glam::Vec3;

pub use display::held_item_transform;
pub use family::ItemFamily;

use super::{
    blocks,
    colors::color_of,
    shape::{Shape, ShapeBox},
};

/// Returns the boxes of an item, in sixteenths of a block. The model is centred at the origin.
pub fn item_shape(id: &str) -> Shape {
    let family = ItemFamily::from_id(id);
    let shape = match family {
        ItemFamily::Block => {
            let boxes = blocks::block_shape(id).boxes;
            // Draw a block without boxes, such as air, as a card.
            if boxes.is_empty() { pictures::card_shape(id) } else { boxes.into() }
        }
        ItemFamily::Shield => models::shield(),
        ItemFamily::Trident => models::trident(),
        ItemFamily::Spyglass => models::spyglass(),
        _ => pictures::picture_shape(id, color_of(id)),
    };
    let centred = shape.boxes.iter().map(|shape_box| shape_box.translated(Vec3::splat(-8.0)));
    centred.collect::<Vec<_>>().into()
}

pub(super) struct GroundItem {
    pub(super) shape: Shape,
    pub(super) lift: f64,
}

pub(super) fn ground_item(id: &str) -> GroundItem {
    let (scale, up) = match ItemFamily::from_id(id) {
        ItemFamily::Block => (0.25, 3.0),
        _ => (0.5, 2.0),
    };
    let smaller = |shape_box: &ShapeBox| ShapeBox {
        min: shape_box.min * scale + Vec3::Y * up,
        max: shape_box.max * scale + Vec3::Y * up,
        pivot: shape_box.pivot * scale + Vec3::Y * up,
        ..*shape_box
    };
    let boxes: Vec<_> = item_shape(id).boxes.iter().map(smaller).collect();
    GroundItem { shape: boxes.into(), lift: 0.25 * f64::from(scale) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(id: &str) -> Vec3 {
        let [min, max] = item_shape(id).bounds();
        max - min
    }

    #[test]
    fn items_have_the_size_of_their_model() {
        assert_eq!(size("minecraft:stone"), Vec3::splat(16.0));
        assert_eq!(size("minecraft:oak_slab").y, 8.0);
        let shield = size("minecraft:shield");
        assert_eq!([shield.x, shield.y], [12.0, 22.0]);
        // The trident is 31 units long: pole, base and spikes.
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
    fn every_name_has_a_shape() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let name: String = (0..rng.usize(..12)).map(|_| rng.char('\0'..='\u{3000}')).collect();
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
            let boxes: Vec<_> =
                shape.boxes.iter().filter(|shape_box| shape_box.color == color).collect();
            boxes.iter().map(|shape_box| (shape_box.min + shape_box.max) / 2.0).sum::<Vec3>()
                / boxes.len() as f32
        };
        let handle = of(pictures::WOOD);
        assert!((of(blade) - handle).cmpgt(Vec3::new(2.0, 2.0, -1.0)).all());
    }
}
