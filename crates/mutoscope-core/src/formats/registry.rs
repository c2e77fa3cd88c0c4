//! The formats and export targets that a program knows.

use std::{
    fmt,
    path::Path,
    sync::{Arc, LazyLock},
};

use super::{BUILT_IN, BuiltInCharacter, Format, FormatId, SKELETON_FORMATS, SkeletonFormat};
use crate::{
    diagnostics::{CODES, Code},
    export::{BUILT_IN_TARGETS, ExportTarget},
    skeleton_file::SkeletonKind,
};

/// The formats and export targets that a program knows: those of this crate, and those of the
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
    targets: Vec<&'static ExportTarget>,
    codes: Vec<Code>,
}

/// The formats and export targets of another crate.
#[derive(Clone, Copy, Debug, Default)]
pub struct FormatSet {
    /// The recording formats. Several rows with one id describe one format with several encodings.
    pub formats: &'static [Format],
    /// The skeleton file formats.
    pub skeletons: &'static [SkeletonFormat],
    /// The characters that are built in.
    pub characters: &'static [BuiltInCharacter],
    /// The export targets.
    pub targets: &'static [ExportTarget],
    /// The codes of the diagnostics, by format or area.
    pub codes: &'static [&'static [Code]],
}

static DEFAULT: LazyLock<Registry> = LazyLock::new(|| {
    Registry(Arc::new(Rows {
        formats: BUILT_IN.iter().collect(),
        skeletons: SKELETON_FORMATS.iter().collect(),
        characters: Vec::new(),
        targets: BUILT_IN_TARGETS.iter().collect(),
        codes: CODES.concat(),
    }))
});

impl Default for Registry {
    /// Returns the formats and targets of this crate.
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
    /// Adds the formats and targets of another crate. A set that was already added changes nothing.
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
        add(&mut rows.targets, set.targets);
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

    /// Returns all export targets: those of this crate, then those of other crates.
    pub fn targets(&self) -> impl Iterator<Item = &'static ExportTarget> + Clone {
        self.0.targets.iter().copied()
    }

    /// Returns the targets that write the motion of a clip.
    pub fn motion_targets(&self) -> impl Iterator<Item = &'static ExportTarget> + Clone {
        self.targets().filter(|target| target.video_format().is_none())
    }

    /// Returns the target with this [`ExportTarget::id`], or `None` if there is none.
    pub fn target(&self, id: &str) -> Option<&'static ExportTarget> {
        self.targets().find(|target| target.id == id)
    }

    /// Returns the first target whose files have this extension, ignoring case, or `None` if there
    /// is none.
    pub fn target_for_extension(&self, extension: &str) -> Option<&'static ExportTarget> {
        self.targets().find(|target| target.extension.eq_ignore_ascii_case(extension))
    }

    /// Returns the target for the extension of `path`, or `None` if no target has this set.
    pub fn target_for_path(&self, path: &Path) -> Option<&'static ExportTarget> {
        self.target_for_extension(path.extension()?.to_str()?)
    }

    /// Returns the codes of all diagnostics, by format or area.
    pub fn codes(&self) -> &[Code] {
        &self.0.codes
    }
}
