//! From bytes to document.

use super::{
    Curve, Document, Hand, KeyLayout, MAGIC, Marker, PoseCurves, RayCurves, TEXT_MAGIC, Version,
    joints::POSES_PER_HAND,
};
use crate::{
    bytes::Cursor,
    diagnostics::{Error, Place},
};

/// Reads a whole file.
///
/// A version 1.1 file is read with 8-byte keys, as MRTK writes it, and if it does not end where
/// the file does, with 28-byte keys, as the published specification would have it.
///
/// # Errors
/// If the bytes are not a whole file of version 1.0 or 1.1. A file that ends exactly before its
/// marker list is accepted.
pub fn decode(bytes: &[u8]) -> Result<Document<'_>, Error> {
    let mut cursor = Cursor::new(bytes);
    match version(&mut cursor, bytes)? {
        Version::V1_0 => body(cursor, Version::V1_0, KeyLayout::Full),
        version => body(cursor.clone(), version, KeyLayout::Simple).or_else(|as_simple| {
            body(cursor, version, KeyLayout::Full)
                .map_err(|as_full| the_one_that_got_further(as_simple, as_full))
        }),
    }
}

fn the_one_that_got_further(a: Error, b: Error) -> Error {
    if b.place().first_byte() > a.place().first_byte() { b } else { a }
}

fn version(cursor: &mut Cursor, bytes: &[u8]) -> Result<Version, Error> {
    if bytes.starts_with(TEXT_MAGIC) {
        let message = "this is the text variant that some forks of MRTK write; only the binary \
                       files of MRTK itself (versions 1.0 and 1.1) are read";
        return Err(Error::unsupported(Place::byte(0), message));
    }
    let magic = cursor.i64_le("the magic number")?;
    if magic != MAGIC {
        let (expected, found) = (format!("the magic number {MAGIC:#x}"), format!("{magic:#x}"));
        return Err(Error::malformed(Place::span(0, 8), expected, found));
    }
    let place = Place::span(cursor.offset(), 8);
    let major = cursor.i32_le("the major version")?;
    let minor = cursor.i32_le("the minor version")?;
    match (major, minor) {
        (1, 0) => Ok(Version::V1_0),
        (1, 1) => {
            let parts = cursor.take(3, "the three bytes for camera, hands and gaze")?;
            Ok(Version::V1_1 { parts: [parts[0], parts[1], parts[2]] })
        }
        _ => {
            let message = format!(
                "expected version 1.0 or 1.1, found {major}.{minor}: a newer version, or a fork \
                 of MRTK that writes no version number; record it with MRTK 2 itself"
            );
            Err(Error::unsupported(place, message))
        }
    }
}

/// Everything after the version, to the very end of the file.
fn body<'a>(
    mut cursor: Cursor<'a>,
    version: Version,
    layout: KeyLayout,
) -> Result<Document<'a>, Error> {
    let [has_camera, has_hands, has_gaze] = match version {
        Version::V1_0 => [true, true, false],
        Version::V1_1 { parts } => parts.map(|part| part != 0),
    };
    let cursor = &mut cursor;
    let document = Document {
        version,
        layout,
        camera: has_camera.then(|| pose(cursor, layout)).transpose()?,
        hands: has_hands.then(|| hands(cursor, layout)).transpose()?,
        gaze: has_gaze.then(|| ray(cursor, layout)).transpose()?,
        markers: (!cursor.is_at_end()).then(|| markers(cursor)).transpose()?,
    };
    if !cursor.is_at_end() {
        let found = format!("{} more bytes", cursor.left());
        return Err(Error::malformed(cursor.place(), "the end of the file", found));
    }
    Ok(document)
}

fn hands<'a>(cursor: &mut Cursor<'a>, layout: KeyLayout) -> Result<[Hand<'a>; 2], Error> {
    let [left_tracked, right_tracked] = curves(cursor, KeyLayout::Simple)?;
    let [left_pinch, right_pinch] = curves(cursor, KeyLayout::Simple)?;
    let left = joint_poses(cursor, layout)?;
    let right = joint_poses(cursor, layout)?;
    Ok([
        Hand { tracked: left_tracked, pinch: left_pinch, poses: left },
        Hand { tracked: right_tracked, pinch: right_pinch, poses: right },
    ])
}

fn joint_poses<'a>(
    cursor: &mut Cursor<'a>,
    layout: KeyLayout,
) -> Result<Box<[PoseCurves<'a>; POSES_PER_HAND]>, Error> {
    let mut poses = Vec::with_capacity(POSES_PER_HAND);
    for _ in 0..POSES_PER_HAND {
        poses.push(pose(cursor, layout)?);
    }
    Ok(Box::new(poses.try_into().expect("as many were pushed")))
}

fn pose<'a>(cursor: &mut Cursor<'a>, layout: KeyLayout) -> Result<PoseCurves<'a>, Error> {
    Ok(PoseCurves { position: curves(cursor, layout)?, rotation: curves(cursor, layout)? })
}

fn ray<'a>(cursor: &mut Cursor<'a>, layout: KeyLayout) -> Result<RayCurves<'a>, Error> {
    Ok(RayCurves { origin: curves(cursor, layout)?, direction: curves(cursor, layout)? })
}

fn curves<'a, const N: usize>(
    cursor: &mut Cursor<'a>,
    layout: KeyLayout,
) -> Result<[Curve<'a>; N], Error> {
    let mut curves = [None; N];
    for curve in &mut curves {
        *curve = Some(one_curve(cursor, layout)?);
    }
    Ok(curves.map(|curve| curve.expect("each was read")))
}

fn one_curve<'a>(cursor: &mut Cursor<'a>, layout: KeyLayout) -> Result<Curve<'a>, Error> {
    let offset = cursor.offset();
    let pre_wrap = cursor.i32_le("a curve's pre-wrap mode")?;
    let post_wrap = cursor.i32_le("a curve's post-wrap mode")?;
    let count = cursor.count_i32_le(layout.bytes_per_key(), "keyframes")?;
    let keys = cursor.take(count * layout.bytes_per_key(), "keyframes")?;
    Ok(Curve { offset, pre_wrap, post_wrap, layout, keys })
}

fn markers<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Marker<'a>>, Error> {
    /// A time, and an empty name.
    const SHORTEST: usize = 5;
    let count = cursor.count_i32_le(SHORTEST, "markers")?;
    let mut markers = Vec::with_capacity(count);
    for _ in 0..count {
        let offset = cursor.offset();
        let time = cursor.f32_le("a marker's time")?;
        let name = cursor.dotnet_string("a marker's name")?;
        markers.push(Marker { offset, time, name });
    }
    Ok(markers)
}
