//! The player, or an entity, over time.

use std::sync::Arc;

use glam::IVec3;

use super::{EntityFlags, Held, Path, PoseName, Stand};
use crate::{EntityData, Slot};

/// The player, or an entity, over time: everything that a recording tells of it.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Its position and look.
    pub path: Path,
    /// Whether it is on the ground.
    pub on_ground: Held<bool>,
    /// Its pose.
    pub pose: Held<PoseName>,
    /// Its flags as an entity: see [`EntityFlags`].
    pub entity_flags: Held<u8>,
    /// Its flags as something that lives: see [`LivingFlags`](super::LivingFlags).
    pub living_flags: Held<u8>,
    /// Whether its main hand is the right one.
    pub main_hand_right: Held<bool>,
    /// The items that it holds and wears, by [`Slot`].
    pub items: [Held<Option<Item>>; Slot::ALL.len()],
    /// How many arrows stick in it.
    pub arrows: Held<i32>,
    /// How many stingers of bees stick in it.
    pub stingers: Held<i32>,
    /// Whether it is dead.
    pub dead: Held<bool>,
    /// The bed it sleeps in.
    pub bed: Held<Option<IVec3>>,
    /// Whether it is a spectator.
    pub spectator: Held<bool>,
    /// The particles around it.
    pub effect: Held<Option<Effect>>,
    /// The data special to its kind.
    pub data: Held<Option<EntityData>>,
    /// The frames in which it starts to swing a hand, and whether it is the off hand.
    pub swings: Vec<(u32, bool)>,
    /// The frames in which it is hurt.
    pub hurts: Vec<u32>,
}

/// An item as something holds or wears it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Its name with its namespace, or `#836` where the file has only a number.
    pub id: Arc<str>,
    /// Its data as SNBT: its tag up to Minecraft 1.20.4, its components since.
    pub data: Option<Arc<str>>,
}

/// The particles around something.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Of one colour.
    Colour {
        /// As ARGB; 0 is none.
        colour: i32,
        /// Whether there are few.
        ambient: bool,
    },
    /// Of these kinds.
    Particles {
        /// Each as JSON.
        particles: Arc<[Arc<str>]>,
        /// Whether there are few.
        ambient: bool,
    },
}

/// How long a hand swings, in ticks.
const SWING: u32 = 6;

impl Actor {
    /// An actor at this position, with defaults for everything else.
    pub(in super::super) fn new(start: Stand) -> Self {
        Self {
            path: Path::new(start),
            on_ground: Held::new(false),
            pose: Held::new(PoseName::Standing),
            entity_flags: Held::new(0),
            living_flags: Held::new(0),
            main_hand_right: Held::new(true),
            items: std::array::from_fn(|_| Held::new(None)),
            arrows: Held::new(0),
            stingers: Held::new(0),
            dead: Held::new(false),
            bed: Held::new(None),
            spectator: Held::new(false),
            effect: Held::new(None),
            data: Held::new(None),
            swings: Vec::new(),
            hurts: Vec::new(),
        }
    }

    /// The item that it holds or wears in a slot, in a frame.
    pub fn item(&self, slot: Slot, frame: u32) -> Option<&Item> {
        self.items[slot as usize].at(frame).as_ref()
    }

    /// Whether a bit of its entity flags is set, in a frame.
    pub fn has_flag(&self, flag: u8, frame: u32) -> bool {
        self.entity_flags.at(frame) & flag != 0
    }

    /// How far it has swung a hand in a frame, from 0 up to but not including 1, and whether it is
    /// the off hand.
    pub fn swing(&self, frame: u32) -> (f64, bool) {
        match self.swings[..self.swings.partition_point(|swing| swing.0 <= frame)].last() {
            None => (0.0, false),
            Some(&(start, off_hand)) => {
                let passed = frame - start;
                let swung = if passed < SWING { f64::from(passed) / f64::from(SWING) } else { 0.0 };
                (swung, off_hand)
            }
        }
    }

    /// A swing action: it starts a swing, unless one is in its first half.
    pub(in super::super) fn swing_from(&mut self, frame: u32, off_hand: bool) {
        match self.swings.last_mut() {
            // In the tick before, the swing had come this far.
            Some((start, _)) if *start < frame && frame - 1 - *start < SWING / 2 => {}
            Some(last) if last.0 == frame => *last = (frame, off_hand),
            _ => self.swings.push((frame, off_hand)),
        }
    }

    /// How many ticks since it was hurt are left of ten, in a frame.
    pub fn hurt_time(&self, frame: u32) -> u32 {
        const HURT: u32 = 10;
        let hurts = self.hurts.partition_point(|&hurt| hurt <= frame);
        let last = self.hurts[..hurts].last();
        last.map_or(0, |&hurt| HURT.saturating_sub(frame - hurt + 1))
    }

    /// For how many ticks it has been dead, in a frame; 0 if it lives.
    pub fn death_time(&self, frame: u32) -> u32 {
        match self.dead.since(frame) {
            (true, since) => frame - since.unwrap_or(0) + 1,
            (false, _) => 0,
        }
    }

    /// For how many ticks it has been gliding, in a frame.
    pub fn glide_time(&self, frame: u32) -> u32 {
        let glides = |flags: u8| flags & EntityFlags::GLIDES != 0;
        if !glides(*self.entity_flags.at(frame)) {
            return 0;
        }
        // Other flags may have changed meanwhile.
        let flags = &self.entity_flags;
        let changes = flags.frames().partition_point(|&change| change <= frame);
        let before = flags.values()[..changes].iter().rposition(|&value| !glides(value));
        let since = flags.frames()[..changes].get(before.map_or(0, |index| index + 1));
        frame - since.copied().unwrap_or(0) + 1
    }

    /// The number of changes in its tracks; movements count once.
    pub(in super::super) fn change_count(&self) -> usize {
        let held = [
            self.path.frames(),
            self.on_ground.frames(),
            self.pose.frames(),
            self.entity_flags.frames(),
            self.living_flags.frames(),
            self.main_hand_right.frames(),
            self.arrows.frames(),
            self.stingers.frames(),
            self.dead.frames(),
        ];
        let items = self.items.iter().map(Held::frames);
        held.into_iter().chain(items).map(<[u32]>::len).sum()
    }

    pub(in super::super) fn shrink(&mut self) {
        self.path.shrink();
        self.on_ground.shrink();
        self.pose.shrink();
        self.entity_flags.shrink();
        self.living_flags.shrink();
        self.main_hand_right.shrink();
        self.items.iter_mut().for_each(Held::shrink);
        self.arrows.shrink();
        self.stingers.shrink();
        self.dead.shrink();
        self.bed.shrink();
        self.spectator.shrink();
        self.effect.shrink();
        self.data.shrink();
        self.swings.shrink_to_fit();
        self.hurts.shrink_to_fit();
    }
}
