//! Generates recordings of many hours.

use super::{Header, Stance, Writer};

/// Returns a recording of `ticks` ticks in which a player walks in squares, pauses, swings and
/// digs. A horse walks next to the path.
pub fn bytes(ticks: u32) -> Vec<u8> {
    let mut writer = Writer::new(&Header {
        start: [1000.5, 70.0, -2000.5],
        yaw: 0.0,
        items: &["diamond_pickaxe", "torch"],
        blocks: &[("stone", &[])],
        name: "Miner",
    });
    writer.add_entity(7, "{id:\"minecraft:horse\"}", [1003.5, 70.0, -2000.5]);
    let mut stand = Stance { offset: [0.0; 3], yaw: 0.0, pitch: 10.0, on_ground: true };
    for tick in 0..ticks {
        let phase = tick % 400;
        // The player rests for two of every twenty seconds.
        if phase >= 40 {
            let (dx, dz) = [(0.2, 0.0), (0.0, 0.2), (-0.2, 0.0), (0.0, -0.2)][phase as usize / 100];
            stand.offset[0] += dx;
            stand.offset[2] += dz;
            stand.yaw = f64::from(tick % 360) - 180.0;
            writer.movement(&stand);
        }
        if tick % 3 == 0 {
            writer.begin_entity_action(7);
            let by = [stand.offset[0] + 3.0, 0.0, stand.offset[2]];
            writer.movement(&Stance { offset: by, ..stand });
        }
        if tick % 8 == 0 {
            writer.swing(false);
        }
        if tick % 100 == 0 {
            writer.items(&[1 + (tick / 100 % 2) as i32, 0]);
            writer.break_block(1, [1000 + (tick / 100) as i32, 60, 0]);
        }
        writer.tick();
    }
    writer.bytes
}
