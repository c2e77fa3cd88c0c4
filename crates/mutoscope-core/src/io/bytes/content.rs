//! The content of a file: in memory, or read from the file where it is asked for.

use std::{borrow::Cow, ops::Range, sync::Arc};

use super::LargeFile;
use crate::diagnostics::Error;

/// The content of a file, borrowed: what decoders are given.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// All of it is in memory.
    Memory(&'a [u8]),
    /// It is read from the file, piece by piece.
    File(&'a LargeFile),
}

/// The content of a file, owned. Cheap to clone.
#[derive(Clone, Debug)]
pub enum FileContent {
    /// All of it is in memory.
    Memory(Arc<Cow<'static, [u8]>>),
    /// It is read from the file, piece by piece.
    File(Arc<LargeFile>),
}

/// Some bytes of the content of a file, in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    content: Content<'a>,
    start: usize,
    size: usize,
}

impl<'a> Piece<'a> {
    /// The bytes of `range`.
    ///
    /// # Panics
    /// If the content has fewer.
    pub fn new(content: Content<'a>, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= content.size(), "{range:?}");
        Self { content, start: range.start, size: range.len() }
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// They themselves.
    ///
    /// # Errors
    /// As [`Content::piece`].
    pub fn read(&self) -> Result<Cow<'a, [u8]>, Error> {
        self.content.piece(self.start..self.start + self.size)
    }
}

impl<'a> From<&'a [u8]> for Piece<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::new(bytes.into(), 0..bytes.len())
    }
}

impl<'a> Content<'a> {
    /// Its size in bytes.
    pub fn size(self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(file) => file.size(),
        }
    }

    /// Its first bytes, by which its format is recognised: all of them where they are in memory.
    pub fn start(self) -> &'a [u8] {
        match self {
            Self::Memory(bytes) => bytes,
            Self::File(file) => file.start(),
        }
    }

    /// All of it.
    ///
    /// # Errors
    /// As [`Self::piece`].
    pub fn whole(self) -> Result<Cow<'a, [u8]>, Error> {
        self.piece(0..self.size())
    }

    /// The bytes of `range`, as many of them as there are.
    ///
    /// # Errors
    /// If the file cannot be read, or is no longer as it was when it was opened.
    pub fn piece(self, range: Range<usize>) -> Result<Cow<'a, [u8]>, Error> {
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
    /// The same, borrowed.
    pub fn content(&self) -> Content<'_> {
        match self {
            Self::Memory(bytes) => Content::Memory(bytes),
            Self::File(file) => Content::File(file),
        }
    }

    /// All of it, if it is in memory.
    pub fn in_memory(&self) -> Option<&[u8]> {
        match self {
            Self::Memory(bytes) => Some(bytes),
            Self::File(_) => None,
        }
    }

    /// Whether `other` is a clone of this.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Memory(one), Self::Memory(other)) => Arc::ptr_eq(one, other),
            (Self::File(one), Self::File(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl<B: Into<Cow<'static, [u8]>>> From<B> for FileContent {
    fn from(bytes: B) -> Self {
        Self::Memory(Arc::new(bytes.into()))
    }
}
