//! Defines the actions of a recording as stored in the file.

mod items;
mod movement;
mod read;

use std::borrow::Cow;

use glam::{DVec3, IVec3};

pub(super) use read::read_action;

/// An action and the player or entity that performs it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<'a> {
    /// The byte offset of the action in the file.
    pub offset: usize,
    /// The id of the entity that performs the action, or `None` for the player.
    pub entity: Option<i32>,
    /// The action.
    pub action: Action<'a>,
}

/// An action. The actor is the player or the entity that performs it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action<'a> {
    /// The end of this number of ticks.
    Ticks(u8),
    /// A movement or a rotation of the actor, or both.
    Move(Movement),
    /// A change of the actor's pose. The number is the id of the pose.
    Pose(i32),
    /// A change of the actor's items, in the order of the slots.
    Items(Vec<ItemData<'a>>),
    /// A change of the actor's entity flags.
    EntityFlags(u8),
    /// A change of the actor's flags as a living entity.
    LivingFlags(u8),
    /// A change of the main hand. `true` selects the right hand.
    MainHand(bool),
    /// A swing of a hand.
    Swing {
        /// Whether the off hand swings, instead of the main hand.
        off_hand: bool,
    },
    /// A broken block.
    Break {
        /// The id of the block before.
        previous: i32,
        /// The position of the block.
        position: IVec3,
    },
    /// A placed block.
    Place {
        /// The id of the block before.
        previous: i32,
        /// The id of the placed block.
        block: i32,
        /// The position of the placed block.
        position: IVec3,
        /// Whether the game plays no sound when the block is placed.
        silent: bool,
    },
    /// A right click on a block.
    Use(Use),
    /// A change of the colour of the effect particles around the actor.
    EffectColour {
        /// The colour as ARGB. 0 means no particles.
        colour: i32,
        /// Whether the game shows only a few particles, as for the effect of a beacon.
        ambient: bool,
    },
    /// A change of the effect particles around the actor.
    EffectParticles {
        /// The particles, each as JSON.
        particles: Vec<Cow<'a, str>>,
        /// Whether the game shows only a few particles, as for the effect of a beacon.
        ambient: bool,
    },
    /// A change of the arrows and bee stingers that stick in the actor.
    Arrows {
        /// The number of arrows.
        arrows: i32,
        /// The number of bee stingers.
        stingers: i32,
    },
    /// The actor lies down in the bed at this position. `None` means that the actor wakes up.
    Sleep(Option<IVec3>),
    /// A change to an entity.
    Update {
        /// The id of the entity in this recording.
        entity: i32,
        /// The change.
        update: Update<'a>,
    },
    /// A hit that hurts the actor.
    Hurt,
    /// A change of the data that is specific to the actor's kind.
    Data(Option<EntityData>),
    /// A change of the cracks in a block.
    Crack {
        /// The position of the cracked block.
        position: IVec3,
        /// The stage of the cracks, 0 to 9. Any other number removes them.
        progress: i32,
    },
    /// The death of the actor.
    Die,
    /// The respawn of the actor.
    Respawn,
    /// A chat message of the actor: a text component in JSON.
    Chat(Cow<'a, str>),
    /// A change of spectator mode: `true` turns it on.
    Spectator(bool),
    /// No action.
    Nothing,
    /// The actor closes the open container.
    CloseContainer,
    /// The data of a third-party player model, which an add-on wrote in alpha versions.
    Model(&'a [u8]),
    /// A custom action of an extension.
    Custom {
        /// The index of the extension in the header.
        extension: u8,
        /// The id of the action within the extension.
        action: u8,
        /// The undecoded data of the action.
        data: &'a [u8],
    },
}

/// A movement. A value of `None` does not change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Movement {
    /// The position along x, y and z, in blocks.
    pub position: [Coordinate; 3],
    /// The pitch in degrees, downwards from the horizon.
    pub pitch: Option<f32>,
    /// The yaw in degrees.
    pub yaw: Option<f32>,
    /// The yaw of the head, in degrees.
    pub head_yaw: Option<f32>,
    /// Whether the actor is on the ground.
    pub on_ground: Option<bool>,
}

/// A coordinate, in blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Coordinate {
    /// The same coordinate as before.
    #[default]
    Same,
    /// The difference from the previous coordinate.
    FromLast(f64),
    /// The difference from the coordinate at the start of the recording.
    FromStart(f64),
    /// The coordinate in the world.
    Absolute(f64),
}

/// A right click on a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Use {
    /// The point where the block was hit.
    pub hit_position: DVec3,
    /// The position of the block.
    pub block_position: IVec3,
    /// The side of the block that was hit: 0 is down, 1 up, 2 north, 3 south, 4 west, 5 east.
    pub side: i8,
    /// `true` if the player's head is inside the block.
    pub is_head_inside: bool,
    /// `true` if the player clicked with the off hand.
    pub off_hand: bool,
}

/// An item in a change of items.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ItemData<'a> {
    /// No item. In some dialects the slot then keeps its item, in others it becomes empty.
    #[default]
    None,
    /// An item.
    Some {
        /// The id of the item in the file's own list or, without a list, in the game's registry.
        id: i32,
        /// The data of the item as SNBT: a tag or components.
        data: Option<Cow<'a, str>>,
        /// Whether `data` is a tag, as in Minecraft up to 1.20.4, instead of components.
        is_tag: bool,
    },
}

/// A change of an entity.
#[derive(Clone, Debug, PartialEq)]
pub enum Update<'a> {
    /// No change.
    None,
    /// The entity appears.
    Add {
        /// The data of the entity as SNBT.
        nbt: Cow<'a, str>,
        /// The position in the world, in blocks.
        position: DVec3,
    },
    /// The entity disappears.
    Remove,
    /// The entity dies.
    Kill,
    /// The entity is hurt.
    Hurt,
    /// The player mounts the entity.
    Mount,
    /// The player dismounts.
    Dismount,
}

/// Data that is specific to a kind of entity. The meaning of each field depends on the kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntityData {
    /// Whether a horse has a chest, a camel dashes, a boat's paddle moves or an arrow is stuck in
    /// the ground.
    pub flag1: bool,
    /// Whether an animal is young, or whether the other paddle of a boat moves.
    pub flag2: bool,
    /// The flags of a horse.
    pub byte1: Option<i8>,
    /// The variant of a horse, or the ticks since a boat or minecart was hit.
    pub int1: Option<i32>,
    /// The direction of the hit on a boat or minecart.
    pub int2: Option<i32>,
    /// The bubble time of a boat, in ticks.
    pub int3: Option<i32>,
    /// The damage of a boat or minecart.
    pub float1: Option<f32>,
}
