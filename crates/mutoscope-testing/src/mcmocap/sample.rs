//! The recording in the gallery: someone walks, jumps and sneaks, fells a log and builds with it,
//! swims, meets a zombie and dies.
//!
//! It ends with the death. The mod then parks the player a million blocks above, where single precision
//! is too coarse for an exact export; other fixtures have that.
//!
//! Only sums and products of numbers go into it, so that it is the same on every machine.

use super::{Header, Stand, Writer};

/// How far who walks gets in a tick, in blocks.
const STEP: f32 = 0.2156;

/// How high a jump is, tick by tick, in blocks.
const JUMP: [f32; 11] = [0.42, 0.75, 1.0, 1.17, 1.25, 1.25, 1.17, 1.0, 0.77, 0.46, 0.08];

const LOG: [i32; 3] = [12, 64, 20];

struct Scene {
    writer: Writer,
    stand: Stand,
    tick: u32,
}

/// The recording.
pub fn bytes() -> Vec<u8> {
    until_death().writer.bytes
}

/// The same, and on: the player is parked, and comes back to life.
pub fn with_return() -> Vec<u8> {
    let mut scene = until_death();
    scene.park();
    scene.return_to_life();
    scene.writer.bytes
}

fn until_death() -> Scene {
    let writer = Writer::new(&Header {
        start: [8.5, 64.0, 8.5],
        yaw: 0.0,
        items: &["iron_axe", "oak_planks", "leather_boots"],
        blocks: &[("oak_log", &[("axis", "y")]), ("oak_planks", &[])],
        name: "RobinWren",
    });
    let stand = Stand { by: [0.0; 3], yaw: 0.0, pitch: 0.0, on_ground: true };
    let mut scene = Scene { writer, stand, tick: 0 };
    scene.walk_and_jump();
    scene.sneak();
    scene.fell();
    scene.build();
    scene.swim();
    scene.flee();
    scene.die();
    scene
}

impl Scene {
    /// Ends a tick, in which the cow looks around.
    fn tick(&mut self) {
        self.writer.movement(&self.stand);
        if self.tick == 5 {
            self.writer.add(0, "{id:\"minecraft:cow\",Rotation:[150.0f,0.0f]}", [12.5, 64.0, 13.5]);
        } else if self.tick > 5 && self.tick.is_multiple_of(10) {
            let yaw = 150.0 + f64::from(self.tick % 40);
            self.writer.of(0);
            let by = [4.0, 0.0, 5.0];
            self.writer.movement(&Stand { by, yaw, pitch: 0.0, on_ground: true });
        }
        self.writer.tick();
        self.tick += 1;
    }

    fn ticks(&mut self, count: u32) {
        (0..count).for_each(|_| self.tick());
    }

    /// Turns to a yaw within `ticks` ticks.
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
            self.stand.by[2] += STEP;
            let height = step.checked_sub(20).and_then(|tick| JUMP.get(tick)).copied();
            self.stand.by[1] = height.unwrap_or(0.0);
            self.stand.on_ground = height.is_none();
            self.tick();
        }
    }

    fn sneak(&mut self) {
        self.writer.entity_flags(0x02);
        self.writer.pose(6);
        self.turn(-60.0, 12);
        for _ in 0..20 {
            self.stand.by[0] += 0.06;
            self.tick();
        }
        self.writer.entity_flags(0);
        self.writer.pose(1);
        self.turn(-90.0, 6);
    }

    fn fell(&mut self) {
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

    /// Through a pond a block deep.
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

    /// West and a little south, so much higher with every tick.
    fn wade(&mut self, ticks: u32, rise: f32) {
        for _ in 0..ticks {
            self.stand.by[0] -= 0.9 * STEP;
            self.stand.by[1] += rise;
            self.stand.by[2] += 0.3 * STEP;
            self.tick();
        }
    }

    fn flee(&mut self) {
        self.stand.pitch = 0.0;
        self.turn(90.0, 6);
        self.writer.add(1, "{id:\"minecraft:zombie\"}", [3.5, 64.0, 23.5]);
        self.turn(30.0, 8);
        self.writer.hurt();
        self.writer.chat("{\"text\":\"A zombie!\"}");
        self.turn(180.0, 10);
        self.writer.entity_flags(0x08);
        for step in 0..24_u8 {
            self.stand.by[2] -= 1.3 * STEP;
            self.writer.of(1);
            let by = [-5.0, 0.0, 15.0 - f32::from(step) * 0.3];
            self.writer.movement(&Stand { by, yaw: 180.0, pitch: 0.0, on_ground: true });
            self.tick();
        }
        self.writer.entity_flags(0);
    }

    fn die(&mut self) {
        self.writer.of(1);
        self.writer.swing(false);
        self.writer.hurt();
        self.ticks(10);
        self.writer.hurt();
        self.writer.die();
        // As long as a body lies before the game removes it.
        self.ticks(20);
    }

    fn park(&mut self) {
        self.ticks(4);
        self.writer.park();
        self.writer.update(1, 2);
        // Nothing is recorded of parked players.
        for _ in 0..16 {
            self.writer.tick();
            self.tick += 1;
        }
    }

    fn return_to_life(&mut self) {
        self.writer.respawn();
        self.stand.by = [0.0; 3];
        self.stand.yaw = 0.0;
        self.ticks(10);
        self.writer.swing(true);
        self.writer.chat("{\"text\":\"Back again\"}");
        self.ticks(20);
    }
}
