//! The recorded state of the player or of an entity over time.

use std::sync::Arc;

use glam::IVec3;

use super::{ActorTransform, EntityFlags, MotionPath, PoseName, StepTrack};
use crate::{EntityData, Slot};

/// The recorded state of the player or of an entity over time.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The position and look direction.
    pub path: MotionPath,
    /// `true` while the actor is on the ground.
    pub on_ground: StepTrack<bool>,
    /// The pose.
    pub pose: StepTrack<PoseName>,
    /// The flags that all entities have: see [`EntityFlags`].
    pub entity_flags: StepTrack<u8>,
    /// The flags of living entities: see [`LivingFlags`](super::LivingFlags).
    pub living_flags: StepTrack<u8>,
    /// `true` if the right hand is the main hand.
    pub main_hand_right: StepTrack<bool>,
    /// The items in the hands and in the armour slots, by [`Slot`].
    pub items: [StepTrack<Option<Item>>; Slot::ALL.len()],
    /// The number of arrows that stick in the body.
    pub arrows: StepTrack<i32>,
    /// The number of bee stingers that stick in the body.
    pub stingers: StepTrack<i32>,
    /// `true` while the actor is dead.
    pub dead: StepTrack<bool>,
    /// The block position of the bed in which the actor sleeps.
    pub bed: StepTrack<Option<IVec3>>,
    /// `true` while the player is a spectator.
    pub spectator: StepTrack<bool>,
    /// The effect particles around the actor.
    pub effect: StepTrack<Option<Effect>>,
    /// The data specific to the kind of entity.
    pub data: StepTrack<Option<EntityData>>,
    /// The frames in which a swing of a hand starts. The flag is `true` for the off hand.
    pub swings: Vec<(u32, bool)>,
    /// The frames in which the actor is hurt.
    pub hurts: Vec<u32>,
}

/// An item in a hand or in an armour slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The name with its namespace, or `#836` if the file has only a numeric id.
    pub id: Arc<str>,
    /// The data as SNBT: the tag up to Minecraft 1.20.4, the components since.
    pub data: Option<Arc<str>>,
}

/// Effect particles around an actor.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Particles of one colour.
    Colour {
        /// The colour as ARGB. 0 means no particles.
        colour: i32,
        /// `true` if the particles are sparse.
        ambient: bool,
    },
    /// Particles of these types.
    Particles {
        /// One JSON object for each particle.
        particles: Arc<[Arc<str>]>,
        /// `true` if the particles are sparse.
        ambient: bool,
    },
}

const SWING_TICKS: u32 = 6;

impl Actor {
    pub(in super::super) fn new(start: ActorTransform) -> Self {
        Self {
            path: MotionPath::new(start),
            on_ground: StepTrack::new(false),
            pose: StepTrack::new(PoseName::Standing),
            entity_flags: StepTrack::new(0),
            living_flags: StepTrack::new(0),
            main_hand_right: StepTrack::new(true),
            items: std::array::from_fn(|_| StepTrack::new(None)),
            arrows: StepTrack::new(0),
            stingers: StepTrack::new(0),
            dead: StepTrack::new(false),
            bed: StepTrack::new(None),
            spectator: StepTrack::new(false),
            effect: StepTrack::new(None),
            data: StepTrack::new(None),
            swings: Vec::new(),
            hurts: Vec::new(),
        }
    }

    /// Returns the item in a slot in a frame, or `None` if the slot is empty.
    pub fn item(&self, slot: Slot, frame: u32) -> Option<&Item> {
        self.items[slot as usize].at_frame(frame).as_ref()
    }

    /// Returns `true` if `flag` is set in the entity flags of a frame.
    pub fn has_flag(&self, flag: u8, frame: u32) -> bool {
        self.entity_flags.at_frame(frame) & flag != 0
    }

    /// Returns the progress of the last swing, from 0 to less than 1, and `true` if the off hand
    /// made the swing. The progress is 0 after the swing has ended.
    pub fn swing(&self, frame: u32) -> (f64, bool) {
        match self.swings[..self.swings.partition_point(|swing| swing.0 <= frame)].last() {
            None => (0.0, false),
            Some(&(start, off_hand)) => {
                let passed = frame - start;
                let swung = if passed < SWING_TICKS {
                    f64::from(passed) / f64::from(SWING_TICKS)
                } else {
                    0.0
                };
                (swung, off_hand)
            }
        }
    }

    /// Starts a swing, unless another swing is in its first half.
    pub(in super::super) fn start_swing(&mut self, frame: u32, off_hand: bool) {
        match self.swings.last_mut() {
            // The game tests the progress of the previous tick, so `frame - 1` is compared with
            // half of the swing.
            Some((start, _)) if *start < frame && frame - 1 - *start < SWING_TICKS / 2 => {}
            Some(last) if last.0 == frame => *last = (frame, off_hand),
            _ => self.swings.push((frame, off_hand)),
        }
    }

    /// Returns the number of ticks until the hurt effect ends, which lasts ten ticks. 0 while no
    /// hurt is visible.
    pub fn hurt_time(&self, frame: u32) -> u32 {
        const HURT_TICKS: u32 = 10;
        let hurts = self.hurts.partition_point(|&hurt| hurt <= frame);
        let last = self.hurts[..hurts].last();
        last.map_or(0, |&hurt| HURT_TICKS.saturating_sub(frame - hurt + 1))
    }

    /// Returns the number of ticks since the death. 0 while the actor lives.
    pub fn death_time(&self, frame: u32) -> u32 {
        match self.dead.value_and_change(frame) {
            (true, since) => frame - since.unwrap_or(0) + 1,
            (false, _) => 0,
        }
    }

    /// Returns the number of ticks since the start of the glide. 0 while the actor does not glide.
    pub fn glide_time(&self, frame: u32) -> u32 {
        let glides = |flags: u8| flags & EntityFlags::GLIDES != 0;
        if !glides(*self.entity_flags.at_frame(frame)) {
            return 0;
        }
        // Other flags may change during a glide, so the last change of the flags need not be the
        // start of the glide. Find the last value without the gliding flag. The glide starts with
        // the next change.
        let flags = &self.entity_flags;
        let changes = flags.frames().partition_point(|&change| change <= frame);
        let before = flags.values()[..changes].iter().rposition(|&value| !glides(value));
        let since = flags.frames()[..changes].get(before.map_or(0, |index| index + 1));
        frame - since.copied().unwrap_or(0) + 1
    }

    /// Returns the number of changes in all tracks. A movement counts once, although several tracks
    /// share it.
    pub(in super::super) fn change_count(&self) -> usize {
        let tracks = [
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
        let items = self.items.iter().map(StepTrack::frames);
        tracks.into_iter().chain(items).map(<[u32]>::len).sum()
    }

    pub(in super::super) fn shrink(&mut self) {
        self.path.shrink();
        self.on_ground.shrink();
        self.pose.shrink();
        self.entity_flags.shrink();
        self.living_flags.shrink();
        self.main_hand_right.shrink();
        self.items.iter_mut().for_each(StepTrack::shrink);
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
