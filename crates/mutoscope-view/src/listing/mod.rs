//! Lists a file row by row, and maps keys to their bytes and back.
//!
//! A [`Listing`] of a binary file has rows of 16 bytes. A listing of a text file has its lines, and
//! long lines are broken into several rows. Packed content is listed unpacked.
//!
//! Row offsets are computed, or looked up in a list of row starts. Keys are found by searching the
//! locations of tracks. Therefore a file of hundreds of megabytes is listed as fast as a small
//! file. Creating a listing of a text file reads the whole file once, so do it in a background
//! task. A large binary file is not held in memory; the visible rows are read from the file.
//!
//! | file | what it does |
//! |---|---|
//! | `rows.rs` | splits a text into rows |
//! | `key_index.rs` | finds the keys of tracks by their location |
//! | `extent.rs` | finds the byte ranges of locations |

mod extent;
mod key_index;
mod rows;

use std::{borrow::Cow, ops::Range};

pub use rows::TextRows;

use self::key_index::KeyIndex;
use mutoscope_core::{
    clip::{Clip, KeyId},
    diagnostics::{Error, SourceLocation},
    formats::Registry,
    io::bytes::FileContent,
};

/// The number of bytes in a row of a binary file.
pub const BYTES_PER_ROW: usize = 16;

const SNIFF_LEN: usize = 4096;

const MAX_KEYS: usize = 4096;

/// The listing of a file, row by row.
#[derive(Debug)]
pub struct Listing {
    content: FileContent,
    text: Option<TextRows>,
    is_unpacked: bool,
    keys: KeyIndex,
}

/// A key and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBytes {
    /// The key.
    pub key: KeyId,
    /// The byte ranges of the key. There are several ranges if the key is stored as bits of words.
    pub bytes: Vec<Range<usize>>,
}

impl Listing {
    /// Lists `file`, which `clip` was decoded from. A file that is not in memory is listed byte by
    /// byte. Such a file is never a text or packed format, because these formats are always decoded
    /// in memory.
    pub fn new(clip: &Clip, file: &FileContent, registry: &Registry) -> Self {
        let unpack = registry.format(clip.format).and_then(|format| format.unpack);
        let unpacked = file.in_memory().and_then(|bytes| unpack?(bytes));
        let is_unpacked = unpacked.is_some();
        let content = unpacked.map_or_else(|| file.clone(), FileContent::from);
        let text = content.in_memory().filter(|bytes| is_text(bytes)).map(TextRows::new);
        let mut listing = Self { content, text, is_unpacked, keys: KeyIndex::default() };
        listing.keys = KeyIndex::new(clip, &listing);
        listing
    }

    /// Returns the number of listed bytes: the size of the file, or of its unpacked content.
    pub fn size(&self) -> usize {
        self.content.as_content().size()
    }

    /// Returns the bytes of `range`, limited to the bytes that exist.
    ///
    /// # Errors
    /// Fails if the file is not in memory and cannot be read, or has changed since it was opened.
    pub fn bytes(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Error> {
        self.content.as_content().read_range(range)
    }

    /// Returns all bytes if they are in memory, which is always true for texts. Otherwise returns
    /// an empty slice.
    fn in_memory(&self) -> &[u8] {
        self.content.in_memory().unwrap_or_default()
    }

    /// Returns `true` if the listing shows the unpacked content of the file.
    pub fn is_unpacked(&self) -> bool {
        self.is_unpacked
    }

    /// Returns the rows of a text, or `None` for a binary file.
    pub fn text_rows(&self) -> Option<&TextRows> {
        self.text.as_ref()
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        match &self.text {
            Some(rows) => rows.row_count(),
            None => self.size().div_ceil(BYTES_PER_ROW),
        }
    }

    /// Returns the byte range of a row, without the line ending.
    pub fn row_range(&self, row: usize) -> Range<usize> {
        match &self.text {
            Some(rows) => rows.row_range(row, self.in_memory()),
            None => {
                let start = (row * BYTES_PER_ROW).min(self.size());
                start..(start + BYTES_PER_ROW).min(self.size())
            }
        }
    }

    /// Returns the row that contains the byte at `offset`.
    pub fn row_at(&self, offset: usize) -> usize {
        match &self.text {
            Some(rows) => rows.row_at(offset),
            None => offset / BYTES_PER_ROW,
        }
    }

    /// Returns the byte ranges of `key`. The result is empty if the location of this single key is
    /// unknown.
    pub fn key_ranges(&self, clip: &Clip, key: KeyId) -> Vec<Range<usize>> {
        let Some(track) = clip.tracks.get(key.track.index()) else { return Vec::new() };
        if key.index >= track.curve.key_count() || !track.source.has_key_locations() {
            return Vec::new();
        }
        self.location_ranges(&track.source.key_location(key.index))
    }

    /// Returns the byte ranges of a location. The result is empty for the file as a whole, and for
    /// locations that the listing does not show.
    pub fn location_ranges(&self, location: &SourceLocation) -> Vec<Range<usize>> {
        extent::byte_ranges(self, location)
    }

    /// Returns the bits of a location in reading order, least significant first, such as `0110 1`.
    /// Returns `None` if the location has no bits.
    pub fn location_bits(&self, location: &SourceLocation) -> Option<String> {
        extent::format_bits(self.in_memory(), location)
    }

    /// Returns the keys that have bytes within `range`, at most a few thousand.
    pub fn keys_in(&self, clip: &Clip, range: Range<usize>) -> Vec<KeyBytes> {
        self.keys.keys_within(clip, self, range, MAX_KEYS)
    }

    /// Returns the key that contains the byte at `offset`, or `None` if no key does. If several
    /// keys contain the byte, a key of the track of `near` is preferred, and then a key of the
    /// owner of `near`.
    pub fn key_at(&self, clip: &Clip, offset: usize, near: Option<KeyId>) -> Option<KeyId> {
        let keys = self.keys_in(clip, offset..offset + 1);
        let owner = |key: KeyId| clip.track(key.track).owner;
        let distance = |key: KeyId| match near {
            Some(near) if key.track == near.track => 0,
            Some(near) if owner(key) == owner(near) => 1,
            _ => 2,
        };
        keys.into_iter().map(|found| found.key).min_by_key(|&key| distance(key))
    }
}

/// Returns `true` if the first bytes are all printable. This is how text starts in any encoding
/// that extends ASCII.
fn is_text(content: &[u8]) -> bool {
    let first = &content[..content.len().min(SNIFF_LEN)];
    let is_printable = |&byte: &u8| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c');
    !first.is_empty() && first.iter().all(is_printable)
}
