//! From bytes to animation.

use super::{
    MAGIC,
    tracks::{KeyOrder, read_tracks},
    unpack::{self, Encoding},
};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::resonite::{Animation, Track},
    io::bytes::Cursor,
};

/// The version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The first, which has two types of tracks.
    V0,
    /// The second.
    V1,
}

impl Version {
    /// Its number.
    pub fn text(self) -> &'static str {
        match self {
            Self::V0 => "0",
            Self::V1 => "1",
        }
    }
}

/// The position in the file of the bytes being read.
#[derive(Clone, Debug)]
pub(super) enum Whereabouts {
    /// Where the cursor is.
    Here,
    /// Somewhere in this compressed range, however far the cursor is.
    Packed(SourceLocation),
}

impl Whereabouts {
    /// The place of `length` bytes from `offset` on.
    pub(super) fn place(&self, offset: usize, length: usize) -> SourceLocation {
        match self {
            Self::Here => SourceLocation::span(offset, length),
            Self::Packed(place) => place.clone(),
        }
    }

    /// The place and the sentence of an error at the cursor.
    pub(super) fn tell(&self, error: &Error) -> (SourceLocation, String) {
        match self {
            Self::Here => (error.place().clone(), error.message().to_owned()),
            Self::Packed(place) => {
                (place.clone(), format!("unpacked, at {}: {}", error.place(), error.message()))
            }
        }
    }
}

/// The fields before the tracks.
struct Header {
    version: Version,
    count: u64,
    duration_place: SourceLocation,
    global_duration: f64,
    name: String,
    encoding: Encoding,
}

/// Decodes a file. What can be kept of its tracks is kept, and `notices` say what is lost.
///
/// # Errors
/// If the header cannot be read, or is of an unknown version.
pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<(Version, Animation), Error> {
    let mut cursor = Cursor::new(bytes);
    let header = header(&mut cursor)?;
    let Header { version, count, .. } = header;
    let tracks = match header.encoding {
        Encoding::Plain => tracks(&cursor, version, count, &Whereabouts::Here, notices),
        encoding @ (Encoding::Lz4 | Encoding::Lzma) => {
            let packed = Whereabouts::Packed(SourceLocation::span(cursor.offset(), cursor.left()));
            let unpacked = unpack::unpack(encoding, cursor, notices)?;
            tracks(&Cursor::new(&unpacked), version, count, &packed, notices)
        }
    };
    let Header { name, duration_place, global_duration, .. } = header;
    let global_duration = Some(global_duration);
    Ok((version, Animation { name, global_duration, duration_place, tracks }))
}

/// The tracks of a file as its keys' places count them, if it has them packed.
pub fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut cursor = Cursor::new(bytes);
    match header(&mut cursor).ok()?.encoding {
        Encoding::Plain => None,
        encoding => unpack::unpack(encoding, cursor, &mut Notices::new()).ok(),
    }
}

fn header(cursor: &mut Cursor) -> Result<Header, Error> {
    let magic = cursor.take(MAGIC.len(), "the word AnimX")?;
    if magic != MAGIC {
        return Err(Error::malformed(
            SourceLocation::span(0, MAGIC.len()),
            "the word AnimX",
            "another",
        ));
    }
    let version_place = SourceLocation::span(cursor.offset(), 4);
    let version = match cursor.i32_le("the version")? {
        0 => Version::V0,
        1 => Version::V1,
        other => {
            let message = format!("version {other} of AnimX is not known; 0 and 1 are");
            return Err(Error::unsupported(version_place, message));
        }
    };
    let count = cursor.dotnet_count("the count of tracks")?;
    let duration_place = SourceLocation::span(cursor.offset(), 4);
    let global_duration = f64::from(cursor.f32_le("the global duration")?);
    let name = cursor.dotnet_string("the name")?;
    let name = String::from_utf8_lossy(name).into_owned();
    let encoding_place = cursor.place();
    let encoding = Encoding::numbered(cursor.u8("the encoding")?, encoding_place)?;
    Ok(Header { version, count, duration_place, global_duration, name, encoding })
}

/// The tracks of `cursor`, by whichever order of keys makes more sense: writers differ, and no byte
/// says which.
fn tracks(
    cursor: &Cursor,
    version: Version,
    count: u64,
    whereabouts: &Whereabouts,
    notices: &mut Notices,
) -> Vec<Track> {
    let read = |order: KeyOrder| read_tracks(cursor.clone(), version, count, order, whereabouts);
    let mut best = read(KeyOrder::TimeFirst);
    let mut is_odd = false;
    for order in [KeyOrder::ValueFirstInCurves, KeyOrder::ValueFirst] {
        if best.faults() == (0, 0) {
            break;
        }
        let other = read(order);
        if other.faults() < best.faults() {
            (best, is_odd) = (other, true);
        }
    }
    if is_odd {
        let message = "keys have their value before their time, as one writer has it";
        notices.info(whereabouts.place(cursor.offset(), cursor.left()), message);
    }
    best.told(notices)
}
