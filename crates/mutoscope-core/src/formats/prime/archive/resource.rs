//! A resource's bytes, and where in which file they are.

use std::{borrow::Cow, ops::Range};

use super::{Archive, ArchiveEntry, AssetId, ResourceType};
use crate::{
    clip::Provenance,
    diagnostics::{Error, Notice, SourceLocation},
};

/// Where resources are looked for, by type and id.
pub trait Resources {
    /// The resource of this type and id; nothing if there is none.
    fn resource(&self, kind: ResourceType, id: AssetId) -> Option<Resource<'_>>;

    /// Whether there is one: nothing is read.
    fn has(&self, kind: ResourceType, id: AssetId) -> bool;
}

/// A resource's bytes, unpacked.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    /// The bytes that could be read, in full or up to [`damage`](Self::damage).
    pub bytes: Cow<'a, [u8]>,
    /// Where it is.
    pub location: ResourceLocation,
    /// Why the bytes are incomplete, if they are.
    pub damage: Option<Error>,
}

/// Where a resource is: to report issues in terms of the file that it is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceLocation {
    /// Its name in messages; nothing for a file of its own.
    label: Option<String>,
    bytes: Bytes,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Bytes {
    /// In a file of its own.
    #[default]
    File,
    /// As they are, in these bytes of an archive.
    Stored(Range<u64>),
    /// Packed, in these bytes of an archive.
    Packed(Range<u64>),
}

impl ResourceLocation {
    /// In the file that messages are about.
    pub fn own_file() -> Self {
        Self::default()
    }

    /// In another file.
    pub fn other_file(name: &str) -> Self {
        Self { label: Some(name.to_owned()), bytes: Bytes::File }
    }

    pub(super) fn in_archive(entry: &ArchiveEntry) -> Self {
        let stored = entry.stored.clone();
        let bytes = if entry.is_compressed { Bytes::Packed(stored) } else { Bytes::Stored(stored) };
        Self { label: Some(entry.label()), bytes }
    }

    /// The stored bytes of an entry, packed or not.
    pub(super) fn stored(entry: &ArchiveEntry) -> Self {
        Self { label: Some(entry.label()), bytes: Bytes::Stored(entry.stored.clone()) }
    }

    /// A place in the resource as one in the file that messages are about.
    pub fn place(&self, place: &SourceLocation) -> SourceLocation {
        let is_whole = matches!(place, SourceLocation::File | SourceLocation::Line { .. });
        match &self.bytes {
            Bytes::File => place.clone(),
            Bytes::Stored(all) | Bytes::Packed(all) if is_whole => {
                SourceLocation::Bytes(all.clone())
            }
            Bytes::Stored(all) => place.clone().shifted(all.start),
            Bytes::Packed(_) => place.clone().unpacked(),
        }
    }

    /// The provenance of a track in the resource, in terms of the file that messages are about.
    pub(in crate::formats::prime) fn provenance(&self, source: Provenance) -> Provenance {
        match (&self.bytes, &self.label) {
            (Bytes::File, None) => source,
            (Bytes::File, Some(_)) => source.in_other_file(),
            (Bytes::Stored(all), _) => source.from_byte(all.start),
            (Bytes::Packed(all), _) => {
                let mut source = source.in_unpacked();
                source.place = SourceLocation::Bytes(all.clone());
                source
            }
        }
    }

    /// An error in the resource, in terms of the file that it is in.
    pub fn error(&self, error: Error) -> Error {
        let (place, message) = (self.place(error.place()), self.message(error.message()));
        error.relocated(place, message)
    }

    /// A notice about the resource, in terms of the file that it is in.
    pub fn notice(&self, mut notice: Notice) -> Notice {
        notice.place = self.place(&notice.place);
        notice.message = self.message(&notice.message);
        notice
    }

    fn message(&self, message: &str) -> String {
        match &self.label {
            Some(label) => format!("{label}: {message}"),
            None => message.to_owned(),
        }
    }
}

/// The resources of an archive, and its bytes.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveResources<'a> {
    /// Its table.
    pub archive: &'a Archive,
    /// All its bytes.
    pub bytes: &'a [u8],
}

impl Resources for ArchiveResources<'_> {
    fn resource(&self, kind: ResourceType, id: AssetId) -> Option<Resource<'_>> {
        self.archive.find(kind, id).map(|entry| entry.read(self.bytes))
    }

    fn has(&self, kind: ResourceType, id: AssetId) -> bool {
        self.archive.find(kind, id).is_some()
    }
}
