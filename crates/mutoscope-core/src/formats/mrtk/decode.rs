//! From bytes to document.

use std::borrow::Cow;

use super::{
    Curve, Document, Hand, KeyLayout, MAGIC, Marker, PoseCurves, RayCurves, TEXT_MAGIC, Version,
    document::CURVE_HEADER, joints::POSES_PER_HAND,
};
use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::{Content, Cursor, Piece},
};

/// Reads a whole file: its markers, and where its curves are. Keys are read when they are asked for.
///
/// A version 1.1 file is read with 8-byte keys, as MRTK writes it, and if it does not end where
/// the file does, with 28-byte keys, as the published specification would have it.
///
/// # Errors
/// If it is not a whole file of version 1.0 or 1.1, or cannot be read. A file that ends exactly before
/// its marker list is accepted.
pub fn decode<'a>(content: impl Into<Content<'a>>) -> Result<Document<'a>, Error> {
    decode_content(content.into())
}

fn decode_content(content: Content<'_>) -> Result<Document<'_>, Error> {
    let mut cursor = Cursor::new(content.start());
    let version = version(&mut cursor, content.start())?;
    let body = |layout| Body { content, offset: cursor.offset(), layout, curves_read: 0 };
    match version {
        Version::V1_0 => body(KeyLayout::Full).read(Version::V1_0).map_err(|stop| stop.error),
        version => {
            let read = |layout| body(layout).read(version);
            read(KeyLayout::Simple).or_else(|as_simple| {
                read(KeyLayout::Full).map_err(|as_full| the_likelier(as_simple, as_full).error)
            })
        }
    }
}

/// Where and why reading the curves and markers stopped.
struct Stop {
    error: Error,
    /// How many curves had been read before.
    curves_read: usize,
}

/// The error to tell where a file can be read with neither size of keys: that of the reading that
/// made sense for longer, and if none did, that of the size that MRTK writes.
fn the_likelier(as_simple: Stop, as_full: Stop) -> Stop {
    if as_full.curves_read > as_simple.curves_read { as_full } else { as_simple }
}

fn version(cursor: &mut Cursor, bytes: &[u8]) -> Result<Version, Error> {
    if bytes.starts_with(TEXT_MAGIC) {
        let message = "this is the text variant that some forks of MRTK write; only the binary \
                       files of MRTK itself (versions 1.0 and 1.1) are read";
        return Err(Error::unsupported(SourceLocation::byte(0), message));
    }
    let magic = cursor.i64_le("the magic number")?;
    if magic != MAGIC {
        let (expected, found) = (format!("the magic number {MAGIC:#x}"), format!("{magic:#x}"));
        return Err(Error::malformed(SourceLocation::span(0, 8), expected, found));
    }
    let place = SourceLocation::span(cursor.offset(), 8);
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
struct Body<'a> {
    content: Content<'a>,
    /// The offset of the next byte in the file.
    offset: usize,
    layout: KeyLayout,
    curves_read: usize,
}

impl<'a> Body<'a> {
    fn read(mut self, version: Version) -> Result<Document<'a>, Stop> {
        self.document(version).map_err(|error| Stop { error, curves_read: self.curves_read })
    }

    fn document(&mut self, version: Version) -> Result<Document<'a>, Error> {
        let [has_camera, has_hands, has_gaze] = match version {
            Version::V1_0 => [true, true, false],
            Version::V1_1 { parts } => parts.map(|part| part != 0),
        };
        let document = Document {
            version,
            layout: self.layout,
            camera: has_camera.then(|| self.pose()).transpose()?,
            hands: has_hands.then(|| self.hands()).transpose()?,
            gaze: has_gaze.then(|| self.ray()).transpose()?,
            markers: (self.offset < self.content.size()).then(|| self.markers()).transpose()?,
        };
        let left = self.content.size() - self.offset;
        if left > 0 {
            let (place, found) = (SourceLocation::byte(self.offset), format!("{left} more bytes"));
            return Err(Error::malformed(place, "the end of the file", found));
        }
        Ok(document)
    }

    fn hands(&mut self) -> Result<[Hand<'a>; 2], Error> {
        let [left_tracked, right_tracked] = self.curves(KeyLayout::Simple)?;
        let [left_pinch, right_pinch] = self.curves(KeyLayout::Simple)?;
        let left = self.joint_poses()?;
        let right = self.joint_poses()?;
        Ok([
            Hand { tracked: left_tracked, pinch: left_pinch, poses: left },
            Hand { tracked: right_tracked, pinch: right_pinch, poses: right },
        ])
    }

    fn joint_poses(&mut self) -> Result<Box<[PoseCurves<'a>; POSES_PER_HAND]>, Error> {
        let mut poses = Vec::with_capacity(POSES_PER_HAND);
        for _ in 0..POSES_PER_HAND {
            poses.push(self.pose()?);
        }
        Ok(Box::new(poses.try_into().expect("as many were pushed")))
    }

    fn pose(&mut self) -> Result<PoseCurves<'a>, Error> {
        Ok(PoseCurves { position: self.curves(self.layout)?, rotation: self.curves(self.layout)? })
    }

    fn ray(&mut self) -> Result<RayCurves<'a>, Error> {
        Ok(RayCurves { origin: self.curves(self.layout)?, direction: self.curves(self.layout)? })
    }

    fn curves<const N: usize>(&mut self, layout: KeyLayout) -> Result<[Curve<'a>; N], Error> {
        let mut curves = [None; N];
        for curve in &mut curves {
            *curve = Some(self.curve(layout)?);
            self.curves_read += 1;
        }
        Ok(curves.map(|curve| curve.expect("each was read")))
    }

    fn curve(&mut self, layout: KeyLayout) -> Result<Curve<'a>, Error> {
        let (offset, content) = (self.offset, self.content);
        let header = content.piece(offset..offset + CURVE_HEADER)?;
        let mut cursor = Cursor::within(&header, offset, content.size());
        let pre_wrap = cursor.i32_le("a curve's pre-wrap mode")?;
        let post_wrap = cursor.i32_le("a curve's post-wrap mode")?;
        let key_count = cursor.count_i32_le(layout.bytes_per_key(), "keyframes")?;
        let first_key = cursor.offset();
        self.offset = first_key + key_count * layout.bytes_per_key();
        let keys = Piece::new(content, first_key..self.offset);
        Ok(Curve { offset, pre_wrap, post_wrap, layout, keys })
    }

    fn markers(&mut self) -> Result<Vec<Marker<'a>>, Error> {
        /// A time, and an empty name.
        const SHORTEST: usize = 5;
        let (start, size) = (self.offset, self.content.size());
        let rest = self.content.piece(start..size)?;
        let mut cursor = Cursor::within(&rest, start, size);
        let count = cursor.count_i32_le(SHORTEST, "markers")?;
        let mut markers = Vec::with_capacity(count);
        for _ in 0..count {
            let offset = cursor.offset();
            let time = cursor.f32_le("a marker's time")?;
            let name = cursor.dotnet_string("a marker's name")?;
            let name = match &rest {
                Cow::Borrowed(whole) => {
                    let end = cursor.offset() - start;
                    Cow::Borrowed(&whole[end - name.len()..end])
                }
                Cow::Owned(_) => Cow::Owned(name.to_owned()),
            };
            markers.push(Marker { offset, time, name });
        }
        self.offset = cursor.offset();
        Ok(markers)
    }
}
