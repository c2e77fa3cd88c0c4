//! Actions of a recording, as the file has them.

mod items;
mod movement;
mod read;

use std::borrow::Cow;

use glam::{DVec3, IVec3};

pub(super) use read::read;

/// One action and whose it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// The offset of its first byte.
    pub offset: usize,
    /// The entity that does it; nothing for the player.
    pub entity: Option<i32>,
    /// The action.
    pub action: Action<'a>,
}

/// The kinds of actions.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<'a> {
    /// This many ticks end.
    Ticks(u8),
    /// It moves or turns, or both.
    Move(Movement),
    /// It takes the pose with this number.
    Pose(i32),
    /// Its items change: an item for each slot, from the first on.
    Items(Vec<ItemData<'a>>),
    /// Its flags as an entity change.
    EntityFlags(u8),
    /// Its flags as something that lives change.
    LivingFlags(u8),
    /// Whether its main hand is the right one.
    MainHand(bool),
    /// It swings its hand, or its off hand.
    Swing {
        /// Whether the off hand.
        off_hand: bool,
    },
    /// A block is broken.
    Break {
        /// The number of the block that was there.
        previous: i32,
        /// Where.
        place: IVec3,
    },
    /// A block is placed.
    Place {
        /// The number of the block that was there.
        previous: i32,
        /// The number of the block that is placed.
        block: i32,
        /// Where.
        place: IVec3,
        /// Whether without a sound.
        silent: bool,
    },
    /// A block is clicked at with the right button.
    Use(Use),
    /// The colour of the particles around it changes, as ARGB; 0 is none.
    EffectColour {
        /// The colour.
        colour: i32,
        /// Whether there are few, as of a beacon.
        ambient: bool,
    },
    /// The particles around it change.
    EffectParticles {
        /// Each as JSON.
        particles: Vec<Cow<'a, str>>,
        /// Whether there are few, as of a beacon.
        ambient: bool,
    },
    /// Arrows and stingers that stick in it.
    Arrows {
        /// How many arrows.
        arrows: i32,
        /// How many stingers of bees.
        stingers: i32,
    },
    /// It sleeps in the bed there, or no longer.
    Sleep(Option<IVec3>),
    /// An entity changes.
    Update {
        /// The entity's number in this recording.
        entity: i32,
        /// The change.
        update: Update<'a>,
    },
    /// It is hurt.
    Hurt,
    /// The data special to its kind change.
    Data(Option<EntityData>),
    /// The cracks in a block change: 0 to 9, anything else is none.
    Crack {
        /// Where.
        place: IVec3,
        /// How far.
        progress: i32,
    },
    /// It dies.
    Die,
    /// It comes back to life.
    Respawn,
    /// It says something, as a text component in JSON.
    Chat(Cow<'a, str>),
    /// It becomes a spectator, or ceases to be one.
    Spectator(bool),
    /// Nothing.
    Nothing,
    /// It closes what it had opened.
    CloseContainer,
    /// The data of a third-party model that was recorded along with alpha versions.
    Model(&'a [u8]),
    /// Something that only an extension knows.
    Custom {
        /// The extension, by its position in the header.
        extension: u8,
        /// The action's number within the extension.
        action: u8,
        /// The action's data, undecoded.
        data: &'a [u8],
    },
}

/// A movement: each number is recorded or unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Movement {
    /// Along x, y and z, in blocks.
    pub position: [Coordinate; 3],
    /// Down from the horizon, in degrees.
    pub pitch: Option<f32>,
    /// Where it looks, in degrees.
    pub yaw: Option<f32>,
    /// The same of its head.
    pub head_yaw: Option<f32>,
    /// Whether it is on the ground.
    pub on_ground: Option<bool>,
}

/// Where something is along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Coordinate {
    /// Where it was.
    #[default]
    Same,
    /// So far from where it was.
    FromLast(f64),
    /// So far from where the recording starts.
    FromStart(f64),
    /// There in the world.
    Absolute(f64),
}

/// A click with the right button.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    /// Where the block was hit.
    pub position: DVec3,
    /// The position of the block.
    pub place: IVec3,
    /// The side of the block: down, up, north, south, west, east.
    pub side: i8,
    /// Whether the player's head is inside of the block.
    pub inside: bool,
    /// With the off hand.
    pub off_hand: bool,
}

/// An item as the file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ItemData<'a> {
    /// The slot is not mentioned.
    #[default]
    None,
    /// An item.
    Some {
        /// Its number: in the file's own list or, without one, in the game's.
        id: i32,
        /// Its data as SNBT: a tag, or components.
        data: Option<Cow<'a, str>>,
        /// Whether that is a tag, as up to Minecraft 1.20.4, rather than components.
        is_tag: bool,
    },
}

/// A change of an entity.
#[derive(Clone, Debug, PartialEq)]
pub enum Update<'a> {
    /// Nothing.
    None,
    /// It is there from now on.
    Add {
        /// Its data as SNBT.
        nbt: Cow<'a, str>,
        /// Where in the world.
        position: DVec3,
    },
    /// It vanishes.
    Remove,
    /// It dies.
    Kill,
    /// It is hurt.
    Hurt,
    /// The player rides it from now on.
    Mount,
    /// The player rides nothing from now on.
    Dismount,
}

/// Data special to a kind of entity; the meaning of each field depends on the kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntityData {
    /// Of camels, chested horses, boats, arrows.
    pub flag1: bool,
    /// Of young animals, boats.
    pub flag2: bool,
    /// The flags of a horse.
    pub byte1: Option<i8>,
    /// The variant of a horse; the time since a boat or minecart was hit.
    pub int1: Option<i32>,
    /// The direction from which it was.
    pub int2: Option<i32>,
    /// How it splashes or shakes.
    pub int3: Option<i32>,
    /// The damage a boat took.
    pub float1: Option<f32>,
}
