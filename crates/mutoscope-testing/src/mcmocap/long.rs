//! A recording of hours.

use super::{Header, Stand, Writer};

/// A player who walks in squares, with pauses, and swings and digs now and then, with a horse next
/// to the path, for `ticks` ticks.
pub fn bytes(ticks: u32) -> Vec<u8> {
    let mut writer = Writer::new(&Header {
        start: [1000.5, 70.0, -2000.5],
        yaw: 0.0,
        items: &["diamond_pickaxe", "torch"],
        blocks: &[("stone", &[])],
        name: "Miner",
    });
    writer.add(7, "{id:\"minecraft:horse\"}", [1003.5, 70.0, -2000.5]);
    let mut stand = Stand { by: [0.0; 3], yaw: 0.0, pitch: 10.0, on_ground: true };
    for tick in 0..ticks {
        let phase = tick % 400;
        // Of twenty seconds in two nothing moves.
        if phase >= 40 {
            let (dx, dz) = [(0.2, 0.0), (0.0, 0.2), (-0.2, 0.0), (0.0, -0.2)][phase as usize / 100];
            stand.by[0] += dx;
            stand.by[2] += dz;
            stand.yaw = f64::from(tick % 360) - 180.0;
            writer.movement(&stand);
        }
        if tick % 3 == 0 {
            writer.of(7);
            let by = [stand.by[0] + 3.0, 0.0, stand.by[2]];
            writer.movement(&Stand { by, ..stand });
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
