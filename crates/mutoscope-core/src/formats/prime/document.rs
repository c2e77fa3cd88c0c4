//! The content of a file, in its own units: key arrays and streams of bits are left where they are.

use std::fmt;

use super::{arrays::Arrays, bitstream::Bitstream};

/// An animation, as the file has it.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    /// The game whose layout it has.
    pub game: Game,
    /// How long it plays, in seconds.
    pub duration: f32,
    /// From one frame to the next, in seconds.
    pub interval: f32,
    /// The id of the bone whose motion moves the whole actor.
    pub root_bone: u32,
    /// The asset with what happens during the animation, if the file names one.
    pub events: Option<u32>,
    /// The keys.
    pub body: Body<'a>,
}

/// The game a layout is of: nothing in a file names it.
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
    /// Version 0: a key for every frame, as floats.
    Arrays(Arrays<'a>),
    /// Version 2: differences of small integers, for some of the frames.
    Bitstream(Bitstream<'a>),
}

impl Document<'_> {
    /// The layout in one word: `mp1-v0`, `mp2-demo-v2`.
    pub fn version_text(&self) -> String {
        let version = match self.body {
            Body::Arrays(_) => 0,
            Body::Bitstream(_) => 2,
        };
        format!("{}-v{version}", self.game.word())
    }

    /// The frames that have keys, ascending.
    pub fn keyed_frames(&self) -> Vec<u32> {
        match &self.body {
            Body::Arrays(arrays) => (0..arrays.key_count).collect(),
            Body::Bitstream(stream) => stream.keyed.iter_ones().map(|frame| frame as u32).collect(),
        }
    }
}

impl Game {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Prime, Self::Echoes, Self::EchoesDemo];

    /// Their short names, for narrow places.
    pub(super) const SHORT_NAMES: [&str; 3] = ["Prime", "Echoes", "Echoes demo"];

    /// Its index in [`Self::ALL`].
    pub(super) fn index(self) -> usize {
        self as usize
    }

    /// Its word in versions: `mp1`.
    pub fn word(self) -> &'static str {
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
