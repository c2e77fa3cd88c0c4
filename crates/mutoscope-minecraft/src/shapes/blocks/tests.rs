//! Tests that blocks match the tables of the format's description.

use glam::Vec3;

use super::*;
use crate::shapes::shape::tests::signed_volume;

fn boxes(block: &str) -> Vec<[f32; 6]> {
    let corners = |shape_box: &ShapeBox| {
        let [min, max] = [shape_box.min, shape_box.max];
        [min.x, min.y, min.z, max.x, max.y, max.z]
    };
    block_shape(block).boxes.iter().map(corners).collect()
}

/// The expected boxes are from the table in part E.1 of the format's description.
#[test]
fn partitions_match_the_table() {
    assert_eq!(boxes("oak_slab[type=bottom]"), [[0.0, 0.0, 0.0, 16.0, 8.0, 16.0]]);
    assert_eq!(boxes("oak_slab[type=top]"), [[0.0, 8.0, 0.0, 16.0, 16.0, 16.0]]);
    assert_eq!(boxes("oak_slab[type=double]"), [[0.0, 0.0, 0.0, 16.0, 16.0, 16.0]]);
    let low = [0.0, 0.0, 0.0, 16.0, 8.0, 16.0];
    for (state, upper) in [
        ("facing=east,half=bottom,shape=straight", vec![[8.0, 8.0, 0.0, 16.0, 16.0, 16.0]]),
        ("facing=east,half=bottom,shape=outer_right", vec![[8.0, 8.0, 8.0, 16.0, 16.0, 16.0]]),
        ("facing=east,half=bottom,shape=outer_left", vec![[8.0, 8.0, 0.0, 16.0, 16.0, 8.0]]),
        (
            "facing=east,half=bottom,shape=inner_right",
            vec![[8.0, 8.0, 0.0, 16.0, 16.0, 16.0], [0.0, 8.0, 8.0, 8.0, 16.0, 16.0]],
        ),
        (
            "facing=east,half=bottom,shape=inner_left",
            vec![[8.0, 8.0, 0.0, 16.0, 16.0, 16.0], [0.0, 8.0, 0.0, 8.0, 16.0, 8.0]],
        ),
        // Each quarter turn maps (x, z) to (16 − z, x).
        ("facing=south,half=bottom,shape=straight", vec![[0.0, 8.0, 8.0, 16.0, 16.0, 16.0]]),
        ("facing=north,half=bottom,shape=straight", vec![[0.0, 8.0, 0.0, 16.0, 16.0, 8.0]]),
    ] {
        let found = boxes(&format!("minecraft:oak_stairs[{state}]"));
        assert_eq!(found[0], low, "{state}");
        assert_eq!(found[1..], upper[..], "{state}");
    }
    let top = boxes("stone_stairs[facing=east,half=top,shape=straight]");
    assert_eq!(top, [[0.0, 8.0, 0.0, 16.0, 16.0, 16.0], [8.0, 0.0, 0.0, 16.0, 8.0, 16.0]]);
    let fence = boxes("oak_fence[north=true,east=true,south=false,west=false]");
    assert_eq!(fence[0], [6.0, 0.0, 6.0, 10.0, 16.0, 10.0]);
    assert!(fence.contains(&[7.0, 12.0, 0.0, 9.0, 15.0, 9.0]), "{fence:?}");
    assert!(fence.contains(&[7.0, 6.0, 7.0, 16.0, 9.0, 9.0]), "{fence:?}");
    assert_eq!(fence.len(), 5);
    let wall = boxes("cobblestone_wall[up=true,north=tall,east=low,south=none,west=none]");
    assert_eq!(wall[0], [4.0, 0.0, 4.0, 12.0, 16.0, 12.0]);
    assert!(wall.contains(&[5.0, 0.0, 0.0, 11.0, 16.0, 8.0]), "{wall:?}");
    assert!(wall.contains(&[8.0, 0.0, 5.0, 16.0, 14.0, 11.0]), "{wall:?}");
    let pane = boxes("glass_pane[north=false,east=true,south=false,west=true]");
    assert!(pane.contains(&[9.0, 0.0, 7.0, 16.0, 16.0, 9.0]), "{pane:?}");
    assert!(pane.contains(&[0.0, 0.0, 7.0, 7.0, 16.0, 9.0]), "{pane:?}");
}

#[test]
fn doors_gates_and_buttons_match_the_table() {
    let leaf = |state: &str| boxes(&format!("minecraft:oak_door[{state}]"))[0];
    assert_eq!(leaf("facing=east,open=false,hinge=left"), [0.0, 0.0, 0.0, 3.0, 16.0, 16.0]);
    // An open door with a left hinge has the box of a closed door that is turned clockwise, which
    // faces south.
    let south = leaf("facing=south,open=false,hinge=left");
    assert_eq!(south, [0.0, 0.0, 0.0, 16.0, 16.0, 3.0]);
    assert_eq!(leaf("facing=east,open=true,hinge=left"), south);
    let north = leaf("facing=north,open=false,hinge=left");
    assert_eq!(north, [0.0, 0.0, 13.0, 16.0, 16.0, 16.0]);
    assert_eq!(leaf("facing=east,open=true,hinge=right"), north);
    let trapdoor = |state: &str| boxes(&format!("oak_trapdoor[{state}]"))[0];
    assert_eq!(trapdoor("facing=north,half=bottom,open=false"), [0.0, 0.0, 0.0, 16.0, 3.0, 16.0]);
    assert_eq!(trapdoor("facing=north,half=top,open=false"), [0.0, 13.0, 0.0, 16.0, 16.0, 16.0]);
    assert_eq!(trapdoor("facing=north,half=top,open=true"), [0.0, 0.0, 13.0, 16.0, 16.0, 16.0]);
    let gate = boxes("oak_fence_gate[facing=north,open=false]");
    assert!(gate.contains(&[0.0, 5.0, 7.0, 2.0, 16.0, 9.0]), "{gate:?}");
    assert_eq!(
        boxes("stone_button[face=floor,facing=north,powered=false]"),
        [[5.0, 0.0, 6.0, 11.0, 2.0, 10.0]]
    );
    assert_eq!(
        boxes("stone_button[face=floor,facing=east,powered=true]"),
        [[6.0, 0.0, 5.0, 10.0, 1.0, 11.0]]
    );
    assert_eq!(
        boxes("stone_button[face=wall,facing=north,powered=false]"),
        [[5.0, 6.0, 14.0, 11.0, 10.0, 16.0]]
    );
    assert_eq!(boxes("stone_pressure_plate[powered=false]"), [[1.0, 0.0, 1.0, 15.0, 1.0, 15.0]]);
    let stick = |powered: bool| {
        let lever = block_shape(&format!("lever[face=floor,facing=north,powered={powered}]"));
        lever.boxes[1].corners().iter().map(|corner| corner.z).fold(0.0, f32::max)
    };
    assert!((stick(true) - stick(false)).abs() > 5.0, "it is thrown to the other side");
}

#[test]
fn furniture_and_plants_match_the_table() {
    let bed = boxes("red_bed[facing=north,part=foot]");
    assert!(bed.contains(&[0.0, 3.0, 0.0, 16.0, 9.0, 16.0]), "{bed:?}");
    assert!(bed.contains(&[0.0, 0.0, 13.0, 3.0, 3.0, 16.0]), "legs at its end: {bed:?}");
    let head = boxes("red_bed[facing=north,part=head]");
    assert!(head.contains(&[13.0, 0.0, 0.0, 16.0, 3.0, 3.0]), "{head:?}");
    assert_eq!(boxes("chest[facing=north,type=single]")[0], [1.0, 0.0, 1.0, 15.0, 14.0, 15.0]);
    assert_eq!(boxes("chest[facing=north,type=left]")[0], [1.0, 0.0, 1.0, 16.0, 14.0, 15.0]);
    assert_eq!(boxes("chest[facing=north,type=right]")[0], [0.0, 0.0, 1.0, 15.0, 14.0, 15.0]);
    assert_eq!(boxes("white_carpet"), [[0.0, 0.0, 0.0, 16.0, 1.0, 16.0]]);
    assert_eq!(boxes("snow[layers=3]"), [[0.0, 0.0, 0.0, 16.0, 6.0, 16.0]]);
    assert_eq!(boxes("cake[bites=3]")[0], [7.0, 0.0, 1.0, 15.0, 8.0, 15.0]);
    assert_eq!(boxes("torch")[0], [7.0, 0.0, 7.0, 9.0, 10.0, 9.0]);
    assert_eq!(boxes("water[level=0]"), [[0.0, 0.0, 0.0, 16.0, 14.0, 16.0]]);
    assert_eq!(boxes("stone"), [[0.0, 0.0, 0.0, 16.0, 16.0, 16.0]]);
    let [min, max] = block_shape("short_grass").bounds();
    assert!((min.x - 0.8).abs() < 0.4 && (max.x - 15.2).abs() < 0.4, "{min} {max}");
    let [min, max] = block_shape("poppy").bounds();
    assert!(min.x > 3.0 && max.x < 13.0 && max.y > 12.0, "{min} {max}");
    assert!(boxes("wheat[age=7]").len() >= 4);
    let young = block_shape("wheat[age=0]").bounds()[1].y;
    assert!(block_shape("wheat[age=7]").bounds()[1].y > young + 5.0);
}

#[test]
fn wall_torches_lean_from_the_wall() {
    for (facing, ahead) in
        [("north", Vec3::NEG_Z), ("east", Vec3::X), ("south", Vec3::Z), ("west", Vec3::NEG_X)]
    {
        let torch = block_shape(&format!("wall_torch[facing={facing}]"));
        let [min, max] = torch.boxes[0]
            .corners()
            .iter()
            .fold([Vec3::splat(99.0), Vec3::splat(-99.0)], |[min, max], corner| {
                [min.min(*corner), max.max(*corner)]
            });
        let middle = (min + max) / 2.0 - 8.0;
        assert!(middle.dot(ahead) < -3.0, "{facing}: on the wall behind it: {middle}");
        let corners = torch.boxes[0].corners();
        let top = corners.iter().filter(|corner| corner.y > max.y - 2.5);
        let lean = top.clone().sum::<Vec3>() / top.count() as f32 - 8.0;
        assert!(lean.dot(ahead) > middle.dot(ahead), "{facing} leans away from it");
    }
}

#[test]
fn invisible_blocks_have_no_boxes() {
    for block in ["minecraft:air", "cave_air", "light[level=3]", "barrier", "structure_void"] {
        assert!(block_shape(block).boxes.is_empty(), "{block}");
    }
}

#[test]
fn random_states_have_closed_shapes() {
    const NAMES: [&str; 46] = [
        "oak_slab",
        "oak_stairs",
        "oak_door",
        "oak_trapdoor",
        "oak_fence_gate",
        "oak_fence",
        "cobblestone_wall",
        "glass_pane",
        "iron_bars",
        "wall_torch",
        "torch",
        "lantern",
        "chain",
        "carpet",
        "snow",
        "red_bed",
        "chest",
        "stone_button",
        "lever",
        "stone_pressure_plate",
        "ladder",
        "vine",
        "rail",
        "poppy",
        "wheat",
        "anvil",
        "cactus",
        "cake",
        "flower_pot",
        "end_rod",
        "candle",
        "player_head",
        "oak_sign",
        "oak_wall_sign",
        "repeater",
        "lily_pad",
        "water",
        "lava",
        "farmland",
        "furnace",
        "oak_log",
        "ender_chest",
        "tall_grass",
        "redstone_wire",
        "#836",
        "",
    ];
    const KEYS: [&str; 16] = [
        "facing", "half", "type", "shape", "open", "hinge", "north", "up", "layers", "bites",
        "age", "face", "powered", "axis", "rotation", "level",
    ];
    const VALUES: [&str; 18] = [
        "north",
        "east",
        "south",
        "west",
        "up",
        "down",
        "top",
        "bottom",
        "true",
        "false",
        "99",
        "-7",
        "inner_left",
        "outer_right",
        "left",
        "floor",
        "",
        "🐄",
    ];
    let mut rng = fastrand::Rng::with_seed(5);
    for _ in 0..20_000 {
        let name = NAMES[rng.usize(..NAMES.len())];
        let property = |rng: &mut fastrand::Rng| {
            format!("{}={}", KEYS[rng.usize(..KEYS.len())], VALUES[rng.usize(..VALUES.len())])
        };
        let properties: Vec<_> = (0..rng.usize(..5)).map(|_| property(&mut rng)).collect();
        let block = format!("minecraft:{name}[{}", properties.join(","));
        let shape = block_shape(&block);
        let [min, max] = shape.bounds();
        assert!(min.min_element() > -9.0 && max.max_element() < 40.0, "{block}: {min} {max}");
        let mesh = shape.to_mesh(1.0 / 16.0, Vec3::ZERO);
        assert!(mesh.positions.as_flattened().iter().all(|number| number.is_finite()), "{block}");
        assert!(signed_volume(&mesh) >= 0.0, "{block}");
    }
}
