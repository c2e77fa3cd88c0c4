//! Torches, lanterns, chains, rods and candles.

use glam::Quat;

use super::{
    super::shape::{Rgb, ShapeBox},
    colored_box,
    state::{ParsedBlock, rotate_quarter_turns},
};

const STICK: Rgb = 0x7a5c38;

pub(super) fn boxes(state: &ParsedBlock<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    Some(match state.name {
        name if name.ends_with("wall_torch") => {
            let torch = torch(state).into_iter().map(|shape_box| {
                // Place the torch at the west wall and tilt it away from the wall. Such a torch
                // faces east.
                let by = glam::Vec3::new(-8.0, 3.5, 0.0);
                let lean = Quat::from_rotation_z(-22.5_f32.to_radians());
                shape_box.translated(by).rotated_about(lean, [0.0, 3.5, 8.0])
            });
            rotate_quarter_turns(torch.collect(), state.facing_quarter_turns() + 3)
        }
        name if name.ends_with("torch") => torch(state),
        name if name.ends_with("lantern") && !name.contains("sea") && !name.contains("jack") => {
            let up = if state.is_true("hanging") { 1.0 } else { 0.0 };
            vec![
                colored_box([5.0, up, 5.0], [11.0, 7.0 + up, 11.0], color),
                colored_box([6.0, 7.0 + up, 6.0], [10.0, 9.0 + up, 10.0], 0x4a4f57),
            ]
        }
        name if name.ends_with("chain") => vec![match state.get("axis") {
            Some("x") => colored_box([0.0, 6.5, 6.5], [16.0, 9.5, 9.5], color),
            Some("z") => colored_box([6.5, 6.5, 0.0], [9.5, 9.5, 16.0], color),
            _ => colored_box([6.5, 0.0, 6.5], [9.5, 16.0, 9.5], color),
        }],
        "end_rod" => vec![
            colored_box([6.0, 0.0, 6.0], [10.0, 1.0, 10.0], 0xc8b8d8),
            colored_box([7.0, 0.0, 7.0], [9.0, 16.0, 9.0], 0xf5f0fa),
        ],
        name if name.ends_with("candle") => vec![
            colored_box([7.0, 0.0, 7.0], [9.0, 6.0, 9.0], color),
            colored_box([7.7, 6.0, 7.7], [8.3, 7.5, 8.3], 0x2a2a2a),
        ],
        _ => return None,
    })
}

fn torch(state: &ParsedBlock<'_>) -> Vec<ShapeBox> {
    let flame = match state.name {
        name if name.starts_with("soul") => 0x6fe6f2,
        name if name.starts_with("redstone") => 0xff3a2a,
        _ => 0xffd27f,
    };
    vec![
        colored_box([7.0, 0.0, 7.0], [9.0, 10.0, 9.0], STICK),
        colored_box([6.9, 8.0, 6.9], [9.1, 10.1, 9.1], flame),
    ]
}
