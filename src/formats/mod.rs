//! The formats that are read, and telling them apart.
//!
//! A format is one folder here and one row in [`FORMATS`]; Resonite's two, which say the same, share a
//! folder. Formats never import each other.
//! Recognition goes by content; the extension only breaks ties, because extensions lie: `.anim`
//! is Maya's, Unity's and Metroid Prime's.

pub mod bvh;
pub mod maya;
pub mod mcmocap;
pub mod mrtk;
pub mod prime;
mod recognition;
pub mod resonite;
mod strangers;

pub use recognition::Recognition;

use std::fmt;

use crate::{
    bytes::{ReadBeside, nothing_beside},
    clip::{Assumptions, Clip, Layout},
    diagnostics::{Error, Notices, Place},
    rig::{Rig, RigKind},
};

/// Every format that is read.
pub static FORMATS: [Format; 7] = [
    mrtk::FORMAT,
    maya::FORMAT,
    resonite::animj::FORMAT,
    resonite::animx::FORMAT,
    prime::FORMAT,
    mcmocap::FORMAT,
    bvh::FORMAT,
];

/// A format: how to name, recognise and decode it.
#[derive(Debug)]
pub struct Format {
    /// Which one it is.
    pub id: FormatId,
    /// Its name as its users say it.
    pub name: &'static str,
    /// The extensions its files usually have, lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// How its values run from key to key, in a few words for the user.
    pub between_keys: &'static str,
    /// Tells from a file's bytes whether it is of this format.
    pub recognise: fn(&[u8]) -> Recognition,
    /// Decodes a file's bytes.
    pub decode: fn(&[u8], &mut Notices) -> Result<Clip, Error>,
    /// How its recordings are put on a skeleton from another file, if they can be.
    pub on_rig: Option<OnRig>,
    /// How its files are decoded that name others beside them, if there are such.
    pub beside: Option<DecodeBeside>,
    /// The layouts that its files are in, if they do not say in which.
    pub layouts: Option<Layouts>,
    /// What a file's bytes have packed, if they have something: places of keys are counted in it.
    pub unpacked: Option<Unpack>,
}

/// What a file's bytes have packed; nothing if they have it plain, or it cannot be unpacked.
pub type Unpack = fn(&[u8]) -> Option<Vec<u8>>;

/// Decodes a file's bytes, and those of the files that it names.
pub type DecodeBeside = fn(&[u8], &ReadBeside<'_>, &mut Notices) -> Result<Clip, Error>;

/// Layouts of one format that its files do not tell apart by any word of their own. The decoder
/// finds out, and its user may know better.
#[derive(Debug)]
pub struct Layouts {
    /// What they are of: `Game`.
    pub what: &'static str,
    /// What each is called.
    pub names: &'static [&'static str],
    /// Decodes a recording's bytes in the layout with this index, on a skeleton if one is given,
    /// which is of the kind that the format takes.
    pub decode: DecodeInLayout,
}

/// Decodes a recording's bytes in the layout with an index; what is assumed matters to how it is put
/// on a skeleton.
pub type DecodeInLayout =
    fn(&[u8], usize, Option<&Rig>, &Assumptions, &mut Notices) -> Result<Clip, Error>;

/// How recordings of a format are put on a skeleton from another file.
#[derive(Debug)]
pub struct OnRig {
    /// The kind of skeletons it takes.
    pub kind: RigKind,
    /// Decodes a recording's bytes, understands its numbers as assumed, and puts what they move on
    /// the skeleton.
    pub decode: fn(&[u8], &Rig, &Assumptions, &mut Notices) -> Result<Clip, Error>,
}

impl Format {
    /// Whether its recordings can be put on skeletons of this kind.
    pub fn takes(&self, kind: RigKind) -> bool {
        self.on_rig.as_ref().is_some_and(|on_rig| on_rig.kind == kind)
    }

    /// The kind of skeleton that is kept in the folder of its recordings, if one is.
    pub fn skeleton_beside(&self) -> Option<RigKind> {
        let kind = self.on_rig.as_ref().map(|on_rig| on_rig.kind);
        kind.filter(|kind| kind.lies_beside_recordings())
    }

    /// Why its recordings cannot be put on skeletons of this kind; for those that it does not take.
    pub fn refusal(&self, kind: RigKind) -> Error {
        let takes = self.on_rig.as_ref().map_or("none", |on_rig| on_rig.kind.name());
        let message = format!(
            "expected a recording that takes a skeleton of {}, found {}, which takes {takes}",
            kind.name(),
            self.name
        );
        Error::unsupported(Place::File, message)
    }
}

/// Which format; its text is what `--as` takes and `info` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatId {
    /// MRTK 2 input animation: hands, head and gaze of a HoloLens user.
    Mrtk,
    /// Maya's animation curves as text.
    Maya,
    /// Resonite's animations as people and scripts write them.
    AnimJ,
    /// Resonite's animations as it stores them.
    AnimX,
    /// ANIM of Metroid Prime 1 and 2: the motion of a skeleton's bones.
    Prime,
    /// Recordings of the Minecraft mod Motion Capture.
    Mcmocap,
    /// Biovision's text format for motion capture.
    Bvh,
}

impl FormatId {
    /// Its word on the command line: `mrtk`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mrtk => "mrtk",
            Self::Maya => "maya",
            Self::AnimJ => "animj",
            Self::AnimX => "animx",
            Self::Prime => "prime",
            Self::Mcmocap => "mcmocap",
            Self::Bvh => "bvh",
        }
    }

    /// Its row in [`FORMATS`].
    pub fn format(self) -> &'static Format {
        match self {
            Self::Mrtk => &mrtk::FORMAT,
            Self::Maya => &maya::FORMAT,
            Self::AnimJ => &resonite::animj::FORMAT,
            Self::AnimX => &resonite::animx::FORMAT,
            Self::Prime => &prime::FORMAT,
            Self::Mcmocap => &mcmocap::FORMAT,
            Self::Bvh => &bvh::FORMAT,
        }
    }
}

impl fmt::Display for FormatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Whether `format`, or if none is given any format, takes `bytes` for its own.
pub fn is_recognised(bytes: &[u8], format: Option<FormatId>) -> bool {
    let mut asked = FORMATS.iter().filter(|row| format.is_none_or(|id| row.id == id));
    asked.any(|row| (row.recognise)(bytes) > Recognition::No)
}

/// Why a file could not be decoded, and what was noticed before.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}{error}", .format.map(|id| format!("{id} ")).unwrap_or_default())]
pub struct Failure {
    /// The format it was taken for, if for any.
    pub format: Option<FormatId>,
    /// Where and why reading stopped.
    pub error: Error,
    /// What was odd before that.
    pub notices: Notices,
}

/// Decodes `bytes` as `format`, or as the format they are recognised as; `extension`, in any
/// case and without its dot, breaks ties. Other files that they name are out of reach.
///
/// # Errors
/// If no format recognises the bytes, or the format's decoder has to stop.
pub fn decode(
    bytes: &[u8],
    extension: Option<&str>,
    format: Option<FormatId>,
) -> Result<Clip, Failure> {
    decode_beside(bytes, extension, format, &nothing_beside)
}

/// The same, with `read` for the files that they name.
///
/// # Errors
/// As [`decode`].
pub fn decode_beside(
    bytes: &[u8],
    extension: Option<&str>,
    format: Option<FormatId>,
    read: &ReadBeside<'_>,
) -> Result<Clip, Failure> {
    decode_with(bytes, format_of(bytes, extension, format)?, None, &Assumptions::default(), read)
}

/// As [`decode`], on the skeleton `rig`.
///
/// # Errors
/// As [`decode`], and if the format takes no such skeleton.
pub fn decode_on_rig(
    bytes: &[u8],
    extension: Option<&str>,
    format: Option<FormatId>,
    rig: &Rig,
) -> Result<Clip, Failure> {
    decode_with(
        bytes,
        format_of(bytes, extension, format)?,
        Some(rig),
        &Assumptions::default(),
        &nothing_beside,
    )
}

/// The same, on the skeleton `rig` if the format takes such skeletons, else without and with `read`
/// for the files that they name: for recordings of several formats.
///
/// # Errors
/// As [`decode`].
pub fn decode_on_rig_if_taken(
    bytes: &[u8],
    extension: Option<&str>,
    format: Option<FormatId>,
    rig: &Rig,
    read: &ReadBeside<'_>,
) -> Result<Clip, Failure> {
    decode_as_assumed(bytes, extension, format, Some(rig), read, |_| Assumptions::default())
}

/// The same, its numbers understood as `assumed` for the format; without a skeleton if none is given.
///
/// # Errors
/// As [`decode`].
pub fn decode_as_assumed(
    bytes: &[u8],
    extension: Option<&str>,
    format: Option<FormatId>,
    rig: Option<&Rig>,
    read: &ReadBeside<'_>,
    assumed: impl FnOnce(FormatId) -> Assumptions,
) -> Result<Clip, Failure> {
    let format = format_of(bytes, extension, format)?;
    let rig = rig.filter(|rig| format.takes(rig.kind));
    decode_with(bytes, format, rig, &assumed(format.id), read)
}

/// Decodes `bytes` as `format` in that of its [`Layouts`] which has the index `layout`, on the
/// skeleton `rig` if the format takes such skeletons, else without; its numbers understood as
/// assumed.
///
/// # Errors
/// If the format has no such layout, or the decoder has to stop, as it will if the bytes are in
/// another layout.
pub fn decode_in_layout(
    bytes: &[u8],
    format: FormatId,
    layout: usize,
    rig: Option<&Rig>,
    assumptions: &Assumptions,
) -> Result<Clip, Failure> {
    let row = format.format();
    let rig = rig.filter(|rig| row.takes(rig.kind));
    let known = row.layouts.as_ref().filter(|layouts| layout < layouts.names.len());
    collected(format, assumptions, |notices| match known {
        Some(layouts) => {
            let mut clip = (layouts.decode)(bytes, layout, rig, assumptions, notices)?;
            clip.layout = Some(Layout { index: layout, is_chosen: true });
            Ok(clip)
        }
        None => Err(Error::unsupported(Place::File, format!("{} has no such layout", row.name))),
    })
}

fn format_of(
    bytes: &[u8],
    extension: Option<&str>,
    format: Option<FormatId>,
) -> Result<&'static Format, Failure> {
    let recognised = || recognition::recognise(bytes, extension);
    let without_notices = |error| Failure { format: None, error, notices: Notices::new() };
    format.map_or_else(recognised, |id| Ok(id.format())).map_err(without_notices)
}

fn decode_with(
    bytes: &[u8],
    format: &Format,
    rig: Option<&Rig>,
    assumptions: &Assumptions,
    read: &ReadBeside<'_>,
) -> Result<Clip, Failure> {
    collected(format.id, assumptions, |notices| match (rig, &format.on_rig) {
        (None, _) => match format.beside {
            Some(decode_beside) => decode_beside(bytes, read, notices),
            None => (format.decode)(bytes, notices),
        },
        (Some(rig), Some(on_rig)) if on_rig.kind == rig.kind => {
            (on_rig.decode)(bytes, rig, assumptions, notices)
        }
        (Some(rig), _) => Err(format.refusal(rig.kind)),
    })
}

/// What `decode` makes, understood as is assumed, with all that was noticed on the way.
fn collected(
    format: FormatId,
    assumptions: &Assumptions,
    decode: impl FnOnce(&mut Notices) -> Result<Clip, Error>,
) -> Result<Clip, Failure> {
    let mut notices = Notices::new();
    match decode(&mut notices) {
        Ok(mut clip) => {
            assumptions.apply(&mut clip.convention);
            // What the decoder noticed comes before what making the clip brought up.
            notices.extend(std::mem::take(&mut clip.notices));
            clip.notices = notices;
            let time = clip.convention.seconds_per_unit.map(|time| time.value);
            if let Some(seconds) = time.filter(|seconds| *seconds != 1.0) {
                clip.count_time_in(seconds);
            }
            Ok(clip)
        }
        Err(error) => Err(Failure { format: Some(format), error, notices }),
    }
}
