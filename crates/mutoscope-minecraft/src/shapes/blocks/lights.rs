//! Torches, lanterns, candles.

use glam::Quat;

use super::{
    super::shape::{Rgb, ShapeBox},
    boxed,
    state::{State, quarters},
};

const STICK: Rgb = 0x7a5c38;

pub(super) fn boxes(state: &State<'_>, color: Rgb) -> Option<Vec<ShapeBox>> {
    Some(match state.name {
        name if name.ends_with("wall_torch") => {
            let torch = torch(state).into_iter().map(|one| {
                // Facing east: at the west wall, leaning away from it.
                let by = glam::Vec3::new(-8.0, 3.5, 0.0);
                let lean = Quat::from_rotation_z(-22.5_f32.to_radians());
                one.moved(by).turned(lean, [0.0, 3.5, 8.0])
            });
            quarters(torch.collect(), state.quarters_from_north() + 3)
        }
        name if name.ends_with("torch") => torch(state),
        name if name.ends_with("lantern") && !name.contains("sea") && !name.contains("jack") => {
            let up = if state.is("hanging") { 1.0 } else { 0.0 };
            vec![
                boxed([5.0, up, 5.0], [11.0, 7.0 + up, 11.0], color),
                boxed([6.0, 7.0 + up, 6.0], [10.0, 9.0 + up, 10.0], 0x4a4f57),
            ]
        }
        name if name.ends_with("chain") => vec![match state.get("axis") {
            Some("x") => boxed([0.0, 6.5, 6.5], [16.0, 9.5, 9.5], color),
            Some("z") => boxed([6.5, 6.5, 0.0], [9.5, 9.5, 16.0], color),
            _ => boxed([6.5, 0.0, 6.5], [9.5, 16.0, 9.5], color),
        }],
        "end_rod" => vec![
            boxed([6.0, 0.0, 6.0], [10.0, 1.0, 10.0], 0xc8b8d8),
            boxed([7.0, 0.0, 7.0], [9.0, 16.0, 9.0], 0xf5f0fa),
        ],
        name if name.ends_with("candle") => vec![
            boxed([7.0, 0.0, 7.0], [9.0, 6.0, 9.0], color),
            boxed([7.7, 6.0, 7.7], [8.3, 7.5, 8.3], 0x2a2a2a),
        ],
        _ => return None,
    })
}

fn torch(state: &State<'_>) -> Vec<ShapeBox> {
    let flame = match state.name {
        name if name.starts_with("soul") => 0x6fe6f2,
        name if name.starts_with("redstone") => 0xff3a2a,
        _ => 0xffd27f,
    };
    vec![
        boxed([7.0, 0.0, 7.0], [9.0, 10.0, 9.0], STICK),
        boxed([6.9, 8.0, 6.9], [9.1, 10.1, 9.1], flame),
    ]
}
