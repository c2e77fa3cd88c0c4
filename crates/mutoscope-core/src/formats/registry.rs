//! The formats that a program knows.

use std::{
    fmt,
    sync::{Arc, LazyLock},
};

use super::{
    BUILT_IN, BuiltInCharacter, CODES, Format, FormatId, SKELETON_FORMATS, SkeletonFormat,
};
use crate::{diagnostics::Code, skeleton_file::SkeletonKind};

/// The formats that a program knows: those of this crate, and those of the
/// [other crates](FormatSet) that the program adds. A clone is cheap.
///
/// ```
/// use mutoscope_core::formats::Registry;
///
/// let registry = Registry::default();
/// assert!(registry.format_named("bvh").is_some());
/// ```
#[derive(Clone)]
pub struct Registry(Arc<Rows>);

#[derive(Clone)]
struct Rows {
    formats: Vec<&'static Format>,
    skeletons: Vec<&'static SkeletonFormat>,
    characters: Vec<&'static BuiltInCharacter>,
    codes: Vec<Code>,
}

/// The formats of another crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormatSet {
    /// The recording formats. Several rows with one id describe one format with several encodings.
    pub formats: &'static [Format],
    /// The skeleton file formats.
    pub skeletons: &'static [SkeletonFormat],
    /// The characters that are built in.
    pub characters: &'static [BuiltInCharacter],
    /// The codes of the diagnostics, by format or area.
    pub codes: &'static [&'static [Code]],
}

static DEFAULT: LazyLock<Registry> = LazyLock::new(|| {
    Registry(Arc::new(Rows {
        formats: BUILT_IN.iter().collect(),
        skeletons: SKELETON_FORMATS.iter().collect(),
        characters: Vec::new(),
        codes: CODES.concat(),
    }))
});

impl Default for Registry {
    /// Returns the formats of this crate.
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.formats().map(|format| format.id)).finish()
    }
}

impl Registry {
    /// Adds the formats of another crate. A set that was already added changes nothing.
    #[must_use]
    pub fn with(mut self, set: FormatSet) -> Self {
        fn add<T>(known: &mut Vec<&'static T>, rows: &'static [T]) {
            for row in rows {
                if !known.iter().any(|other| std::ptr::eq(*other, row)) {
                    known.push(row);
                }
            }
        }
        let rows = Arc::make_mut(&mut self.0);
        add(&mut rows.formats, set.formats);
        add(&mut rows.skeletons, set.skeletons);
        add(&mut rows.characters, set.characters);
        for code in set.codes.iter().copied().flatten() {
            if !rows.codes.contains(code) {
                rows.codes.push(*code);
            }
        }
        self
    }

    /// Returns all formats, one row for each id: first those of this crate, then those of
    /// other crates.
    pub fn formats(&self) -> impl Iterator<Item = &'static Format> + Clone {
        let rows = &self.0.formats;
        rows.iter().enumerate().filter_map(|(index, &format)| {
            let is_first = rows[..index].iter().all(|other| other.id != format.id);
            is_first.then_some(format)
        })
    }

    /// Returns the rows of all formats. Formats with several encodings have several rows.
    pub(super) fn encodings(&self) -> impl Iterator<Item = &'static Format> + Clone {
        self.0.formats.iter().copied()
    }

    /// Returns the format with this id, or `None` if it is not known.
    pub fn format(&self, id: FormatId) -> Option<&'static Format> {
        self.encodings().find(|row| row.id == id)
    }

    /// Returns the format whose id is `name`, or `None` if it is not known.
    pub fn format_named(&self, name: &str) -> Option<&'static Format> {
        self.encodings().find(|row| row.id.as_str() == name)
    }

    /// Returns the name of a format for users, or its id if the format is not known.
    pub fn format_name(&self, id: FormatId) -> &'static str {
        self.format(id).map_or(id.as_str(), |row| row.name)
    }

    /// Returns all skeleton file formats: first those of this crate, then those of other crates.
    pub fn skeleton_formats(&self) -> impl Iterator<Item = &'static SkeletonFormat> + Clone {
        self.0.skeletons.iter().copied()
    }

    /// Returns the first skeleton file format of this kind, or `None` if the kind is not known.
    pub fn skeleton_format(&self, kind: SkeletonKind) -> Option<&'static SkeletonFormat> {
        self.skeleton_formats().find(|row| row.kind == kind)
    }

    /// Returns the built-in characters.
    pub fn characters(&self) -> impl Iterator<Item = &'static BuiltInCharacter> + Clone {
        self.0.characters.iter().copied()
    }

    /// Returns the codes of all diagnostics, by format or area.
    pub fn codes(&self) -> &[Code] {
        &self.0.codes
    }
}
