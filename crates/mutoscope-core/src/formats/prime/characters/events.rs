//! EVNT: the events of an animation. Echoes stores the same lists inside its ANCS.

use super::{read_name, read_time};
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
    /// The events that could be read, list by list: booleans, integers, particles, sounds.
    pub events: Vec<GameEvent>,
    /// The error that stopped reading early, if any.
    pub incomplete: Option<Error>,
}

/// An event at one time of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct GameEvent {
    /// The name.
    pub name: String,
    /// The number of the event's type.
    pub kind: u16,
    /// The time in seconds from the start of the ANIM.
    pub time: f32,
    /// The slot in which the game keeps the state that the event sets, or −1 for none.
    pub slot: i32,
    /// `true` if the game keeps the state in the [`slot`](Self::slot).
    pub is_unique: bool,
    /// The probability that the event happens, from 0 to 1.
    pub weight: f32,
    /// The id of the only character that the event is for, or −1 for all characters.
    pub character: i32,
    /// The flags of the effect or the sound.
    pub flags: u32,
    /// The fields that depend on the kind of event.
    pub data: EventData,
    /// The location in the file.
    pub location: SourceLocation,
}

/// The fields that only one kind of event has.
#[derive(Clone, Debug, PartialEq)]
pub enum EventData {
    /// A boolean event.
    Bool(bool),
    /// An integer event and the locator that it concerns.
    Int {
        /// The integer.
        value: i32,
        /// The name of a locator.
        locator: String,
    },
    /// An event that starts an effect.
    Particle {
        /// The duration in frames, of which there are 60 per second.
        frames: u32,
        /// The type of the effect: PART, SWHC, ELSC or SPSC.
        kind: ResourceType,
        /// The id of the effect.
        effect: Option<AssetId>,
        /// The bone to which the effect is attached.
        bone: BoneReference,
        /// The size of the effect.
        scale: f32,
        /// If 0, the effect is placed once. If 1, the effect's emitter follows the bone. If 2, the
        /// whole effect follows the bone.
        parented: u32,
    },
    /// An event that plays a sound.
    Sound {
        /// The id of the sound. The low 16 bits are an index in the game's table of sounds.
        sound: u32,
        /// The rate at which the sound fades with distance.
        falloff: f32,
        /// The largest distance at which the sound is heard.
        max_distance: f32,
    },
}

/// A bone by its name (Metroid Prime) or its id (Echoes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoneReference {
    /// The name of the bone.
    Name(String),
    /// The id of the bone.
    Id(u32),
}

const USER_EVENT_KIND: u16 = 6;

const EFFECT_FRAME_RATE_HZ: f64 = 60.0;

/// The game's reactions to user events, indexed by the value of the event.
const USER_EVENT_NAMES: [&str; 35] = [
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
    /// Returns the name of the type in `info --json`.
    pub fn kind_name(&self) -> &'static str {
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

    /// Returns the game's reaction to a user event. `None` for other events and unknown values.
    pub fn effect(&self) -> Option<&'static str> {
        match self.data {
            EventData::Int { value, .. } if self.kind == USER_EVENT_KIND => {
                USER_EVENT_NAMES.get(usize::try_from(value).ok()?).copied()
            }
            _ => None,
        }
    }

    /// Returns the duration in seconds, or 0 if the event has none.
    pub fn duration(&self) -> f64 {
        match self.data {
            EventData::Particle { frames, .. } => f64::from(frames) / EFFECT_FRAME_RATE_HZ,
            _ => 0.0,
        }
    }

    /// Returns `true` if the game plays the event for the character with this id, in an animation
    /// from `start` to `end` (in seconds).
    pub fn fires_for(&self, character: Option<u32>, start: f64, end: f64) -> bool {
        let time = f64::from(self.time);
        let is_for = |id: u32| i64::from(self.character) == i64::from(id);
        let is_meant = self.character == -1 || character.is_some_and(is_for);
        is_meant && (start..=end).contains(&time)
    }
}

impl EventList {
    /// Reads an EVNT file, as far as it can be read.
    ///
    /// # Errors
    /// If not a single event can be read.
    pub fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let list = Self::read(&mut Cursor::new(bytes), Game::Prime);
        match list {
            EventList { events, incomplete: Some(error) } if events.is_empty() => Err(error),
            list => Ok(list),
        }
    }

    pub(super) fn read(cursor: &mut Cursor, game: Game) -> Self {
        let mut list = Self::default();
        list.incomplete = read_lists(cursor, game, &mut list.events).err();
        list
    }
}

const MIN_EVENT_BYTES: usize = 2 + 1 + 2 + 8 + 4 + 1 + 4 + 4 + 4;

fn read_lists(cursor: &mut Cursor, game: Game, events: &mut Vec<GameEvent>) -> Result<(), Error> {
    let version = cursor.u32_be("the version of a list of events")?;
    for _ in 0..cursor.count_u32_be(MIN_EVENT_BYTES + 1, "loop and bool events")? {
        events.push(read_event(cursor, |cursor| {
            Ok(EventData::Bool(cursor.u8("a bool event")? != 0))
        })?);
    }
    for _ in 0..cursor.count_u32_be(MIN_EVENT_BYTES + 5, "integer events")? {
        events.push(read_event(cursor, |cursor| {
            let value = cursor.i32_be("the value of an integer event")?;
            Ok(EventData::Int { value, locator: read_name(cursor, "the locator of an event")? })
        })?);
    }
    for _ in 0..cursor.count_u32_be(MIN_EVENT_BYTES + 21, "particle events")? {
        events.push(read_event(cursor, |cursor| read_particle(cursor, game))?);
    }
    // The games treat all versions above 1 like 2.
    if version > 1 {
        for _ in 0..cursor.count_u32_be(MIN_EVENT_BYTES + 12, "sound events")? {
            events.push(read_event(cursor, |cursor| read_sound(cursor, game))?);
        }
    }
    Ok(())
}

fn read_event(
    cursor: &mut Cursor,
    data: impl FnOnce(&mut Cursor) -> Result<EventData, Error>,
) -> Result<GameEvent, Error> {
    let start = cursor.offset();
    cursor.u16_be("the first word of an event")?;
    let mut event = GameEvent {
        name: read_name(cursor, "the name of an event")?,
        kind: cursor.u16_be("the type of an event")?,
        time: read_time(cursor, "the time of an event")?,
        slot: cursor.i32_be("the slot of an event")?,
        is_unique: cursor.u8("the state flag of an event")? != 0,
        weight: cursor.f32_be("the weight of an event")?,
        character: cursor.i32_be("the character of an event")?,
        flags: cursor.u32_be("the flags of an event")?,
        data: data(cursor)?,
        location: SourceLocation::File,
    };
    event.location = SourceLocation::span(start, cursor.offset() - start);
    Ok(event)
}

fn read_particle(cursor: &mut Cursor, game: Game) -> Result<EventData, Error> {
    let frames = cursor.u32_be("the duration of an effect")?;
    let letters = cursor.read_bytes(4, "the type of an effect")?;
    Ok(EventData::Particle {
        frames,
        kind: ResourceType([letters[0], letters[1], letters[2], letters[3]]),
        effect: AssetId::read(cursor, "the id of an effect")?,
        bone: if game == Game::Prime {
            BoneReference::Name(read_name(cursor, "the bone of an effect")?)
        } else {
            BoneReference::Id(cursor.u32_be("the bone of an effect")?)
        },
        scale: cursor.f32_be("the scale of an effect")?,
        parented: cursor.u32_be("what an effect follows")?,
    })
}

fn read_sound(cursor: &mut Cursor, game: Game) -> Result<EventData, Error> {
    let data = EventData::Sound {
        sound: cursor.u32_be("the id of a sound")?,
        falloff: cursor.f32_be("the falloff of a sound")?,
        max_distance: cursor.f32_be("the greatest distance of a sound")?,
    };
    if game != Game::Prime {
        cursor.read_bytes(12, "what Echoes adds to a sound")?;
    }
    Ok(data)
}
