//! Collects all characters and animations of a file.

use super::{Ancs, Character, LocalAnimation};
use crate::{
    diagnostics::{Diagnostic, Diagnostics, Error, Severity, SourceLocation},
    formats::prime::{
        Game,
        archive::{
            Archive, ArchiveEntry, AssetId, Compression, Resource, ResourceLocation, ResourceType,
        },
        codes,
    },
};

/// The character sets of an archive may unpack to this many bytes per byte of the archive. In the
/// archives of the games the ratio stays below 10.
const MAX_EXPANSION: usize = 64;

const ALWAYS_ALLOWED_BYTES: usize = 64 << 20;

/// The characters and animations of an archive or of one ANCS. Other resources are not unpacked.
#[derive(Clone, Debug)]
pub struct Library {
    /// The game, if it can be recognised.
    pub game: Option<ArchiveGame>,
    /// The table of the archive. `None` if the file is an ANCS.
    pub archive: Option<Archive>,
    /// The character sets, in the order of the table.
    pub sets: Vec<LibrarySet>,
    /// The problems that were found while reading.
    pub diagnostics: Diagnostics,
}

/// An ANCS and its location.
#[derive(Clone, Debug)]
pub struct LibrarySet {
    /// The id of the ANCS. `None` if it is a file without an id in its name.
    pub id: Option<AssetId>,
    /// The location of the ANCS.
    pub location: ResourceLocation,
    /// The characters and animations.
    pub ancs: Ancs,
}

/// The game that an archive or an ANCS is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveGame {
    /// Metroid Prime.
    Prime,
    /// Metroid Prime 2: Echoes.
    Echoes,
}

impl From<Game> for ArchiveGame {
    fn from(game: Game) -> Self {
        if game == Game::Prime { Self::Prime } else { Self::Echoes }
    }
}

impl ArchiveGame {
    /// Returns the prefix that the names of all versions of this game share, for example `mp1`.
    pub fn version_prefix(self) -> &'static str {
        match self {
            Self::Prime => "mp1",
            Self::Echoes => "mp2",
        }
    }
}

impl Library {
    /// Reads the table of an archive and its character sets. A set that is not whole is kept as far
    /// as it can be read.
    ///
    /// # Errors
    /// If the table is not whole.
    pub fn from_archive(bytes: &[u8]) -> Result<Self, Error> {
        let mut diagnostics = Diagnostics::new();
        let archive = Archive::decode(bytes, &mut diagnostics)?;
        let mut sets = Vec::new();
        let mut left =
            MAX_EXPANSION.saturating_mul(bytes.len()).saturating_add(ALWAYS_ALLOWED_BYTES);
        for entry in archive.entries.iter().filter(|entry| entry.kind == ResourceType::ANCS) {
            let size = entry.unpacked_size(bytes).unwrap_or_default();
            let Some(rest) = usize::try_from(size).ok().and_then(|size| left.checked_sub(size))
            else {
                let message = format!(
                    "{}: the character sets unpack to more than {MAX_EXPANSION} times the size of the \
                     archive; skipped",
                    entry.label()
                );
                diagnostics.error(codes::SETS_TOO_LARGE, entry.location.clone(), message);
                continue;
            };
            left = rest;
            sets.push(read_set(entry.read(bytes), AssetId::new(entry.id), &mut diagnostics));
        }
        let game = game_from_sets(&sets).or_else(|| game_from_entries(&archive, bytes));
        Ok(Self { game, archive: Some(archive), sets, diagnostics })
    }

    /// Reads an ANCS from a file with this name.
    ///
    /// # Errors
    /// If the ANCS ends before its first animation.
    pub fn from_ancs(bytes: &[u8], name: &str) -> Result<Self, Error> {
        let mut diagnostics = Diagnostics::new();
        let location = ResourceLocation::own_file();
        let resource = Resource { bytes: bytes.into(), location, damage: None };
        let set = read_set(resource, AssetId::from_file_name(name), &mut diagnostics);
        match &set.ancs.incomplete {
            Some(error) if set.ancs.animations.is_empty() => Err(error.clone()),
            _ => {
                let game = Some(set.ancs.game.into());
                Ok(Self { game, archive: None, sets: vec![set], diagnostics })
            }
        }
    }

    /// Returns the version for `info`: `mp1-pak`, `mp2-ancs`, or `pak` if the game is unknown.
    pub fn version(&self) -> String {
        let kind = if self.archive.is_some() { "pak" } else { "ancs" };
        match self.game {
            Some(game) => format!("{}-{kind}", game.version_prefix()),
            None => kind.to_owned(),
        }
    }

    /// Returns all characters with their sets.
    pub fn characters(&self) -> impl Iterator<Item = (&LibrarySet, &Character)> {
        self.sets.iter().flat_map(|set| set.ancs.characters.iter().map(move |one| (set, one)))
    }
}

fn read_set(resource: Resource, id: Option<AssetId>, diagnostics: &mut Diagnostics) -> LibrarySet {
    let Resource { bytes, location, damage } = resource;
    let mut own = Diagnostics::new();
    let ancs = Ancs::decode(&bytes, &mut own);
    diagnostics.extend(own.into_iter().map(|diagnostic| location.translate_diagnostic(diagnostic)));
    // If the bytes are damaged, report only the damage, because it explains why the set ends too
    // early.
    let is_damaged = damage.is_some();
    if let Some(damage) = damage {
        let message = format!("{}; {}", damage.message(), describe_kept(&ancs));
        diagnostics.error(codes::RESOURCE_DAMAGED, damage.location().clone(), message);
    }
    if let Some(error) = ancs.incomplete.as_ref().filter(|_| !is_damaged) {
        let error = location.translate_error(error.clone());
        diagnostics.error(
            codes::RESOURCE_DAMAGED,
            error.location().clone(),
            format!("{}; {}", error.message(), describe_kept(&ancs)),
        );
    }
    let mut own = Diagnostics::new();
    report_name_problems(&ancs, &mut own);
    diagnostics.extend(own.into_iter().map(|diagnostic| location.translate_diagnostic(diagnostic)));
    LibrarySet { id, location, ancs }
}

fn describe_kept(ancs: &Ancs) -> String {
    if ancs.animations.is_empty() && ancs.characters.is_empty() {
        return "skipped".to_owned();
    }
    let (characters, animations) = (ancs.characters.len(), ancs.animations.len());
    format!("loaded up to there: {characters} characters, {animations} animations")
}

fn report_name_problems(ancs: &Ancs, diagnostics: &mut Diagnostics) {
    // If the end of the set is lost, do not report missing names, because they may be in the lost
    // part.
    if ancs.incomplete.is_some() {
        return;
    }
    const MAX_REPORTED_NAMES: usize = 20;
    let mut odd = ancs.characters.iter().flat_map(|character| {
        let of_name = move |local| check_name(ancs, character, local);
        character.animations.iter().filter_map(of_name)
    });
    diagnostics.extend(odd.by_ref().take(MAX_REPORTED_NAMES));
    let more = odd.count();
    if more > 0 {
        let message = format!("{more} more animation names with such problems");
        diagnostics
            .warning(codes::ANIMATION_NAME, SourceLocation::File, message)
            .with("omitted", more);
    }
}

fn check_name(ancs: &Ancs, character: &Character, local: &LocalAnimation) -> Option<Diagnostic> {
    let (named, mapped) =
        (ancs.animation_index(&local.name), ancs.mapped_index(character, local.local));
    let called = |index: usize| &ancs.animations[index].name;
    let (severity, problem) = match (named, mapped) {
        (None, None) => {
            let index = local.local;
            let problem = format!("not in the set, and index {index} does not exist; skipped");
            (Severity::Error, problem)
        }
        (None, Some(mapped)) => {
            let problem =
                format!("not in the set; using {:?}, which has its index", called(mapped));
            (Severity::Warning, problem)
        }
        (Some(named), Some(mapped)) if named != mapped => {
            let problem = format!("the index belongs to {:?}; using the name", called(mapped));
            (Severity::Warning, problem)
        }
        _ => return None,
    };
    let message = format!("{:?}, animation {:?}: {problem}", character.name, local.name);
    let location = character.location.clone();
    let mut diagnostic = Diagnostic::new(codes::ANIMATION_NAME, severity, location, message);
    diagnostic.with("character", character.name.as_str()).with("animation", local.name.as_str());
    Some(diagnostic)
}

fn game_from_sets(sets: &[LibrarySet]) -> Option<ArchiveGame> {
    let with_characters = sets.iter().find(|set| !set.ancs.characters.is_empty());
    with_characters.map(|set| set.ancs.game.into())
}

/// Returns the game that an archive is from. The game is recognised by the version of a model, by
/// the compression of a resource, or by the existence of EVNT files, in this order.
fn game_from_entries(archive: &Archive, bytes: &[u8]) -> Option<ArchiveGame> {
    let of_packed = |entry: &ArchiveEntry| match entry.compression(bytes)? {
        Compression::Zlib => Some(ArchiveGame::Prime),
        Compression::Lzo => Some(ArchiveGame::Echoes),
    };
    let of_model = |entry: &ArchiveEntry| {
        let is_plain_model = entry.kind == ResourceType::CMDL && !entry.is_compressed;
        let version = entry.stored_bytes(bytes).get(4..8).filter(|_| is_plain_model)?;
        match version {
            [0, 0, 0, 2] => Some(ArchiveGame::Prime),
            [0, 0, 0, 3 | 4] => Some(ArchiveGame::Echoes),
            _ => None,
        }
    };
    let entries = || archive.entries.iter();
    let has_events = entries().any(|entry| entry.kind == ResourceType::EVNT);
    let by_packing = entries().find_map(of_model).or_else(|| entries().find_map(of_packed));
    by_packing.or_else(|| has_events.then_some(ArchiveGame::Prime))
}
