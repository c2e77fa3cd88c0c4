//! Parses the bytes of an MRTK file into a document.

use std::borrow::Cow;

use super::{
    Curve, Document, Hand, KeyLayout, MAGIC, Marker, PoseCurves, RayCurves, TEXT_MAGIC, Version,
    document::CURVE_HEADER_BYTES, joints::POSES_PER_HAND,
};
use crate::{
    diagnostics::{Error, SourceLocation, format_count},
    io::bytes::{Content, Cursor, Piece},
};

/// Parses a whole file: the markers, and the locations of the curves. Keys are read on demand.
///
/// A version 1.1 file is first parsed with 8-byte keys, because MRTK writes them. If the parsed
/// data does not end exactly at the end of the file, the file is parsed with 28-byte keys, which
/// the published specification prescribes.
///
/// # Errors
/// If the file is not a complete file of version 1.0 or 1.1, or cannot be read. A file that ends
/// exactly before its marker list is accepted.
pub fn decode<'a>(content: impl Into<Content<'a>>) -> Result<Document<'a>, Error> {
    decode_content(content.into())
}

fn decode_content(content: Content<'_>) -> Result<Document<'_>, Error> {
    let mut cursor = Cursor::new(content.start());
    let version = read_version(&mut cursor, content.start())?;
    let body = |layout| BodyReader { content, offset: cursor.offset(), layout, curves_read: 0 };
    match version {
        Version::V1_0 => body(KeyLayout::Full).read(Version::V1_0).map_err(|failure| failure.error),
        version => {
            let read = |layout| body(layout).read(version);
            read(KeyLayout::Simple).or_else(|as_simple| {
                read(KeyLayout::Full)
                    .map_err(|as_full| more_plausible_failure(as_simple, as_full).error)
            })
        }
    }
}

struct ReadFailure {
    error: Error,
    curves_read: usize,
}

/// Chooses the error to report if neither key layout fits. The error of the layout that read more
/// curves is reported, because that layout is more plausible. If both layouts read the same number
/// of curves, the error of the 8-byte keys is reported.
fn more_plausible_failure(as_simple: ReadFailure, as_full: ReadFailure) -> ReadFailure {
    if as_full.curves_read > as_simple.curves_read { as_full } else { as_simple }
}

fn read_version(cursor: &mut Cursor, bytes: &[u8]) -> Result<Version, Error> {
    if bytes.starts_with(TEXT_MAGIC) {
        let message = "expected a binary MRTK file (version 1.0 or 1.1), found the text variant \
                       that some forks of MRTK write";
        return Err(Error::unsupported(SourceLocation::byte(0), message));
    }
    let magic = cursor.i64_le("the magic number")?;
    if magic != MAGIC {
        let (expected, found) = (format!("the magic number {MAGIC:#x}"), format!("{magic:#x}"));
        return Err(Error::malformed(SourceLocation::span(0, 8), expected, found));
    }
    let location = SourceLocation::span(cursor.offset(), 8);
    let major = cursor.i32_le("the major version")?;
    let minor = cursor.i32_le("the minor version")?;
    match (major, minor) {
        (1, 0) => Ok(Version::V1_0),
        (1, 1) => {
            let parts = cursor.read_bytes(3, "the three bytes for camera, hands and gaze")?;
            Ok(Version::V1_1 { parts: [parts[0], parts[1], parts[2]] })
        }
        _ => {
            let message = format!(
                "expected version 1.0 or 1.1, found {major}.{minor}. The file may be of a newer \
                 version, or of a fork of MRTK that writes no version. Record with MRTK 2 itself"
            );
            Err(Error::unsupported(location, message))
        }
    }
}

struct BodyReader<'a> {
    content: Content<'a>,
    offset: usize,
    layout: KeyLayout,
    curves_read: usize,
}

impl<'a> BodyReader<'a> {
    fn read(mut self, version: Version) -> Result<Document<'a>, ReadFailure> {
        self.read_document(version)
            .map_err(|error| ReadFailure { error, curves_read: self.curves_read })
    }

    fn read_document(&mut self, version: Version) -> Result<Document<'a>, Error> {
        let [has_camera, has_hands, has_gaze] = match version {
            Version::V1_0 => [true, true, false],
            Version::V1_1 { parts } => parts.map(|part| part != 0),
        };
        let document = Document {
            version,
            layout: self.layout,
            camera: has_camera.then(|| self.read_pose()).transpose()?,
            hands: has_hands.then(|| self.read_hands()).transpose()?,
            gaze: has_gaze.then(|| self.read_ray()).transpose()?,
            markers: (self.offset < self.content.size())
                .then(|| self.read_markers())
                .transpose()?,
        };
        let left = self.content.size() - self.offset;
        if left > 0 {
            let (location, found) =
                (SourceLocation::byte(self.offset), format_count(left, "more byte"));
            return Err(Error::malformed(location, "the end of the file", found));
        }
        Ok(document)
    }

    fn read_hands(&mut self) -> Result<[Hand<'a>; 2], Error> {
        let [left_tracked, right_tracked] = self.read_curves(KeyLayout::Simple)?;
        let [left_pinch, right_pinch] = self.read_curves(KeyLayout::Simple)?;
        let left = self.read_joint_poses()?;
        let right = self.read_joint_poses()?;
        Ok([
            Hand { tracked: left_tracked, pinch: left_pinch, poses: left },
            Hand { tracked: right_tracked, pinch: right_pinch, poses: right },
        ])
    }

    fn read_joint_poses(&mut self) -> Result<Box<[PoseCurves<'a>; POSES_PER_HAND]>, Error> {
        let mut poses = Vec::with_capacity(POSES_PER_HAND);
        for _ in 0..POSES_PER_HAND {
            poses.push(self.read_pose()?);
        }
        Ok(Box::new(poses.try_into().expect("27 poses were pushed")))
    }

    fn read_pose(&mut self) -> Result<PoseCurves<'a>, Error> {
        Ok(PoseCurves {
            position: self.read_curves(self.layout)?,
            rotation: self.read_curves(self.layout)?,
        })
    }

    fn read_ray(&mut self) -> Result<RayCurves<'a>, Error> {
        Ok(RayCurves {
            origin: self.read_curves(self.layout)?,
            direction: self.read_curves(self.layout)?,
        })
    }

    fn read_curves<const N: usize>(&mut self, layout: KeyLayout) -> Result<[Curve<'a>; N], Error> {
        let mut curves = [None; N];
        for curve in &mut curves {
            *curve = Some(self.read_curve(layout)?);
            self.curves_read += 1;
        }
        Ok(curves.map(|curve| curve.expect("every curve was read")))
    }

    fn read_curve(&mut self, layout: KeyLayout) -> Result<Curve<'a>, Error> {
        let (offset, content) = (self.offset, self.content);
        let header = content.read_range(offset..offset + CURVE_HEADER_BYTES)?;
        let mut cursor = Cursor::from_piece(&header, offset, content.size());
        let pre_wrap = cursor.i32_le("a curve's pre-wrap mode")?;
        let post_wrap = cursor.i32_le("a curve's post-wrap mode")?;
        let key_count = cursor.count_i32_le(layout.bytes_per_key(), "keyframes")?;
        let first_key = cursor.offset();
        self.offset = first_key + key_count * layout.bytes_per_key();
        let keys = Piece::new(content, first_key..self.offset);
        Ok(Curve { offset, pre_wrap, post_wrap, layout, keys })
    }

    fn read_markers(&mut self) -> Result<Vec<Marker<'a>>, Error> {
        /// The time of a marker, and an empty name.
        const MIN_MARKER_BYTES: usize = 5;
        let (start, size) = (self.offset, self.content.size());
        let rest = self.content.read_range(start..size)?;
        let mut cursor = Cursor::from_piece(&rest, start, size);
        let count = cursor.count_i32_le(MIN_MARKER_BYTES, "markers")?;
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
