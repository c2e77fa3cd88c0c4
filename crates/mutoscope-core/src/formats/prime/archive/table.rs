//! Reads the table of an archive: its resources, and their location in the file.

use std::{collections::HashMap, ops::Range};

use super::{
    AssetId, Compression, Resource, ResourceLocation, ResourceType,
    unpack::{declared_size, unpack},
};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::codes,
    io::bytes::Cursor,
};

/// Both games use this version.
const VERSION: u32 = 0x0003_0005;

const LATER_VERSION: u32 = 2;

/// The table of an archive (PAK). Resources stay packed until they are read.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The names of a few resources, in the order of the archive.
    pub names: Vec<NamedResource>,
    /// The table's rows in order. If several rows have the same type and id, only the first of them
    /// is listed here.
    pub entries: Vec<ArchiveEntry>,
    /// The other rows with the same type and id. The archive stores some resources several times,
    /// so that the disc drive seeks less.
    pub copies: Vec<ArchiveEntry>,
    index: HashMap<(ResourceType, u32), usize>,
}

/// The name of a resource in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedResource {
    /// The resource's type.
    pub kind: ResourceType,
    /// The resource's id.
    pub id: u32,
    /// The name.
    pub name: String,
    /// The location of the name in the archive.
    pub location: SourceLocation,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// The resource's type.
    pub kind: ResourceType,
    /// The resource's id as stored in the table.
    pub id: u32,
    /// `true` if the resource is packed.
    pub is_compressed: bool,
    /// The range of bytes in the file that the row declares.
    pub stored: Range<u64>,
    /// The location of the row in the archive.
    pub location: SourceLocation,
}

pub(in crate::formats::prime) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&VERSION.to_be_bytes())
}

/// Returns `true` if the file may be an archive of a later game. Animations of version 2 begin with
/// the same bytes.
pub(in crate::formats::prime) fn is_later_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&LATER_VERSION.to_be_bytes())
}

impl Archive {
    /// Reads the table of an archive.
    ///
    /// # Errors
    /// If the table is not whole, or not from Metroid Prime or Echoes.
    pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let cursor = &mut cursor;
        match cursor.u32_be("the version of an archive")? {
            VERSION => {}
            LATER_VERSION => {
                let message = "archives of Metroid Prime 3 and later games are not supported; \
                               archives of Metroid Prime and Metroid Prime 2: Echoes are";
                return Err(Error::unsupported(SourceLocation::span(0, 4), message));
            }
            version => {
                let found = format!("{version:#010x}");
                return Err(Error::malformed(
                    SourceLocation::span(0, 4),
                    "the version 0x00030005",
                    found,
                ));
            }
        }
        let unused = cursor.u32_be("the second word of an archive")?;
        if unused != 0 {
            let message = format!("the second word is {unused}, not 0");
            diagnostics
                .warning(codes::UNUSUAL_VALUE, SourceLocation::span(4, 4), message)
                .with("expected", 0)
                .with("found", unused);
        }
        let mut archive = Self::default();
        if cursor.is_at_end() {
            diagnostics.warning(
                codes::ARCHIVE_EMPTY,
                SourceLocation::byte(8),
                "the archive is empty: it ends after its header",
            );
            return Ok(archive);
        }
        archive.names = read_names(cursor)?;
        archive.read_rows(cursor, diagnostics)?;
        if archive.entries.is_empty() {
            diagnostics.warning(
                codes::ARCHIVE_EMPTY,
                SourceLocation::File,
                "the archive is empty: it contains no resources",
            );
        }
        Ok(archive)
    }

    fn read_rows(
        &mut self,
        cursor: &mut Cursor,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Error> {
        const ROW_BYTES: usize = 20;
        let location = cursor.location();
        let count = cursor.count_u32_be(ROW_BYTES, "resources")?;
        let mut unprintable = Vec::new();
        for _ in 0..count {
            let entry = read_entry(cursor)?;
            if !entry.kind.is_printable() {
                unprintable.push(entry);
                continue;
            }
            if self.index.contains_key(&(entry.kind, entry.id)) {
                self.copies.push(entry);
            } else {
                self.index.insert((entry.kind, entry.id), self.entries.len());
                self.entries.push(entry);
            }
        }
        if unprintable.len() > count / 2 {
            let message = "the resources do not have types of four letters; the archive is from an \
                           unsupported game, such as the prototype of Metroid Prime 3";
            return Err(Error::unsupported(location, message));
        }
        for entry in unprintable {
            let message = format!("the type {} is not a valid type; resource skipped", entry.kind);
            diagnostics.error(codes::RESOURCE_INVALID, entry.location, message);
        }
        Ok(())
    }

    /// Returns the first row with this type and id.
    pub fn find(&self, kind: ResourceType, id: AssetId) -> Option<&ArchiveEntry> {
        self.index.get(&(kind, id.number())).map(|&index| &self.entries[index])
    }

    /// Returns the first name of a resource, if the archive has one.
    pub fn name_of(&self, entry: &ArchiveEntry) -> Option<&str> {
        let is_it = |named: &&NamedResource| (named.kind, named.id) == (entry.kind, entry.id);
        self.names.iter().find(is_it).map(|named| named.name.as_str())
    }
}

fn read_names(cursor: &mut Cursor) -> Result<Vec<NamedResource>, Error> {
    /// The size of a type, an id and the length of an empty name.
    const MIN_NAME_BYTES: usize = 12;
    let count = cursor.count_u32_be(MIN_NAME_BYTES, "named resources")?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        let start = cursor.offset();
        let kind = read_resource_type(cursor)?;
        let id = cursor.u32_be("the id of a named resource")?;
        let length = cursor.count_u32_be(1, "bytes of a resource's name")?;
        let name = cursor.read_bytes(length, "the name of a resource")?;
        let name = String::from_utf8_lossy(name).into_owned();
        let location = SourceLocation::span(start, cursor.offset() - start);
        names.push(NamedResource { kind, id, name, location });
    }
    Ok(names)
}

pub(super) fn read_resource_type(cursor: &mut Cursor) -> Result<ResourceType, Error> {
    let letters = cursor.read_bytes(4, "the type of a resource")?;
    Ok(ResourceType([letters[0], letters[1], letters[2], letters[3]]))
}

fn read_entry(cursor: &mut Cursor) -> Result<ArchiveEntry, Error> {
    let start = cursor.offset();
    let is_compressed = cursor.u32_be("the compression flag of a resource")? != 0;
    let kind = read_resource_type(cursor)?;
    let id = cursor.u32_be("the id of a resource")?;
    let size = u64::from(cursor.u32_be("the stored size of a resource")?);
    let offset = u64::from(cursor.u32_be("the offset of a resource")?);
    let location = SourceLocation::span(start, cursor.offset() - start);
    Ok(ArchiveEntry { kind, id, is_compressed, stored: offset..offset + size, location })
}

impl ArchiveEntry {
    /// Returns the name of the resource in messages, for example `CMDL 7C668A1B`.
    pub fn label(&self) -> String {
        format!("{} {:08X}", self.kind, self.id)
    }

    /// Returns the stored bytes, or fewer if the archive ends before them.
    pub fn stored_bytes<'a>(&self, archive: &'a [u8]) -> &'a [u8] {
        let within =
            |at: u64| usize::try_from(at).map_or(archive.len(), |at| at.min(archive.len()));
        &archive[within(self.stored.start)..within(self.stored.end)]
    }

    /// Returns the unpacked size in bytes that the resource declares, or its stored size if it is
    /// not packed. `None` if the archive ends before the size.
    pub fn unpacked_size(&self, archive: &[u8]) -> Option<u64> {
        if self.is_compressed {
            declared_size(self.stored_bytes(archive)).map(u64::from)
        } else {
            Some(self.stored.end - self.stored.start)
        }
    }

    /// Returns the compression. `None` if the resource is not packed, or if the archive ends before
    /// it.
    pub fn compression(&self, archive: &[u8]) -> Option<Compression> {
        if !self.is_compressed {
            return None;
        }
        Compression::from_stored_bytes(self.stored_bytes(archive))
    }

    /// Returns the unpacked bytes as far as they can be read.
    pub fn read<'a>(&self, archive: &'a [u8]) -> Resource<'a> {
        let stored = self.stored_bytes(archive);
        let is_cut = (stored.len() as u64) < self.stored.end - self.stored.start;
        let cut = || {
            let message = format!(
                "{}: bytes {:#x}..{:#x} of the archive",
                self.label(),
                self.stored.start,
                self.stored.end
            );
            let needed = self.stored.end - self.stored.start;
            Error::truncated(self.location.clone(), message, needed, stored.len())
        };
        let location = ResourceLocation::for_entry(self);
        if !self.is_compressed {
            let damage = is_cut.then(cut);
            return Resource { bytes: stored.into(), location, damage };
        }
        let unpacked = unpack(stored);
        // If the archive is truncated, report only the truncation, because it explains any error in
        // the packed bytes.
        let damage = match unpacked.error {
            Some(_) if is_cut => Some(cut()),
            error => {
                error.map(|error| ResourceLocation::for_stored_bytes(self).translate_error(error))
            }
        };
        Resource { bytes: unpacked.bytes.into(), location, damage }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_archive_example_is_read() {
        let mut bytes = [0x0003_0005_u32, 0, 1].map(u32::to_be_bytes).concat();
        bytes.extend(b"ANCS\xB1\x7B\xD3\x30\0\0\0\x06Warden\0\0\0\0");
        let archive = Archive::decode(&bytes, &mut Diagnostics::new()).unwrap();
        let [named] = &archive.names[..] else { panic!("one name") };
        assert_eq!(
            (named.kind, named.id, &*named.name),
            (ResourceType::ANCS, 0xb17b_d330, "Warden")
        );
        assert!(archive.entries.is_empty());
    }

    #[test]
    fn archives_of_other_games_are_rejected_by_name() {
        let message = |words: [u32; 8]| {
            let bytes = words.map(u32::to_be_bytes).concat();
            Archive::decode(&bytes, &mut Diagnostics::new()).unwrap_err().message().to_owned()
        };
        assert!(message([2, 64, 0, 0, 0, 0, 0, 0]).contains("Metroid Prime 3"));
        // One resource, with half of a 64-bit number where the type should be.
        let prototype = message([0x0003_0005, 0, 0, 1, 0, 0, 0, 0]);
        assert!(prototype.contains("20 bytes") || prototype.contains("prototype"), "{prototype}");
        let prototype = [0x0003_0005, 0, 0, 1, 0, 1, 0, 0, 0].map(u32::to_be_bytes).concat();
        let error = Archive::decode(&prototype, &mut Diagnostics::new()).unwrap_err();
        assert!(error.message().contains("prototype"), "{error}");
    }
}
