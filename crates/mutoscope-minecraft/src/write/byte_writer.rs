//! Writes the format's primitive values.

use glam::{DVec3, IVec3};

#[derive(Debug, Default)]
pub(super) struct ByteWriter(pub(super) Vec<u8>);

impl ByteWriter {
    pub(super) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(super) fn bool(&mut self, value: bool) {
        self.u8(u8::from(value));
    }

    pub(super) fn i16(&mut self, value: i16) {
        self.0.extend(value.to_be_bytes());
    }

    pub(super) fn i32(&mut self, value: i32) {
        self.0.extend(value.to_be_bytes());
    }

    pub(super) fn f32(&mut self, value: f32) {
        self.0.extend(value.to_be_bytes());
    }

    pub(super) fn f64(&mut self, value: f64) {
        self.0.extend(value.to_be_bytes());
    }

    /// Writes an integer as one byte below 255, or as 255 and a big-endian `i32`.
    pub(super) fn packed_int(&mut self, value: i32) {
        const LONG: u8 = 255;
        match u8::try_from(value) {
            Ok(short) if short < LONG => self.u8(short),
            _ => {
                self.u8(LONG);
                self.i32(value);
            }
        }
    }

    /// Writes a count, at most `i32::MAX`. No real recording has a larger count.
    pub(super) fn count(&mut self, count: usize) {
        self.packed_int(i32::try_from(count).unwrap_or(i32::MAX));
    }

    pub(super) fn string(&mut self, text: &str) {
        self.count(text.len());
        self.0.extend(text.as_bytes());
    }

    pub(super) fn position(&mut self, position: DVec3) {
        position.to_array().into_iter().for_each(|number| self.f64(number));
    }

    pub(super) fn block_position(&mut self, position: IVec3) {
        position.to_array().into_iter().for_each(|number| self.i32(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_integers_use_the_shortest_form() {
        let cases: [(i32, &[u8]); 5] = [
            (0, &[0]),
            (254, &[0xfe]),
            (255, &[0xff, 0, 0, 0, 0xff]),
            (65536, &[0xff, 0, 1, 0, 0]),
            (-1, &[0xff; 5]),
        ];
        for (value, expected) in cases {
            let mut out = ByteWriter::default();
            out.packed_int(value);
            assert_eq!(out.0, expected, "{value}");
        }
    }
}
