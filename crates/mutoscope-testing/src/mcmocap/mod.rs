//! Writes Minecraft Motion Capture recordings of version 5. Nothing is validated, so that tests can
//! write broken files.

pub mod long;
pub mod sample;

/// Builds a recording, action by action.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

/// The header of the file.
#[derive(Clone, Debug, Default)]
pub struct Header<'a> {
    pub start: [f64; 3],
    pub yaw: f32,
    pub items: &'a [&'a str],
    pub blocks: &'a [(&'a str, &'a [(&'a str, &'a str)])],
    pub name: &'a str,
}

/// A position relative to the start, in blocks, and a look direction, in degrees.
#[derive(Clone, Copy, Debug)]
pub struct Stance {
    pub offset: [f32; 3],
    pub yaw: f64,
    pub pitch: f64,
    pub on_ground: bool,
}

impl Writer {
    pub fn new(header: &Header<'_>) -> Self {
        let mut writer = Self::default();
        writer.u8(5);
        header.start.iter().for_each(|&number| writer.f64(number));
        writer.f32(header.yaw);
        writer.f32(0.0);
        // Flags: packed lengths, lists of ids, a dimension, a profile.
        writer.u8(0x02 | 0x04 | 0x08 | 0x10);
        writer.i32(header.items.len() as i32);
        header.items.iter().for_each(|item| writer.string(item));
        writer.i32(header.blocks.len() as i32);
        for (block, properties) in header.blocks {
            writer.string(block);
            writer.bytes.extend((properties.len() as i16).to_be_bytes());
            for (property, value) in *properties {
                writer.string(property);
                writer.string(value);
            }
        }
        writer.string("minecraft:overworld");
        writer.u8(0x01);
        writer.string(header.name);
        writer
    }

    pub fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub fn i32(&mut self, value: i32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub fn f64(&mut self, value: f64) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub fn string(&mut self, text: &str) {
        match u8::try_from(text.len()) {
            Ok(length) if length < 255 => self.u8(length),
            _ => {
                self.u8(255);
                self.i32(text.len() as i32);
            }
        }
        self.bytes.extend(text.as_bytes());
    }

    fn block_position(&mut self, place: [i32; 3]) {
        place.iter().for_each(|&coordinate| self.i32(coordinate));
    }

    pub fn tick(&mut self) {
        self.u8(0);
    }

    pub fn movement(&mut self, stand: &Stance) {
        let ground = if stand.on_ground { 0x40 } else { 0 };
        self.u8(21);
        self.u8(0x01 | 0x04 | 0x20 | ground);
        let [x, y, z] = stand.offset;
        [y, x, z].iter().for_each(|&number| self.f32(number));
        [stand.pitch, stand.yaw].iter().for_each(|&degrees| self.angle(degrees));
    }

    fn angle(&mut self, degrees: f64) {
        let turns = (degrees / 360.0).rem_euclid(1.0);
        self.bytes.extend(((turns * 65536.0) as u16).to_be_bytes());
    }

    /// Moves the player a million blocks up, as the mod does with dead players.
    pub fn park(&mut self) {
        self.u8(21);
        self.u8(0x0a);
        [1_000_000.0, 0.0, 0.0].iter().for_each(|&number| self.f64(number));
    }

    pub fn pose(&mut self, number: i32) {
        self.u8(3);
        self.i32(number);
    }

    pub fn items(&mut self, ids: &[i32]) {
        self.u8(4);
        self.u8((ids.len() as u8).wrapping_neg());
        for &id in ids {
            self.u8(u8::from(id > 0));
            if id > 0 {
                self.i32(id);
            }
        }
    }

    pub fn entity_flags(&mut self, flags: u8) {
        self.u8(5);
        self.u8(flags);
    }

    pub fn swing(&mut self, off_hand: bool) {
        self.u8(8);
        self.u8(u8::from(off_hand));
    }

    pub fn break_block(&mut self, previous: i32, place: [i32; 3]) {
        self.u8(9);
        self.i32(previous);
        self.block_position(place);
    }

    pub fn place_block(&mut self, block: i32, place: [i32; 3]) {
        self.u8(10);
        self.i32(0);
        self.i32(block);
        self.block_position(place);
    }

    pub fn crack(&mut self, place: [i32; 3], progress: i32) {
        self.u8(20);
        self.block_position(place);
        self.i32(progress);
    }

    pub fn add_entity(&mut self, entity: i32, nbt: &str, position: [f64; 3]) {
        self.u8(16);
        self.u8(1);
        self.i32(entity);
        self.string(nbt);
        position.iter().for_each(|&number| self.f64(number));
    }

    /// Adds an update of an entity. 2 removes it, 3 kills it, 4 hurts it, 5 mounts it, 6 dismounts
    /// it.
    pub fn update_entity(&mut self, entity: i32, update: u8) {
        self.u8(16);
        self.u8(update);
        self.i32(entity);
    }

    /// Begins an action of the entity.
    pub fn begin_entity_action(&mut self, entity: i32) {
        self.u8(17);
        self.i32(entity);
    }

    pub fn hurt(&mut self) {
        self.u8(18);
        self.u8(0);
    }

    pub fn die(&mut self) {
        self.u8(23);
    }

    pub fn respawn(&mut self) {
        self.u8(24);
    }

    pub fn chat(&mut self, json: &str) {
        self.u8(25);
        self.u8(0);
        self.string(json);
    }
}
