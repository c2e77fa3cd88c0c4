//! The content of an ANIM file in its own units. Keys stay in the bytes of the file.

use std::fmt;

use super::{arrays::Arrays, bitstream::Bitstream};

/// A decoded animation of Metroid Prime.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The game that uses this layout.
    pub game: Game,
    /// The duration, in seconds.
    pub duration: f32,
    /// The time from one frame to the next, in seconds.
    pub interval: f32,
    /// The id of the bone that moves the whole actor.
    pub root_bone: u32,
    /// The id of the EVNT asset with the events of the animation, if the file names one.
    pub events: Option<u32>,
    /// The keys.
    pub body: Body<'a>,
}

/// A game that uses the format. A file does not name its game, but its layout shows which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game {
    /// Metroid Prime.
    Prime,
    /// Metroid Prime 2: Echoes.
    Echoes,
    /// The demo disc of Metroid Prime 2: Echoes.
    EchoesDemo,
}

/// The keys of an animation.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// Version 0: floats, with a key for every frame.
    Arrays(Arrays<'a>),
    /// Version 2: differences of small integers, for some of the frames.
    Bitstream(Bitstream<'a>),
}

impl Document<'_> {
    /// Returns the game and version of the layout, for example `mp1-v0` or `mp2-demo-v2`.
    pub fn version_text(&self) -> String {
        let version = match self.body {
            Body::Arrays(_) => 0,
            Body::Bitstream(_) => 2,
        };
        format!("{}-v{version}", self.game.version_prefix())
    }

    /// Returns the frames that have keys, in ascending order.
    pub fn keyed_frames(&self) -> Vec<u32> {
        match &self.body {
            Body::Arrays(arrays) => (0..arrays.key_count).collect(),
            Body::Bitstream(stream) => stream.keyed.iter_ones().map(|frame| frame as u32).collect(),
        }
    }
}

impl Game {
    /// All games, in the order of their variants.
    pub const ALL: [Self; 3] = [Self::Prime, Self::Echoes, Self::EchoesDemo];

    pub(super) const SHORT_NAMES: [&str; 3] = ["Prime", "Echoes", "Echoes demo"];

    pub(super) fn index(self) -> usize {
        self as usize
    }

    /// Returns the prefix of this game's versions, for example `mp1`.
    pub fn version_prefix(self) -> &'static str {
        match self {
            Self::Prime => "mp1",
            Self::Echoes => "mp2",
            Self::EchoesDemo => "mp2-demo",
        }
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prime => "Metroid Prime",
            Self::Echoes => "Metroid Prime 2: Echoes",
            Self::EchoesDemo => "the demo of Metroid Prime 2: Echoes",
        })
    }
}
