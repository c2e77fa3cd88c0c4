//! All characters and animations of a file.

use super::{Ancs, Character, LocalAnimation};
use crate::{
    diagnostics::{Error, Notice, Notices, Severity, SourceLocation},
    formats::prime::{
        Game,
        archive::{
            Archive, ArchiveEntry, AssetId, Compression, Resource, ResourceLocation, ResourceType,
        },
    },
};

/// How many bytes the sets of an archive may unpack to, for each byte of the archive: those of the
/// games do not unpack to ten times their size.
const MOST_BY_BYTE: usize = 64;

/// How many bytes they may unpack to whatever the archive's size.
const ALWAYS: usize = 64 << 20;

/// The characters and animations of an archive, or of one ANCS. Nothing else is unpacked.
#[derive(Clone, Debug)]
pub struct Library {
    /// The game that it is of, if that is known.
    pub game: Option<ArchiveGame>,
    /// The table of the archive; nothing for an ANCS alone.
    pub archive: Option<Archive>,
    /// Its sets of characters and animations, in the order of the table.
    pub sets: Vec<LibrarySet>,
    /// Issues in its files.
    pub notices: Notices,
}

/// An ANCS, and where it is.
#[derive(Clone, Debug)]
pub struct LibrarySet {
    /// Its id; nothing for a file whose name has none.
    pub id: Option<AssetId>,
    /// Where it is.
    pub location: ResourceLocation,
    /// Its characters and animations.
    pub ancs: Ancs,
}

/// The game that a file is of.
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
    /// Its word in versions: `mp1`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prime => "mp1",
            Self::Echoes => "mp2",
        }
    }
}

impl Library {
    /// Reads the table of an archive and its sets of characters.
    ///
    /// # Errors
    /// If the table is not whole. A set that is not is kept as far as it goes.
    pub fn of_archive(bytes: &[u8]) -> Result<Self, Error> {
        let mut notices = Notices::new();
        let archive = Archive::decode(bytes, &mut notices)?;
        let mut sets = Vec::new();
        let mut left = MOST_BY_BYTE.saturating_mul(bytes.len()).saturating_add(ALWAYS);
        for entry in archive.entries.iter().filter(|entry| entry.kind == ResourceType::ANCS) {
            let size = entry.size(bytes).unwrap_or_default();
            let Some(rest) = usize::try_from(size).ok().and_then(|size| left.checked_sub(size))
            else {
                let message = format!(
                    "{}: the sets of this archive unpack to more than {MOST_BY_BYTE} times its size; \
                     skipped",
                    entry.label()
                );
                notices.error(entry.place.clone(), message);
                continue;
            };
            left = rest;
            sets.push(set(entry.read(bytes), AssetId::new(entry.id), &mut notices));
        }
        let game = game_of_sets(&sets).or_else(|| game_of_entries(&archive, bytes));
        Ok(Self { game, archive: Some(archive), sets, notices })
    }

    /// Reads an ANCS whose file has this name.
    ///
    /// # Errors
    /// If it ends before its first animation.
    pub fn of_ancs(bytes: &[u8], name: &str) -> Result<Self, Error> {
        let mut notices = Notices::new();
        let location = ResourceLocation::own_file();
        let resource = Resource { bytes: bytes.into(), location, damage: None };
        let set = set(resource, AssetId::of_file_name(name), &mut notices);
        match &set.ancs.incomplete {
            Some(error) if set.ancs.animations.is_empty() => Err(error.clone()),
            _ => {
                let game = Some(set.ancs.game.into());
                Ok(Self { game, archive: None, sets: vec![set], notices })
            }
        }
    }

    /// Its version for `info`: `mp1-pak`, `mp2-ancs`, or `pak` where the game is unknown.
    pub fn version(&self) -> String {
        let kind = if self.archive.is_some() { "pak" } else { "ancs" };
        match self.game {
            Some(game) => format!("{}-{kind}", game.word()),
            None => kind.to_owned(),
        }
    }

    /// All characters, with their sets.
    pub fn characters(&self) -> impl Iterator<Item = (&LibrarySet, &Character)> {
        self.sets.iter().flat_map(|set| set.ancs.characters.iter().map(move |one| (set, one)))
    }
}

/// Reads a set as far as it goes.
fn set(resource: Resource, id: Option<AssetId>, notices: &mut Notices) -> LibrarySet {
    let Resource { bytes, location, damage } = resource;
    let mut own = Notices::new();
    let ancs = Ancs::decode(&bytes, &mut own);
    notices.extend(own.into_iter().map(|notice| location.notice(notice)));
    // Damaged bytes explain why it ends too early.
    let is_damaged = damage.is_some();
    if let Some(damage) = damage {
        let message = format!("{}; {}", damage.message(), kept(&ancs));
        notices.error(damage.place().clone(), message);
    }
    if let Some(error) = ancs.incomplete.as_ref().filter(|_| !is_damaged) {
        let error = location.error(error.clone());
        notices.error(error.place().clone(), format!("{}; {}", error.message(), kept(&ancs)));
    }
    let mut own = Notices::new();
    report_names(&ancs, &mut own);
    notices.extend(own.into_iter().map(|notice| location.notice(notice)));
    LibrarySet { id, location, ancs }
}

fn kept(ancs: &Ancs) -> String {
    if ancs.animations.is_empty() && ancs.characters.is_empty() {
        return "skipped".to_owned();
    }
    let (characters, animations) = (ancs.characters.len(), ancs.animations.len());
    format!("loaded up to there: {characters} characters, {animations} animations")
}

/// Says which names of characters lead nowhere, or to another animation than their maps do.
fn report_names(ancs: &Ancs, notices: &mut Notices) {
    // The lost part explains missing names.
    if ancs.incomplete.is_some() {
        return;
    }
    /// How many names are reported one by one.
    const TOLD: usize = 20;
    let mut odd = ancs.characters.iter().flat_map(|character| {
        let of_name = move |local| name_problem(ancs, character, local);
        character.animations.iter().filter_map(of_name)
    });
    notices.extend(odd.by_ref().take(TOLD));
    let more = odd.count();
    if more > 0 {
        notices.warning(SourceLocation::File, format!("{more} more names of animations like that"));
    }
}

/// The problem with a character's name for an animation, if there is one.
fn name_problem(ancs: &Ancs, character: &Character, local: &LocalAnimation) -> Option<Notice> {
    let (named, mapped) = (ancs.index_of(&local.name), ancs.mapped(character, local.local));
    let called = |index: usize| &ancs.animations[index].name;
    let (severity, problem) = match (named, mapped) {
        (None, None) => {
            let index = local.local;
            let problem = format!("not in the set, and index {index} points to none; skipped");
            (Severity::Error, problem)
        }
        (None, Some(mapped)) => {
            let problem = format!("not in the set; using {:?} by its index", called(mapped));
            (Severity::Warning, problem)
        }
        (Some(named), Some(mapped)) if named != mapped => {
            let problem = format!("its index leads to {:?}; using the name", called(mapped));
            (Severity::Warning, problem)
        }
        _ => return None,
    };
    let message = format!("{:?}, animation {:?}: {problem}", character.name, local.name);
    Some(Notice { severity, place: character.place.clone(), message, time: None, topic: None })
}

fn game_of_sets(sets: &[LibrarySet]) -> Option<ArchiveGame> {
    let with_characters = sets.iter().find(|set| !set.ancs.characters.is_empty());
    with_characters.map(|set| set.ancs.game.into())
}

/// The game of an archive, told by the compression and the types of its resources.
fn game_of_entries(archive: &Archive, bytes: &[u8]) -> Option<ArchiveGame> {
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
