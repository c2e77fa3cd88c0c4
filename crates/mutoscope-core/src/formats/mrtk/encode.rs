//! Encodes recordings: the header, the curves and the markers.

use std::io::{self, Write};

use super::{Curve, Document, MAGIC, Version};
use crate::diagnostics::Error;

/// Writes the parts of a file in file order.
pub(crate) struct Encoder<W> {
    out: W,
}

impl<W: Write> Encoder<W> {
    pub(crate) fn begin(version: Version, mut out: W) -> io::Result<Self> {
        out.write_all(&MAGIC.to_le_bytes())?;
        out.write_all(&1_i32.to_le_bytes())?;
        match version {
            Version::V1_0 => out.write_all(&0_i32.to_le_bytes())?,
            Version::V1_1 { parts } => {
                out.write_all(&1_i32.to_le_bytes())?;
                out.write_all(&parts)?;
            }
        }
        Ok(Self { out })
    }

    /// Writes a curve of `key_count` keys, which are already encoded.
    pub(crate) fn write_curve(
        &mut self,
        [pre_wrap, post_wrap]: [i32; 2],
        key_count: usize,
        keys: &[u8],
    ) -> io::Result<()> {
        let key_count = i32::try_from(key_count).map_err(|_| io::ErrorKind::InvalidInput)?;
        for number in [pre_wrap, post_wrap, key_count] {
            self.out.write_all(&number.to_le_bytes())?;
        }
        self.out.write_all(keys)
    }

    /// Writes the markers, which end a file. Each has a time in seconds and a name.
    pub(crate) fn write_markers<'m>(
        &mut self,
        markers: impl ExactSizeIterator<Item = (f32, &'m [u8])>,
    ) -> io::Result<()> {
        let count = i32::try_from(markers.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
        self.out.write_all(&count.to_le_bytes())?;
        for (time, name) in markers {
            self.out.write_all(&time.to_le_bytes())?;
            let mut length = name.len();
            while length > 0x7f {
                self.out.write_all(&[length as u8 & 0x7f | 0x80])?;
                length >>= 7;
            }
            self.out.write_all(&[length as u8])?;
            self.out.write_all(name)?;
        }
        Ok(())
    }
}

impl Document<'_> {
    /// Encodes the document. A decoded document yields exactly the bytes that it was decoded from.
    ///
    /// There is one exception: if the length of a marker's name was stored in more bytes than
    /// necessary, it is shortened. No known program writes such a length.
    ///
    /// # Errors
    /// If the file that contains the keys cannot be read, or has changed.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        const INTO_MEMORY: &str = "writing to a Vec cannot fail";
        let mut bytes = Vec::new();
        let mut encoder = Encoder::begin(self.version, &mut bytes).expect(INTO_MEMORY);
        for curve in self.curves() {
            let Curve { pre_wrap, post_wrap, .. } = *curve;
            let keys = curve.keys.read()?;
            encoder.write_curve([pre_wrap, post_wrap], curve.len(), &keys).expect(INTO_MEMORY);
        }
        if let Some(markers) = &self.markers {
            let markers = markers.iter().map(|marker| (marker.time, &*marker.name));
            encoder.write_markers(markers).expect(INTO_MEMORY);
        }
        Ok(bytes)
    }
}
