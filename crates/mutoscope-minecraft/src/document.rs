//! Defines the content of a recording before it is replayed.

use std::borrow::Cow;

use glam::DVec3;

use super::{
    Layout,
    action::{self, Step},
    reader::Reader,
};
use mutoscope_core::diagnostics::Error;

/// A recording: its header and its actions. The actions are decoded again on each iteration.
///
/// The document borrows the bytes of the file and copies only the header.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The first byte: the version. Unreleased versions are negative.
    pub version_byte: i8,
    /// The layout of the file.
    pub layout: Layout,
    /// The header.
    pub header: Header<'a>,
    /// The error that stopped the reader before the end of the file, or `None` if the whole file
    /// was read. The actions before the error can be played.
    pub stopped: Option<Error>,
    /// The number of ticks that end in the recording.
    pub ticks: u32,
    /// `true` if the file has further actions after the end of the last tick.
    pub has_trailing_actions: bool,
    pub(super) bytes: &'a [u8],
    pub(super) actions: std::ops::Range<usize>,
}

/// The header of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header<'a> {
    /// The player's position at the start, in blocks: the middle of the feet.
    pub start: DVec3,
    /// The player's yaw at the start, in degrees: 0 is south, 90 is west.
    pub start_yaw: f32,
    /// The player's pitch at the start, in degrees: negative is up, positive is down.
    pub start_pitch: f32,
    /// The flags, or `None` before version 3.
    pub flags: Option<u8>,
    /// The names of items and blocks, or `None` if the file uses the game's own ids.
    pub ids: Option<IdMaps<'a>>,
    /// The dimension, with its namespace.
    pub dimension: Option<Cow<'a, str>>,
    /// The profile of the player.
    pub profile: Profile<'a>,
    /// The extensions that wrote custom actions.
    pub extensions: Vec<Extension<'a>>,
    /// The revision of an unreleased version.
    pub subversion: Option<i8>,
}

impl Header<'_> {
    /// The flag that the player dies at the end of the recording, used up to version 4.
    pub const ENDS_WITH_DEATH: u8 = 0x01;

    /// Returns `true` if the header has a name for the item with this id. The first id is 1.
    pub fn has_item(&self, id: i32) -> bool {
        self.ids.as_ref().is_some_and(|ids| is_listed_id(id, ids.items.len()))
    }

    /// Returns `true` if the header has a name for the block with this id. The first id is 1.
    pub fn has_block(&self, id: i32) -> bool {
        self.ids.as_ref().is_some_and(|ids| is_listed_id(id, ids.blocks.len()))
    }

    /// Returns `true` if the player dies when the recording ends.
    pub fn ends_with_death(&self) -> bool {
        self.flags.is_some_and(|flags| flags & Self::ENDS_WITH_DEATH != 0)
    }
}

fn is_listed_id(id: i32, count: usize) -> bool {
    usize::try_from(id).is_ok_and(|id| (1..=count).contains(&id))
}

/// The names of the items and blocks in a recording. Ids start at 1; 0 is air.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdMaps<'a> {
    /// The names of items, without the namespace `minecraft:`.
    pub items: Vec<Cow<'a, str>>,
    /// The blocks.
    pub blocks: Vec<BlockState<'a>>,
}

/// A block and its properties.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockState<'a> {
    /// The name, without the namespace `minecraft:`.
    pub id: Cow<'a, str>,
    /// The names and values of the properties.
    pub properties: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// The profile of a player.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile<'a> {
    /// The player's name.
    pub name: Option<Cow<'a, str>>,
    /// The player's UUID.
    pub uuid: Option<[u8; 16]>,
    /// The skin data from the session server: JSON in base64.
    pub skin_value: Option<Cow<'a, str>>,
    /// The session server's signature of `skin_value`.
    pub skin_signature: Option<Cow<'a, str>>,
}

/// An extension of the mod that wrote custom actions into the recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Extension<'a> {
    /// The name of the extension.
    pub id: Cow<'a, str>,
    /// The version of the extension.
    pub version: i16,
    /// The flags. If bit 0 is set, the game cannot play the recording without this extension.
    pub flags: u8,
    /// The extension's own data.
    pub header: &'a [u8],
}

impl<'a> Document<'a> {
    /// Returns the actions in the order of the file. The last one is the last action of the file,
    /// or the last action before the error in [`Self::stopped`].
    pub fn steps(&self) -> Steps<'a> {
        let mut reader = Reader::new(&self.bytes[..self.actions.end], self.layout);
        // Reading cannot fail, because the decoder has already read these bytes.
        let _ = reader.cursor.read_bytes(self.actions.start, "the header");
        Steps { reader }
    }
}

/// An iterator over the actions of a [`Document`].
pub struct Steps<'a> {
    reader: Reader<'a>,
}

impl<'a> Iterator for Steps<'a> {
    type Item = Step<'a>;

    fn next(&mut self) -> Option<Step<'a>> {
        if self.reader.cursor.is_at_end() {
            return None;
        }
        // `ok` discards no error, because the decoder has already read these actions without an
        // error.
        action::read_action(&mut self.reader).ok()
    }
}
