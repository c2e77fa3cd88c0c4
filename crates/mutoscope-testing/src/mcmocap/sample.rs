//! The gallery's recording: a player walks, jumps and sneaks, chops a log and builds with it,
//! swims, meets a zombie and dies.
//!
//! The recording ends with the death. Afterwards the mod parks the player a million blocks up,
//! where `f32` is too coarse for an exact export. Other fixtures test that.
//!
//! Only sums and products of numbers are used, so that the bytes are equal on every machine.

use super::{Header, Stance, Writer};

/// The distance that a walking player covers in a tick, in blocks.
const STEP: f32 = 0.2156;

/// The height of a jump in each tick, in blocks.
const JUMP: [f32; 11] = [0.42, 0.75, 1.0, 1.17, 1.25, 1.25, 1.17, 1.0, 0.77, 0.46, 0.08];

const LOG: [i32; 3] = [12, 64, 20];

struct Scene {
    writer: Writer,
    stand: Stance,
    tick: u32,
}

/// Returns the recording of the gallery.
pub fn bytes() -> Vec<u8> {
    record_until_death().writer.bytes
}

/// Returns the same recording with a continuation: the mod parks the player, and the player
/// respawns.
pub fn bytes_with_respawn() -> Vec<u8> {
    let mut scene = record_until_death();
    scene.park();
    scene.respawn();
    scene.writer.bytes
}

fn record_until_death() -> Scene {
    let writer = Writer::new(&Header {
        start: [8.5, 64.0, 8.5],
        yaw: 0.0,
        items: &["iron_axe", "oak_planks", "leather_boots"],
        blocks: &[("oak_log", &[("axis", "y")]), ("oak_planks", &[])],
        name: "RobinWren",
    });
    let stand = Stance { offset: [0.0; 3], yaw: 0.0, pitch: 0.0, on_ground: true };
    let mut scene = Scene { writer, stand, tick: 0 };
    scene.walk_and_jump();
    scene.sneak();
    scene.chop_log();
    scene.build();
    scene.swim();
    scene.flee();
    scene.die();
    scene
}

impl Scene {
    /// Ends a tick. A cow looks around every ten ticks.
    fn tick(&mut self) {
        self.writer.movement(&self.stand);
        if self.tick == 5 {
            self.writer.add_entity(
                0,
                "{id:\"minecraft:cow\",Rotation:[150.0f,0.0f]}",
                [12.5, 64.0, 13.5],
            );
        } else if self.tick > 5 && self.tick.is_multiple_of(10) {
            let yaw = 150.0 + f64::from(self.tick % 40);
            self.writer.begin_entity_action(0);
            let by = [4.0, 0.0, 5.0];
            self.writer.movement(&Stance { offset: by, yaw, pitch: 0.0, on_ground: true });
        }
        self.writer.tick();
        self.tick += 1;
    }

    fn ticks(&mut self, count: u32) {
        (0..count).for_each(|_| self.tick());
    }

    /// Turns the player to `yaw` within `ticks` ticks.
    fn turn(&mut self, yaw: f64, ticks: u32) {
        let by = (yaw - self.stand.yaw) / f64::from(ticks);
        for _ in 0..ticks {
            self.stand.yaw += by;
            self.tick();
        }
    }

    fn walk_and_jump(&mut self) {
        self.writer.items(&[1, 0, 3]);
        self.ticks(10);
        for step in 0..50_usize {
            self.stand.offset[2] += STEP;
            let height = step.checked_sub(20).and_then(|tick| JUMP.get(tick)).copied();
            self.stand.offset[1] = height.unwrap_or(0.0);
            self.stand.on_ground = height.is_none();
            self.tick();
        }
    }

    fn sneak(&mut self) {
        self.writer.entity_flags(0x02);
        self.writer.pose(6);
        self.turn(-60.0, 12);
        for _ in 0..20 {
            self.stand.offset[0] += 0.06;
            self.tick();
        }
        self.writer.entity_flags(0);
        self.writer.pose(1);
        self.turn(-90.0, 6);
    }

    fn chop_log(&mut self) {
        self.stand.pitch = 20.0;
        for progress in 0..10 {
            if progress % 2 == 0 {
                self.writer.swing(false);
            }
            self.writer.crack(LOG, progress);
            self.ticks(3);
        }
        self.writer.crack(LOG, -1);
        self.writer.break_block(1, LOG);
        self.ticks(8);
    }

    fn build(&mut self) {
        self.writer.items(&[2, 0, 3]);
        let [x, y, z] = LOG;
        for (height, aside) in [(0, 0), (0, 1), (1, 0)] {
            self.stand.pitch = 25.0 - f64::from(height) * 15.0;
            self.turn(-90.0 + f64::from(aside) * 12.0, 6);
            self.writer.swing(false);
            self.writer.place_block(2, [x, y + height, z + aside]);
            self.ticks(6);
        }
    }

    /// Crosses a pond that is one block deep.
    fn swim(&mut self) {
        self.writer.items(&[0, 0, 3]);
        self.stand.pitch = 10.0;
        self.turn(70.0, 12);
        self.wade(4, -0.25);
        self.writer.entity_flags(0x10 | 0x08);
        self.writer.pose(4);
        self.stand.on_ground = false;
        self.wade(26, 0.0);
        self.writer.entity_flags(0);
        self.writer.pose(1);
        self.wade(4, 0.25);
        self.stand.on_ground = true;
        self.ticks(4);
    }

    /// Moves west and a little south, and rises by `rise` blocks in each tick.
    fn wade(&mut self, ticks: u32, rise: f32) {
        for _ in 0..ticks {
            self.stand.offset[0] -= 0.9 * STEP;
            self.stand.offset[1] += rise;
            self.stand.offset[2] += 0.3 * STEP;
            self.tick();
        }
    }

    fn flee(&mut self) {
        self.stand.pitch = 0.0;
        self.turn(90.0, 6);
        self.writer.add_entity(1, "{id:\"minecraft:zombie\"}", [3.5, 64.0, 23.5]);
        self.turn(30.0, 8);
        self.writer.hurt();
        self.writer.chat("{\"text\":\"A zombie!\"}");
        self.turn(180.0, 10);
        self.writer.entity_flags(0x08);
        for step in 0..24_u8 {
            self.stand.offset[2] -= 1.3 * STEP;
            self.writer.begin_entity_action(1);
            let by = [-5.0, 0.0, 15.0 - f32::from(step) * 0.3];
            self.writer.movement(&Stance { offset: by, yaw: 180.0, pitch: 0.0, on_ground: true });
            self.tick();
        }
        self.writer.entity_flags(0);
    }

    fn die(&mut self) {
        self.writer.begin_entity_action(1);
        self.writer.swing(false);
        self.writer.hurt();
        self.ticks(10);
        self.writer.hurt();
        self.writer.die();
        // The game removes a dead body after 20 ticks.
        self.ticks(20);
    }

    fn park(&mut self) {
        self.ticks(4);
        self.writer.park();
        self.writer.update_entity(1, 2);
        // The mod records no movements of parked players.
        for _ in 0..16 {
            self.writer.tick();
            self.tick += 1;
        }
    }

    fn respawn(&mut self) {
        self.writer.respawn();
        self.stand.offset = [0.0; 3];
        self.stand.yaw = 0.0;
        self.ticks(10);
        self.writer.swing(true);
        self.writer.chat("{\"text\":\"Back again\"}");
        self.ticks(20);
    }
}
