//! Encodes a document back into bytes.

use byteorder::{LittleEndian, WriteBytesExt as _};

use super::{Curve, Document, MAGIC, Marker, Version};
use crate::diagnostics::Error;

impl Document<'_> {
    /// Encodes the document. A decoded document yields exactly the bytes that it was decoded from.
    ///
    /// There is one exception: if the length of a marker's name was stored in more bytes than
    /// necessary, it is shortened. No known program writes such a length.
    ///
    /// # Errors
    /// If the file that contains the keys cannot be read, or has changed.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC.to_le_bytes());
        bytes.extend(1_i32.to_le_bytes());
        match self.version {
            Version::V1_0 => bytes.extend(0_i32.to_le_bytes()),
            Version::V1_1 { parts } => {
                bytes.extend(1_i32.to_le_bytes());
                bytes.extend(parts);
            }
        }
        for curve in self.curves() {
            curve.encode(&mut bytes)?;
        }
        if let Some(markers) = &self.markers {
            bytes.extend((markers.len() as i32).to_le_bytes());
            for marker in markers {
                marker.encode(&mut bytes);
            }
        }
        Ok(bytes)
    }
}

impl Curve<'_> {
    fn encode(&self, bytes: &mut Vec<u8>) -> Result<(), Error> {
        for number in [self.pre_wrap, self.post_wrap, self.len() as i32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(&*self.keys.read()?);
        Ok(())
    }
}

impl Marker<'_> {
    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.write_f32::<LittleEndian>(self.time).expect("writing to a Vec cannot fail");
        let mut length = self.name.len();
        while length > 0x7f {
            bytes.push(length as u8 & 0x7f | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend(&*self.name);
    }
}
