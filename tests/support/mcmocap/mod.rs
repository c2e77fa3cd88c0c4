//! Writing Minecraft Motion Capture recordings, version 5: nothing that is written is checked.

pub(crate) mod long;
pub(crate) mod sample;

/// A recording to be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer {
    pub(crate) bytes: Vec<u8>,
}

/// The header.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header<'a> {
    pub(crate) start: [f64; 3],
    pub(crate) yaw: f32,
    pub(crate) items: &'a [&'a str],
    pub(crate) blocks: &'a [(&'a str, &'a [(&'a str, &'a str)])],
    pub(crate) name: &'a str,
}

/// A movement in degrees, and in blocks from the start; y can also be absolute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    pub(crate) by: [f32; 3],
    pub(crate) yaw: f64,
    pub(crate) pitch: f64,
    pub(crate) on_ground: bool,
}

impl Writer {
    pub(crate) fn new(header: &Header<'_>) -> Self {
        let mut writer = Self::default();
        writer.u8(5);
        header.start.iter().for_each(|&number| writer.f64(number));
        writer.f32(header.yaw);
        writer.f32(0.0);
        // Packed lengths, lists of ids, a dimension, a profile.
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

    pub(crate) fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    pub(crate) fn i32(&mut self, value: i32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn f64(&mut self, value: f64) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(crate) fn string(&mut self, text: &str) {
        match u8::try_from(text.len()) {
            Ok(length) if length < 255 => self.u8(length),
            _ => {
                self.u8(255);
                self.i32(text.len() as i32);
            }
        }
        self.bytes.extend(text.as_bytes());
    }

    fn place(&mut self, place: [i32; 3]) {
        place.iter().for_each(|&coordinate| self.i32(coordinate));
    }

    pub(crate) fn tick(&mut self) {
        self.u8(0);
    }

    pub(crate) fn movement(&mut self, stand: &Stand) {
        let ground = if stand.on_ground { 0x40 } else { 0 };
        self.u8(21);
        self.u8(0x01 | 0x04 | 0x20 | ground);
        let [x, y, z] = stand.by;
        [y, x, z].iter().for_each(|&number| self.f32(number));
        [stand.pitch, stand.yaw].iter().for_each(|&degrees| self.angle(degrees));
    }

    fn angle(&mut self, degrees: f64) {
        let turns = (degrees / 360.0).rem_euclid(1.0);
        self.bytes.extend(((turns * 65536.0) as u16).to_be_bytes());
    }

    /// Out of sight, as the mod does with players who have died.
    pub(crate) fn park(&mut self) {
        self.u8(21);
        self.u8(0x0a);
        [1_000_000.0, 0.0, 0.0].iter().for_each(|&number| self.f64(number));
    }

    pub(crate) fn pose(&mut self, number: i32) {
        self.u8(3);
        self.i32(number);
    }

    pub(crate) fn items(&mut self, ids: &[i32]) {
        self.u8(4);
        self.u8((ids.len() as u8).wrapping_neg());
        for &id in ids {
            self.u8(u8::from(id > 0));
            if id > 0 {
                self.i32(id);
            }
        }
    }

    pub(crate) fn entity_flags(&mut self, flags: u8) {
        self.u8(5);
        self.u8(flags);
    }

    pub(crate) fn swing(&mut self, off_hand: bool) {
        self.u8(8);
        self.u8(u8::from(off_hand));
    }

    pub(crate) fn break_block(&mut self, previous: i32, place: [i32; 3]) {
        self.u8(9);
        self.i32(previous);
        self.place(place);
    }

    pub(crate) fn place_block(&mut self, block: i32, place: [i32; 3]) {
        self.u8(10);
        self.i32(0);
        self.i32(block);
        self.place(place);
    }

    pub(crate) fn crack(&mut self, place: [i32; 3], progress: i32) {
        self.u8(20);
        self.place(place);
        self.i32(progress);
    }

    pub(crate) fn add(&mut self, entity: i32, nbt: &str, position: [f64; 3]) {
        self.u8(16);
        self.u8(1);
        self.i32(entity);
        self.string(nbt);
        position.iter().for_each(|&number| self.f64(number));
    }

    /// 2 removes it, 3 kills it, 4 hurts it, 5 is mounted, 6 dismounted.
    pub(crate) fn update(&mut self, entity: i32, update: u8) {
        self.u8(16);
        self.u8(update);
        self.i32(entity);
    }

    /// What follows is done by the entity.
    pub(crate) fn of(&mut self, entity: i32) {
        self.u8(17);
        self.i32(entity);
    }

    pub(crate) fn hurt(&mut self) {
        self.u8(18);
        self.u8(0);
    }

    pub(crate) fn die(&mut self) {
        self.u8(23);
    }

    pub(crate) fn respawn(&mut self) {
        self.u8(24);
    }

    pub(crate) fn chat(&mut self, json: &str) {
        self.u8(25);
        self.u8(0);
        self.string(json);
    }
}
