//! Decodes the bytes of an AnimX file.

use super::{
    MAGIC,
    tracks::{KeyOrder, read_tracks},
    unpack::{self, Encoding},
};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::resonite::{Animation, Track, codes},
    io::bytes::Cursor,
};

/// The version of an AnimX file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Version 0, which has only two track types.
    V0,
    /// Version 1.
    V1,
}

impl Version {
    /// Returns the version number as a string.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V0 => "0",
            Self::V1 => "1",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum ByteOrigin {
    /// The bytes of the file itself.
    InFile,
    /// Unpacked bytes. The location is the range of the compressed bytes in the file.
    Packed(SourceLocation),
}

impl ByteOrigin {
    pub(super) fn location(&self, offset: usize, length: usize) -> SourceLocation {
        match self {
            Self::InFile => SourceLocation::span(offset, length),
            Self::Packed(location) => location.clone(),
        }
    }

    pub(super) fn describe_error(&self, error: &Error) -> (SourceLocation, String) {
        match self {
            Self::InFile => (error.location().clone(), error.message().to_owned()),
            Self::Packed(location) => (
                location.clone(),
                format!("unpacked, at {}: {}", error.location(), error.message()),
            ),
        }
    }
}

struct Header {
    version: Version,
    count: u64,
    duration_location: SourceLocation,
    global_duration: f64,
    name: String,
    encoding: Encoding,
}

/// Decodes a file. Tracks are kept as far as they can be read. Lost data and other problems are
/// added to `diagnostics`.
///
/// # Errors
/// If the header cannot be read, or if its version is unknown.
pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<(Version, Animation), Error> {
    let mut cursor = Cursor::new(bytes);
    let header = read_header(&mut cursor)?;
    let Header { version, count, .. } = header;
    let tracks = match header.encoding {
        Encoding::Plain => {
            read_best_tracks(&cursor, version, count, &ByteOrigin::InFile, diagnostics)
        }
        encoding @ (Encoding::Lz4 | Encoding::Lzma) => {
            let packed =
                ByteOrigin::Packed(SourceLocation::span(cursor.offset(), cursor.remaining()));
            let unpacked = unpack::unpack(encoding, cursor, diagnostics)?;
            read_best_tracks(&Cursor::new(&unpacked), version, count, &packed, diagnostics)
        }
    };
    let Header { name, duration_location: duration_place, global_duration, .. } = header;
    let global_duration = Some(global_duration);
    Ok((version, Animation { name, global_duration, duration_location: duration_place, tracks }))
}

/// Returns the unpacked tracks of a file, to which the locations of its keys refer. `None` if the
/// tracks are not compressed, or cannot be unpacked.
pub fn unpack_tracks(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut cursor = Cursor::new(bytes);
    match read_header(&mut cursor).ok()?.encoding {
        Encoding::Plain => None,
        encoding => unpack::unpack(encoding, cursor, &mut Diagnostics::new()).ok(),
    }
}

fn read_header(cursor: &mut Cursor) -> Result<Header, Error> {
    let magic = cursor.read_bytes(MAGIC.len(), "the word AnimX")?;
    if magic != MAGIC {
        return Err(Error::malformed(
            SourceLocation::span(0, MAGIC.len()),
            "the word AnimX",
            "other bytes",
        ));
    }
    let version_place = SourceLocation::span(cursor.offset(), 4);
    let version = match cursor.i32_le("the version")? {
        0 => Version::V0,
        1 => Version::V1,
        other => {
            let message = format!("AnimX version {other} is not supported; versions 0 and 1 are");
            return Err(Error::unsupported(version_place, message));
        }
    };
    let count = cursor.dotnet_count("the count of tracks")?;
    let duration_place = SourceLocation::span(cursor.offset(), 4);
    let global_duration = f64::from(cursor.f32_le("the global duration")?);
    let name = cursor.dotnet_string("the name")?;
    let name = String::from_utf8_lossy(name).into_owned();
    let encoding_place = cursor.location();
    let encoding = Encoding::from_number(cursor.u8("the encoding")?, encoding_place)?;
    Ok(Header {
        version,
        count,
        duration_location: duration_place,
        global_duration,
        name,
        encoding,
    })
}

/// Reads the tracks in each order of time and value until an order has no faults. Returns the
/// tracks with the fewest faults. Writers use different orders, and the file does not state the
/// order.
fn read_best_tracks(
    cursor: &Cursor,
    version: Version,
    count: u64,
    origin: &ByteOrigin,
    diagnostics: &mut Diagnostics,
) -> Vec<Track> {
    let read = |order: KeyOrder| read_tracks(cursor.clone(), version, count, order, origin);
    let mut best = read(KeyOrder::TimeFirst);
    let mut is_odd = false;
    for order in [KeyOrder::ValueFirstInCurves, KeyOrder::ValueFirst] {
        if best.fault_counts() == (0, 0) {
            break;
        }
        let other = read(order);
        if other.fault_counts() < best.fault_counts() {
            (best, is_odd) = (other, true);
        }
    }
    if is_odd {
        let message = "keys store their value before their time, as one known writer does";
        let location = origin.location(cursor.offset(), cursor.remaining());
        diagnostics.info(codes::VALUE_FIRST, location, message);
    }
    best.into_tracks(diagnostics)
}
