//! The bytes of a resource, and their location in a file.

use std::{borrow::Cow, ops::Range};

use super::{Archive, ArchiveEntry, AssetId, ResourceType};
use crate::{
    clip::TrackLocation,
    diagnostics::{Diagnostic, Error, SourceLocation},
};

/// A source of resources, by type and id.
pub trait Resources {
    /// Returns the resource of this type and id, or `None` if there is none.
    fn resource(&self, kind: ResourceType, id: AssetId) -> Option<Resource<'_>>;

    /// Returns `true` if there is a resource of this type and id. Does not read it.
    fn has(&self, kind: ResourceType, id: AssetId) -> bool;
}

/// The unpacked bytes of a resource.
#[derive(Clone, Debug)]
pub struct Resource<'a> {
    /// The bytes that could be read: all of them, or those before the [`damage`](Self::damage).
    pub bytes: Cow<'a, [u8]>,
    /// The location of the resource.
    pub location: ResourceLocation,
    /// The error that stopped the reader before the end of the resource. `None` if the bytes are
    /// complete.
    pub damage: Option<Error>,
}

/// The location of a resource. It translates locations within the resource to locations in the file
/// that contains it, so that diagnostics point to the right bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourceLocation {
    /// The name of the resource in messages. `None` if the messages are about the resource's own
    /// file, so that it need not be named.
    label: Option<String>,
    storage: Storage,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Storage {
    /// The resource is a file of its own.
    #[default]
    File,
    /// The resource is stored unpacked in these bytes of an archive.
    Stored(Range<u64>),
    /// The resource is packed in these bytes of an archive.
    Packed(Range<u64>),
}

impl ResourceLocation {
    /// Returns the location of a resource that is the very file that the messages are about.
    pub fn own_file() -> Self {
        Self::default()
    }

    /// Returns the location of a resource in another file.
    pub fn other_file(name: &str) -> Self {
        Self { label: Some(name.to_owned()), storage: Storage::File }
    }

    pub(super) fn for_entry(entry: &ArchiveEntry) -> Self {
        let stored = entry.stored.clone();
        let storage =
            if entry.is_compressed { Storage::Packed(stored) } else { Storage::Stored(stored) };
        Self { label: Some(entry.label()), storage }
    }

    /// Returns the location of the stored bytes of an entry. Unpacking errors use this location to
    /// point to the packed bytes.
    pub(super) fn for_stored_bytes(entry: &ArchiveEntry) -> Self {
        Self { label: Some(entry.label()), storage: Storage::Stored(entry.stored.clone()) }
    }

    /// Translates a location in the resource to a location in the file that the messages are about.
    pub fn translate(&self, location: &SourceLocation) -> SourceLocation {
        let is_whole = matches!(location, SourceLocation::File | SourceLocation::Line { .. });
        match &self.storage {
            Storage::File => location.clone(),
            Storage::Stored(all) | Storage::Packed(all) if is_whole => {
                SourceLocation::Bytes(all.clone())
            }
            Storage::Stored(all) => location.clone().shifted(all.start),
            Storage::Packed(_) => location.clone().unpacked(),
        }
    }

    pub(in crate::formats::prime) fn translate_track_location(
        &self,
        source: TrackLocation,
    ) -> TrackLocation {
        match (&self.storage, &self.label) {
            (Storage::File, None) => source,
            (Storage::File, Some(_)) => source.in_other_file(),
            (Storage::Stored(all), _) => source.shifted(all.start),
            (Storage::Packed(all), _) => {
                let mut source = source.in_unpacked_data();
                source.location = SourceLocation::Bytes(all.clone());
                source
            }
        }
    }

    /// Translates an error in the resource to the file that contains it.
    pub fn translate_error(&self, error: Error) -> Error {
        let (location, message) =
            (self.translate(error.location()), self.labelled_message(error.message()));
        error.relocated(location, message)
    }

    /// Translates a diagnostic about the resource to the file that contains it.
    pub fn translate_diagnostic(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.location = self.translate(&diagnostic.location);
        diagnostic.message = self.labelled_message(&diagnostic.message);
        diagnostic
    }

    fn labelled_message(&self, message: &str) -> String {
        match &self.label {
            Some(label) => format!("{label}: {message}"),
            None => message.to_owned(),
        }
    }
}

/// The resources of an archive.
#[derive(Clone, Copy, Debug)]
pub struct ArchiveResources<'a> {
    /// The table of the archive.
    pub archive: &'a Archive,
    /// All bytes of the archive.
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
