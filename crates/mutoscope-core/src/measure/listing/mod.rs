//! The listing of a file, row by row, and where its keys are: from a key to its bytes and back.
//!
//! A [`Listing`] of a binary file has rows of 16 bytes; one of a text has its lines, long ones
//! broken into several rows. What a file has packed is listed unpacked. Rows are found by
//! arithmetic or in a list of where they begin, keys by searching the provenance of tracks: a file
//! of hundreds of megabytes is listed as fast as a small one. Making one of a text reads the whole
//! file once and is meant for a task. A large binary file is not held in memory: the rows that are
//! shown are read from it.
//!
//! | file | what it does |
//! |---|---|
//! | `rows.rs` | the rows of a text |
//! | `key_index.rs` | which tracks have keys where |
//! | `extent.rs` | which bytes a place takes |

mod extent;
mod key_index;
mod rows;

use std::{borrow::Cow, ops::Range};

pub use rows::TextRows;

use self::key_index::KeyIndex;
use crate::{
    clip::{Clip, KeyId},
    diagnostics::{Error, SourceLocation},
    formats::format,
    io::bytes::FileContent,
};

/// The number of bytes in a row of a binary file.
pub const BYTES_PER_ROW: usize = 16;

/// How many of the first bytes tell whether a file is a text.
const SNIFFED: usize = 4096;

/// At most this many keys are returned for one range of bytes.
const MOST_KEYS: usize = 4096;

/// The listing of a file, row by row.
#[derive(Debug)]
pub struct Listing {
    content: FileContent,
    /// Its rows, if it is a text.
    text: Option<TextRows>,
    is_unpacked: bool,
    keys: KeyIndex,
}

/// A key, and the bytes it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBytes {
    /// The key.
    pub key: KeyId,
    /// Its bytes: one range, or several where bits of words are its own.
    pub bytes: Vec<Range<usize>>,
}

impl Listing {
    /// The listing of `file`, which `clip` was decoded from. One that is not in memory is listed byte by
    /// byte: no format that is text, or packed, is decoded from such.
    pub fn new(clip: &Clip, file: &FileContent) -> Self {
        let unpack = format(clip.format).and_then(|format| format.unpacked);
        let unpacked = file.in_memory().and_then(|bytes| unpack?(bytes));
        let is_unpacked = unpacked.is_some();
        let content = unpacked.map_or_else(|| file.clone(), FileContent::from);
        let text = content.in_memory().filter(|bytes| is_text(bytes)).map(TextRows::new);
        let mut listing = Self { content, text, is_unpacked, keys: KeyIndex::default() };
        listing.keys = KeyIndex::new(clip, &listing);
        listing
    }

    /// How many bytes are listed: those of the file, or of what was packed in it.
    pub fn size(&self) -> usize {
        self.content.content().size()
    }

    /// The bytes of `range`, as many of them as there are.
    ///
    /// # Errors
    /// If the file is not in memory and cannot be read, or is no longer as it was when it was opened.
    pub fn bytes(&self, range: Range<usize>) -> Result<Cow<'_, [u8]>, Error> {
        self.content.content().piece(range)
    }

    /// All of them, if they are in memory, as those of every text are.
    fn in_memory(&self) -> &[u8] {
        self.content.in_memory().unwrap_or_default()
    }

    /// Whether that is what the file has packed.
    pub fn is_unpacked(&self) -> bool {
        self.is_unpacked
    }

    /// Its rows, if it is a text.
    pub fn text(&self) -> Option<&TextRows> {
        self.text.as_ref()
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        match &self.text {
            Some(rows) => rows.count(),
            None => self.size().div_ceil(BYTES_PER_ROW),
        }
    }

    /// The bytes of a row, without the end of its line.
    pub fn row(&self, row: usize) -> Range<usize> {
        match &self.text {
            Some(rows) => rows.row(row, self.in_memory()),
            None => {
                let start = (row * BYTES_PER_ROW).min(self.size());
                start..(start + BYTES_PER_ROW).min(self.size())
            }
        }
    }

    /// The row that the byte at `offset` is in.
    pub fn row_at(&self, offset: usize) -> usize {
        match &self.text {
            Some(rows) => rows.row_at(offset),
            None => offset / BYTES_PER_ROW,
        }
    }

    /// The bytes that the file has for `key`; none if no place is known for it alone.
    pub fn bytes_of(&self, clip: &Clip, key: KeyId) -> Vec<Range<usize>> {
        let Some(track) = clip.tracks.get(key.track.index()) else { return Vec::new() };
        if key.index >= track.curve.key_count() || !track.source.has_key_places() {
            return Vec::new();
        }
        self.bytes_at(&track.source.key(key.index))
    }

    /// The bytes that a place in the file takes; none for the file as a whole, and for what is not
    /// listed.
    pub fn bytes_at(&self, place: &SourceLocation) -> Vec<Range<usize>> {
        extent::of_place(self, place)
    }

    /// The bits of a place as they are read, least significant first, if it is one of bits: `0110 1`.
    pub fn bits_of(&self, place: &SourceLocation) -> Option<String> {
        extent::bits_of(self.in_memory(), place)
    }

    /// The keys that have bytes within `range`, a few thousand at most.
    pub fn keys_in(&self, clip: &Clip, range: Range<usize>) -> Vec<KeyBytes> {
        self.keys.within(clip, self, range, MOST_KEYS)
    }

    /// The key that has the byte at `offset`. Of several, those of the track of `beside` come first,
    /// then those of its owner.
    pub fn key_at(&self, clip: &Clip, offset: usize, beside: Option<KeyId>) -> Option<KeyId> {
        let keys = self.keys_in(clip, offset..offset + 1);
        let owner = |key: KeyId| clip.track(key.track).owner;
        let strangeness = |key: KeyId| match beside {
            Some(beside) if key.track == beside.track => 0,
            Some(beside) if owner(key) == owner(beside) => 1,
            _ => 2,
        };
        keys.into_iter().map(|found| found.key).min_by_key(|&key| strangeness(key))
    }
}

/// Whether this is a text, by its first bytes: only bytes that are printed, in any encoding that has
/// ASCII in it.
fn is_text(content: &[u8]) -> bool {
    let first = &content[..content.len().min(SNIFFED)];
    let is_printed = |&byte: &u8| byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | b'\x0c');
    !first.is_empty() && first.iter().all(is_printed)
}
