//! EVNT: events of an animation. Echoes has the same inside of its ANCS.

use super::{name, time};
use crate::{
    diagnostics::{Error, SourceLocation},
    formats::prime::{
        Game,
        archive::{AssetId, ResourceType},
    },
    io::bytes::Cursor,
};

/// The events of one animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EventList {
    /// The events that were read, list by list: booleans, integers, particles, sounds.
    pub events: Vec<GameEvent>,
    /// Why reading stopped early, if it did.
    pub incomplete: Option<Error>,
}

/// Something that happens at one time of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEvent {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: u16,
    /// When it happens, in seconds from the start of the ANIM.
    pub time: f32,
    /// The slot of a state that it sets; −1 for none.
    pub slot: i32,
    /// Whether that state is kept.
    pub is_unique: bool,
    /// The chance that it happens, from 0 to 1.
    pub weight: f32,
    /// The id of the only character that it is for; −1 for all.
    pub character: i32,
    /// The parameter of the effect or the sound.
    pub flags: u32,
    /// The fields of its list only.
    pub data: EventData,
    /// Where it is.
    pub place: SourceLocation,
}

/// The fields that only one of the lists of events has.
#[derive(Clone, Debug, PartialEq)]
pub enum EventData {
    /// Yes or no.
    Bool(bool),
    /// A number, and what it concerns.
    Int {
        /// The number.
        value: i32,
        /// A locator, by name.
        locator: String,
    },
    /// An effect.
    Particle {
        /// For how many frames, of 60 a second.
        frames: u32,
        /// The kind of effect: PART, SWHC, ELSC or SPSC.
        kind: ResourceType,
        /// The effect's id.
        effect: Option<AssetId>,
        /// The bone that it is on.
        bone: BoneReference,
        /// Its size.
        scale: f32,
        /// 0: placed once, 1: its emitter follows the bone, 2: all of it does.
        parented: u32,
    },
    /// A sound.
    Sound {
        /// Its id: the low 16 bits are an index in the game's table of sounds.
        sound: u32,
        /// How it gets weaker with distance.
        falloff: f32,
        /// How far it is heard.
        max_distance: f32,
    },
}

/// A bone by its name (Metroid Prime) or its id (Echoes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoneReference {
    /// By name.
    Name(String),
    /// By id.
    Id(u32),
}

/// The type of user events.
const USER: u16 = 6;

/// The games count the frames of effects at this rate.
const FRAME_RATE: f64 = 60.0;

/// The game's reactions to user events, by their number.
const USER_EVENTS: [&str; 35] = [
    "projectile",
    "lay egg",
    "stop looped sound",
    "align position",
    "align rotation",
    "change material",
    "delete",
    "generate end",
    "damage on",
    "damage off",
    "align start",
    "degenerate",
    "landing",
    "take off",
    "fade in",
    "fade out",
    "screen shake",
    "begin action",
    "end action",
    "ragdoll",
    "IK lock",
    "IK release",
    "break lock-on",
    "shoot-through",
    "remove collision",
    "pick up",
    "drop",
    "event start",
    "event stop",
    "activate",
    "deactivate",
    "sound play",
    "sound stop",
    "effect on",
    "effect off",
];

impl GameEvent {
    /// The word for what it is in `info --json`.
    pub fn kind_word(&self) -> &'static str {
        match self.kind {
            0 => "loop",
            1 => "bool",
            2 => "int",
            4 | 8 => "sound",
            5 => "particle",
            6 => "user",
            7 => "rate",
            _ => "other",
        }
    }

    /// The game's reaction to a user event, by its number.
    pub fn effect(&self) -> Option<&'static str> {
        match self.data {
            EventData::Int { value, .. } if self.kind == USER => {
                USER_EVENTS.get(usize::try_from(value).ok()?).copied()
            }
            _ => None,
        }
    }

    /// How long it lasts, in seconds; 0 for a moment.
    pub fn duration(&self) -> f64 {
        match self.data {
            EventData::Particle { frames, .. } => f64::from(frames) / FRAME_RATE,
            _ => 0.0,
        }
    }

    /// Whether the game plays it for the character with this id, in an animation that begins and
    /// ends at these times, in seconds.
    pub fn fires(&self, character: Option<u32>, start: f64, end: f64) -> bool {
        let time = f64::from(self.time);
        let is_for = |id: u32| i64::from(self.character) == i64::from(id);
        let is_meant = self.character == -1 || character.is_some_and(is_for);
        is_meant && (start..=end).contains(&time)
    }
}

impl EventList {
    /// Reads a file of events.
    ///
    /// # Errors
    /// If none can be read.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let list = Self::read(&mut Cursor::new(bytes), Game::Prime);
        match list {
            EventList { events, incomplete: Some(error) } if events.is_empty() => Err(error),
            list => Ok(list),
        }
    }

    /// Reads the events of one animation, as far as they go.
    pub(super) fn read(cursor: &mut Cursor, game: Game) -> Self {
        let mut list = Self::default();
        list.incomplete = lists(cursor, game, &mut list.events).err();
        list
    }
}

/// The bytes of what all events have: at least this many.
const BASE: usize = 2 + 1 + 2 + 8 + 4 + 1 + 4 + 4 + 4;

fn lists(cursor: &mut Cursor, game: Game, events: &mut Vec<GameEvent>) -> Result<(), Error> {
    let version = cursor.u32_be("the version of a list of events")?;
    for _ in 0..cursor.count_u32_be(BASE + 1, "loop and bool events")? {
        events.push(event(cursor, |cursor| Ok(EventData::Bool(cursor.u8("a bool event")? != 0)))?);
    }
    for _ in 0..cursor.count_u32_be(BASE + 5, "integer events")? {
        events.push(event(cursor, |cursor| {
            let value = cursor.i32_be("the value of an integer event")?;
            Ok(EventData::Int { value, locator: name(cursor, "the locator of an event")? })
        })?);
    }
    for _ in 0..cursor.count_u32_be(BASE + 21, "particle events")? {
        events.push(event(cursor, |cursor| particle(cursor, game))?);
    }
    // The games read whatever is above 1 like 2.
    if version > 1 {
        for _ in 0..cursor.count_u32_be(BASE + 12, "sound events")? {
            events.push(event(cursor, |cursor| sound(cursor, game))?);
        }
    }
    Ok(())
}

fn event(
    cursor: &mut Cursor,
    data: impl FnOnce(&mut Cursor) -> Result<EventData, Error>,
) -> Result<GameEvent, Error> {
    let start = cursor.offset();
    cursor.u16_be("the first word of an event")?;
    let mut event = GameEvent {
        name: name(cursor, "the name of an event")?,
        kind: cursor.u16_be("the type of an event")?,
        time: time(cursor, "the time of an event")?,
        slot: cursor.i32_be("the slot of an event")?,
        is_unique: cursor.u8("whether an event keeps its state")? != 0,
        weight: cursor.f32_be("the weight of an event")?,
        character: cursor.i32_be("the character of an event")?,
        flags: cursor.u32_be("the flags of an event")?,
        data: data(cursor)?,
        place: SourceLocation::File,
    };
    event.place = SourceLocation::span(start, cursor.offset() - start);
    Ok(event)
}

fn particle(cursor: &mut Cursor, game: Game) -> Result<EventData, Error> {
    let frames = cursor.u32_be("the duration of an effect")?;
    let letters = cursor.take(4, "the type of an effect")?;
    Ok(EventData::Particle {
        frames,
        kind: ResourceType([letters[0], letters[1], letters[2], letters[3]]),
        effect: AssetId::read(cursor, "the id of an effect")?,
        bone: if game == Game::Prime {
            BoneReference::Name(name(cursor, "the bone of an effect")?)
        } else {
            BoneReference::Id(cursor.u32_be("the bone of an effect")?)
        },
        scale: cursor.f32_be("the scale of an effect")?,
        parented: cursor.u32_be("what an effect follows")?,
    })
}

fn sound(cursor: &mut Cursor, game: Game) -> Result<EventData, Error> {
    let data = EventData::Sound {
        sound: cursor.u32_be("the id of a sound")?,
        falloff: cursor.f32_be("the falloff of a sound")?,
        max_distance: cursor.f32_be("the greatest distance of a sound")?,
    };
    if game != Game::Prime {
        cursor.take(12, "what Echoes adds to a sound")?;
    }
    Ok(data)
}
