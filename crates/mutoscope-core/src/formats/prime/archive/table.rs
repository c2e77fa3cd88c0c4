//! The table of an archive: what is in it, and where.

use std::{collections::HashMap, ops::Range};

use super::{
    AssetId, Compression, Resource, ResourceLocation, ResourceType,
    unpack::{stated_size, unpack},
};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    io::bytes::Cursor,
};

/// The version of the archives of both games.
const VERSION: u32 = 0x0003_0005;

/// The version of the archives of Metroid Prime 3 and later.
const LATER_VERSION: u32 = 2;

/// The table of an archive (PAK): nothing is unpacked.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The names that the archive has for a few resources, in its order.
    pub names: Vec<NamedResource>,
    /// Every type and id once, in the order of the table.
    pub entries: Vec<ArchiveEntry>,
    /// Further rows for a type and id that came before: copies, for the disc drive's sake.
    pub copies: Vec<ArchiveEntry>,
    index: HashMap<(ResourceType, u32), usize>,
}

/// A name that an archive has for a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedResource {
    /// The resource's type.
    pub kind: ResourceType,
    /// The resource's id.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The location of this name in the archive.
    pub place: SourceLocation,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveEntry {
    /// The resource's type.
    pub kind: ResourceType,
    /// The resource's id, as the table has it.
    pub id: u32,
    /// Whether it is packed.
    pub is_compressed: bool,
    /// The byte range in the file, as its entry declares it.
    pub stored: Range<u64>,
    /// Where the row is.
    pub place: SourceLocation,
}

/// Whether `bytes` begin as an archive of either game does.
pub(in crate::formats::prime) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&VERSION.to_be_bytes())
}

/// Whether `bytes` begin as an archive of Metroid Prime 3 or a later game does. So do animations.
pub(in crate::formats::prime) fn is_later_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&LATER_VERSION.to_be_bytes())
}

impl Archive {
    /// Reads the table of an archive.
    ///
    /// # Errors
    /// If it is not that of Metroid Prime or of Echoes, or not whole.
    pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let cursor = &mut cursor;
        match cursor.u32_be("the version of an archive")? {
            VERSION => {}
            LATER_VERSION => {
                let message = "an archive of Metroid Prime 3 or a later game, which is not read; \
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
            notices
                .warning(SourceLocation::span(4, 4), format!("the second word is {unused}, not 0"));
        }
        let mut archive = Self::default();
        if cursor.is_at_end() {
            notices
                .warning(SourceLocation::byte(8), "the archive ends after its head: it is empty");
            return Ok(archive);
        }
        archive.names = names(cursor)?;
        archive.rows(cursor, notices)?;
        if archive.entries.is_empty() {
            notices.warning(SourceLocation::File, "the archive is empty: it holds no resource");
        }
        Ok(archive)
    }

    fn rows(&mut self, cursor: &mut Cursor, notices: &mut Notices) -> Result<(), Error> {
        const ROW: usize = 20;
        let place = cursor.place();
        let count = cursor.count_u32_be(ROW, "resources")?;
        let mut unprintable = Vec::new();
        for _ in 0..count {
            let entry = entry(cursor)?;
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
            let message = "its resources have no types of four letters: of another game, such as \
                           the prototype of Metroid Prime 3, which is not read";
            return Err(Error::unsupported(place, message));
        }
        for entry in unprintable {
            let message = format!("the type {} is not a valid type; resource skipped", entry.kind);
            notices.error(entry.place, message);
        }
        Ok(())
    }

    /// The resource of this type and id.
    pub fn find(&self, kind: ResourceType, id: AssetId) -> Option<&ArchiveEntry> {
        self.index.get(&(kind, id.number())).map(|&index| &self.entries[index])
    }

    /// The archive's first name for a resource.
    pub fn name_of(&self, entry: &ArchiveEntry) -> Option<&str> {
        let is_it = |named: &&NamedResource| (named.kind, named.id) == (entry.kind, entry.id);
        self.names.iter().find(is_it).map(|named| named.name.as_str())
    }
}

fn names(cursor: &mut Cursor) -> Result<Vec<NamedResource>, Error> {
    /// A type, an id and the length of an empty name.
    const SHORTEST: usize = 12;
    let count = cursor.count_u32_be(SHORTEST, "named resources")?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        let start = cursor.offset();
        let kind = resource_type(cursor)?;
        let id = cursor.u32_be("the id of a named resource")?;
        let length = cursor.count_u32_be(1, "bytes of a resource's name")?;
        let name = cursor.take(length, "the name of a resource")?;
        let name = String::from_utf8_lossy(name).into_owned();
        let place = SourceLocation::span(start, cursor.offset() - start);
        names.push(NamedResource { kind, id, name, place });
    }
    Ok(names)
}

pub(super) fn resource_type(cursor: &mut Cursor) -> Result<ResourceType, Error> {
    let letters = cursor.take(4, "the type of a resource")?;
    Ok(ResourceType([letters[0], letters[1], letters[2], letters[3]]))
}

fn entry(cursor: &mut Cursor) -> Result<ArchiveEntry, Error> {
    let start = cursor.offset();
    let is_compressed = cursor.u32_be("whether a resource is packed")? != 0;
    let kind = resource_type(cursor)?;
    let id = cursor.u32_be("the id of a resource")?;
    let size = u64::from(cursor.u32_be("the stored size of a resource")?);
    let offset = u64::from(cursor.u32_be("where a resource begins")?);
    let place = SourceLocation::span(start, cursor.offset() - start);
    Ok(ArchiveEntry { kind, id, is_compressed, stored: offset..offset + size, place })
}

impl ArchiveEntry {
    /// Its name in messages: `CMDL 7C668A1B`.
    pub fn label(&self) -> String {
        format!("{} {:08X}", self.kind, self.id)
    }

    /// Its stored bytes, as far as the archive has them.
    pub fn stored_bytes<'a>(&self, archive: &'a [u8]) -> &'a [u8] {
        let within =
            |at: u64| usize::try_from(at).map_or(archive.len(), |at| at.min(archive.len()));
        &archive[within(self.stored.start)..within(self.stored.end)]
    }

    /// How many bytes it says that it unpacks to, or how many are stored if it is not packed;
    /// nothing if that is beyond the end of the archive.
    pub fn size(&self, archive: &[u8]) -> Option<u64> {
        if self.is_compressed {
            stated_size(self.stored_bytes(archive)).map(u64::from)
        } else {
            Some(self.stored.end - self.stored.start)
        }
    }

    /// Its compression; `None` if it is not packed, or that is unknown.
    pub fn compression(&self, archive: &[u8]) -> Option<Compression> {
        if !self.is_compressed {
            return None;
        }
        Compression::of_stored(self.stored_bytes(archive))
    }

    /// Its bytes, unpacked, as far as they go.
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
            Error::truncated(self.place.clone(), message, needed, stored.len())
        };
        let location = ResourceLocation::in_archive(self);
        if !self.is_compressed {
            let damage = is_cut.then(cut);
            return Resource { bytes: stored.into(), location, damage };
        }
        let unpacked = unpack(stored);
        // A truncated archive explains all errors of the stream.
        let damage = match unpacked.error {
            Some(_) if is_cut => Some(cut()),
            error => error.map(|error| ResourceLocation::stored(self).error(error)),
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
        let archive = Archive::decode(&bytes, &mut Notices::new()).unwrap();
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
            Archive::decode(&bytes, &mut Notices::new()).unwrap_err().message().to_owned()
        };
        assert!(message([2, 64, 0, 0, 0, 0, 0, 0]).contains("Metroid Prime 3"));
        // One resource whose type is half of a number of 64 bits.
        let prototype = message([0x0003_0005, 0, 0, 1, 0, 0, 0, 0]);
        assert!(prototype.contains("20 bytes") || prototype.contains("prototype"), "{prototype}");
        let prototype = [0x0003_0005, 0, 0, 1, 0, 1, 0, 0, 0].map(u32::to_be_bytes).concat();
        let error = Archive::decode(&prototype, &mut Notices::new()).unwrap_err();
        assert!(error.message().contains("prototype"), "{error}");
    }
}
