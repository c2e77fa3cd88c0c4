//! The content of a file: in memory, or read from the file on demand.

use std::{borrow::Cow, ops::Range, sync::Arc};

use super::LargeFile;
use crate::diagnostics::Error;

/// The borrowed content of a file, which decoders receive.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// All bytes, in memory.
    Memory(&'a [u8]),
    /// A file that is read piece by piece.
    File(&'a LargeFile),
}

/// The owned content of a file. Cloning is cheap.
#[derive(Clone, Debug)]
pub enum FileContent {
    /// All bytes, in memory.
    Memory(Arc<Cow<'static, [u8]>>),
    /// A file that is read piece by piece.
    File(Arc<LargeFile>),
}

/// A range of bytes in the content of a file.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    content: Content<'a>,
    start: usize,
    size: usize,
}

impl<'a> Piece<'a> {
    /// Creates a piece for the bytes in `range`.
    ///
    /// # Panics
    /// If the range exceeds the content.
    pub fn new(content: Content<'a>, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= content.size(), "{range:?}");
        Self { content, start: range.start, size: range.len() }
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Reads the bytes.
    ///
    /// # Errors
    /// The same as for [`Content::read_range`].
    pub fn read(&self) -> Result<Cow<'a, [u8]>, Error> {
        self.content.read_range(self.range())
    }

    /// Returns the bytes. Bytes of a file are read into `buffer`.
    ///
    /// # Errors
    /// The same as for [`Content::read_range`].
    pub fn read_into<'b>(&self, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Error>
    where
        'a: 'b,
    {
        match self.content {
            Content::Memory(bytes) => Ok(&bytes[self.range()]),
            Content::File(file) => {
                file.read_into(self.range(), buffer)?;
                Ok(buffer)
            }
        }
    }

    fn range(&self) -> Range<usize> {
        self.start..self.start + self.size
    }
}

impl<'a> From<&'a [u8]> for Piece<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::new(bytes.into(), 0..bytes.len())
    }
}

impl<'a> Content<'a> {
    /// Returns the size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(file) => file.size(),
        }
    }

    /// Returns the first bytes, which are enough to recognise the format. Content in memory returns
    /// all bytes.
    pub fn start(self) -> &'a [u8] {
        match self {
            Self::Memory(bytes) => bytes,
            Self::File(file) => file.start(),
        }
    }

    /// Reads all bytes.
    ///
    /// # Errors
    /// The same as for [`Self::read_range`].
    pub fn read_all(self) -> Result<Cow<'a, [u8]>, Error> {
        self.read_range(0..self.size())
    }

    /// Reads the bytes in `range`. The result is shorter if the content ends within the range.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed since it was opened.
    pub fn read_range(self, range: Range<usize>) -> Result<Cow<'a, [u8]>, Error> {
        let end = range.end.min(self.size());
        let start = range.start.min(end);
        match self {
            Self::Memory(bytes) => Ok(bytes[start..end].into()),
            Self::File(file) => file.read(start..end).map(Cow::Owned),
        }
    }
}

impl<'a, B: AsRef<[u8]> + ?Sized> From<&'a B> for Content<'a> {
    fn from(bytes: &'a B) -> Self {
        Self::Memory(bytes.as_ref())
    }
}

impl FileContent {
    /// Borrows the content.
    pub fn as_content(&self) -> Content<'_> {
        match self {
            Self::Memory(bytes) => Content::Memory(bytes),
            Self::File(file) => Content::File(file),
        }
    }

    /// Returns all bytes if they are in memory, otherwise `None`.
    pub fn in_memory(&self) -> Option<&[u8]> {
        match self {
            Self::Memory(bytes) => Some(bytes),
            Self::File(_) => None,
        }
    }

    /// Returns `true` if `other` is a clone of this content.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Memory(this), Self::Memory(other)) => Arc::ptr_eq(this, other),
            (Self::File(this), Self::File(other)) => Arc::ptr_eq(this, other),
            _ => false,
        }
    }
}

impl<B: Into<Cow<'static, [u8]>>> From<B> for FileContent {
    fn from(bytes: B) -> Self {
        Self::Memory(Arc::new(bytes.into()))
    }
}
