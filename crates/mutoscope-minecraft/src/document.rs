//! The content of a recording, before it is replayed.

use std::borrow::Cow;

use glam::DVec3;

use super::{
    Layout,
    action::{self, Step},
    reader::Reader,
};
use mutoscope_core::diagnostics::Error;

/// A recording: its header, and its actions, which are read again each time they are asked for.
///
/// It borrows the file's bytes and copies nothing but the header.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The first byte: the version, negative for what was not released.
    pub version_byte: i8,
    /// How the file is laid out.
    pub layout: Layout,
    /// The header.
    pub header: Header<'a>,
    /// Why reading ended before the file does, if it did. What came before can be played.
    pub stopped: Option<Error>,
    /// How many ticks end in it.
    pub ticks: u32,
    /// Whether actions follow the end of the last tick.
    pub has_trailing_actions: bool,
    pub(super) bytes: &'a [u8],
    /// Where the actions are that could be read.
    pub(super) actions: std::ops::Range<usize>,
}

/// The header.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header<'a> {
    /// The player's position at the start: the middle of the feet, in blocks.
    pub start: DVec3,
    /// Where the player looks at the start, in degrees: 0 is south, 90 is west.
    pub start_yaw: f32,
    /// The same upwards (negative) and downwards.
    pub start_pitch: f32,
    /// The flags; none before version 3.
    pub flags: Option<u8>,
    /// The names of items, counted from 1, and of blocks; nothing if the file has numbers only.
    pub ids: Option<IdMaps<'a>>,
    /// The dimension, with its namespace.
    pub dimension: Option<Cow<'a, str>>,
    /// The profile of the player.
    pub profile: Profile<'a>,
    /// The extensions that wrote actions of their own.
    pub extensions: Vec<Extension<'a>>,
    /// The revision of an unreleased version.
    pub subversion: Option<i8>,
}

impl Header<'_> {
    /// Set if the player dies when the recording ends, up to version 4.
    pub const ENDS_WITH_DEATH: u8 = 0x01;

    /// Whether an item has a name, by its number from 1 on.
    pub fn has_item(&self, id: i32) -> bool {
        self.ids.as_ref().is_some_and(|ids| is_within(id, ids.items.len()))
    }

    /// Whether a block has a name, by its number from 1 on.
    pub fn has_block(&self, id: i32) -> bool {
        self.ids.as_ref().is_some_and(|ids| is_within(id, ids.blocks.len()))
    }

    /// Whether the player dies when the recording ends.
    pub fn ends_with_death(&self) -> bool {
        self.flags.is_some_and(|flags| flags & Self::ENDS_WITH_DEATH != 0)
    }
}

/// Whether a number from 1 on is one of this many.
fn is_within(id: i32, count: usize) -> bool {
    usize::try_from(id).is_ok_and(|id| (1..=count).contains(&id))
}

/// The names of the items and blocks that a recording uses, each counted from 1; 0 is air.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdMaps<'a> {
    /// Items, without the namespace `minecraft:`.
    pub items: Vec<Cow<'a, str>>,
    /// Blocks.
    pub blocks: Vec<BlockState<'a>>,
}

/// A block and its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockState<'a> {
    /// Its name, without the namespace `minecraft:`.
    pub id: Cow<'a, str>,
    /// Names and values.
    pub properties: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// The profile of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile<'a> {
    /// The player's name.
    pub name: Option<Cow<'a, str>>,
    /// The player's id.
    pub uuid: Option<[u8; 16]>,
    /// The session server's data on the skin: JSON in base64.
    pub skin_value: Option<Cow<'a, str>>,
    /// The session server's signature of that.
    pub skin_signature: Option<Cow<'a, str>>,
}

/// A program that wrote actions of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Extension<'a> {
    /// Its name.
    pub id: Cow<'a, str>,
    /// Its version.
    pub version: i16,
    /// Bit 0: the recording cannot be played in the game without it.
    pub flags: u8,
    /// Its own data.
    pub header: &'a [u8],
}

impl<'a> Document<'a> {
    /// The actions, in the order of the file, up to the end or to where reading stopped.
    pub fn steps(&self) -> Steps<'a> {
        let mut reader = Reader::new(&self.bytes[..self.actions.end], self.layout);
        // Within the bounds: it was read up to there before.
        let _ = reader.cursor.take(self.actions.start, "the header");
        Steps { reader }
    }
}

/// The actions of a [`Document`].
pub struct Steps<'a> {
    reader: Reader<'a>,
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if self.reader.cursor.is_at_end() {
            return None;
        }
        // These actions were read before without an error.
        action::read(&mut self.reader).ok()
    }
}
