//! A replayed recording, which can be sampled at any tick.

use std::sync::{Arc, OnceLock};

use super::{
    Actor, ActorTransform, Blocks, Client, ClientState, Dialect, PlayerProfile, SampleTime, Size,
    StepTrack, Use, chat, kinds, shapes::Nature, short_name, snbt, state::Actors, time::frame_time,
};

/// A replayed recording. Each property is stored as a list of its changes, so that the state in any
/// tick can be computed directly.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The dialect of the file.
    pub dialect: Dialect,
    /// The number of frames, at least 1. Each tick has a frame. If actions follow the last tick,
    /// they have a frame of their own.
    pub frames: u32,
    /// The number of ticks.
    pub ticks: u32,
    /// The player's position and look direction at the start.
    pub start: ActorTransform,
    /// The dimension, if the file names it.
    pub dimension: Option<String>,
    /// The player's profile.
    pub profile: PlayerProfile,
    /// The names of the extensions whose actions the file contains.
    pub extensions: Vec<String>,
    /// `true` if the player dies right after the last tick.
    pub ends_with_death: bool,
    /// `true` if the file was decoded to its end.
    pub intact: bool,
    /// The player.
    pub player: Actor,
    /// The state that the player's game derives.
    pub client: Client,
    /// The id of the entity that the player rides.
    pub vehicle: StepTrack<Option<i32>>,
    /// The entities, in the order in which they were first added.
    pub entities: Vec<Entity>,
    /// The blocks that the player placed and broke.
    pub blocks: Blocks,
    /// The player's right-clicks, each with its frame.
    pub uses: Vec<(u32, Use)>,
}

/// An entity other than the player.
#[derive(Clone, Debug)]
pub struct Entity {
    /// The id of the entity in this recording.
    pub id: i32,
    /// The kind, such as `minecraft:cow`. Empty if the file does not name it.
    pub kind: String,
    /// The data with which the entity is added, as SNBT.
    pub nbt: Arc<str>,
    /// The size of the hitbox.
    pub size: Size,
    /// The recorded state over time.
    pub actor: Actor,
    /// The spans of frames in which the entity exists, in order.
    pub lives: Vec<Life>,
    /// The nature of `kind`. It is cached because each sampled pose needs it.
    nature: Nature,
    /// The state of the limbs that the game derives from the movement. It is computed on first use.
    client: OnceLock<Client>,
}

/// A span of frames in which an entity exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The first frame of the entity.
    pub from: u32,
    /// The frame in which the entity is killed. The body stays visible for 20 more ticks.
    pub killed: Option<u32>,
    /// The first frame without the entity. `None` if it exists until the end.
    pub to: Option<u32>,
}

pub(super) const DEATH_TICKS: u32 = 20;

impl Entity {
    pub(super) fn new(
        id: i32,
        kind: String,
        nbt: Arc<str>,
        actor: Actor,
        lives: Vec<Life>,
    ) -> Self {
        let (size, nature) = (Size::for_entity(&kind, &nbt), kinds::nature(&kind));
        Self { id, kind, nbt, size, actor, lives, nature, client: OnceLock::new() }
    }

    /// Scales the size to that of a baby if the recording marks the entity as a baby in any frame.
    /// Does nothing if the NBT data mark the entity as a baby, because `size` is already scaled
    /// then.
    pub(super) fn apply_baby_flag(&mut self) {
        let is_told = self.actor.data.values().iter().flatten().any(|data| data.flag2);
        if is_told && self.is_living() && !kinds::is_young(&self.nbt) {
            self.size = self.size.scaled_for_young(short_name(&self.kind));
        }
    }

    pub(super) fn client(&self, moment: SampleTime, frames: u32) -> ClientState {
        let actors = Actors { player: &self.actor, entities: &[] };
        let yaw = self.actor.path.at_frame(0).yaw as f32;
        let client =
            self.client.get_or_init(|| Client::new(actors, &StepTrack::new(None), yaw, frames));
        client.sample(actors, moment)
    }

    /// Returns the number of ticks since the entity was added.
    pub fn age(&self, frame: u32) -> u32 {
        self.current_life(frame).map_or(0, |life| frame - life.from)
    }

    /// Returns the custom name without formatting, or `None` if there is none.
    pub fn custom_name(&self) -> Option<String> {
        let name =
            snbt::top_level_value(&self.nbt, "CustomName").filter(|name| !name.is_empty())?;
        // Replace `\"` by `"`, because up to Minecraft 1.21.4 the value is JSON inside a string.
        Some(chat::plain_text(&name.replace("\\\"", "\"")))
    }

    /// Returns `true` if the entity is living. A scene scales only living entities.
    pub fn is_living(&self) -> bool {
        self.nature == Nature::Living
    }

    /// Returns `true` if the entity is a projectile. The yaw of a projectile has the opposite sign
    /// of that of a player.
    pub fn is_projectile(&self) -> bool {
        self.nature == Nature::Projectile
    }

    /// Returns `true` if the entity exists in a frame, alive or dead.
    pub fn is_there(&self, frame: u32) -> bool {
        self.current_life(frame).is_some_and(|life| life.to.is_none_or(|to| frame < to))
    }

    /// Returns `true` if the entity is visible in a frame.
    pub fn is_shown(&self, frame: u32) -> bool {
        let fell = |life: &Life| life.killed.is_some_and(|killed| frame >= killed + DEATH_TICKS);
        self.is_there(frame) && !self.current_life(frame).is_some_and(fell)
    }

    fn current_life(&self, frame: u32) -> Option<&Life> {
        let begun = self.lives.partition_point(|life| life.from <= frame);
        self.lives[..begun].last()
    }
}

/// The minimum height above the start, in blocks, of a parked player. The mod moves a dead player
/// about a million blocks up until the respawn.
const MIN_PARKED_HEIGHT: f64 = 999_000.0;

impl Recording {
    #[cfg(test)]
    pub(super) fn standing_still() -> Self {
        let mut bytes = vec![5];
        bytes.extend([0; 33]);
        let diagnostics = &mut mutoscope_core::diagnostics::Diagnostics::new();
        let document = super::decode(&bytes, diagnostics).expect("a header, and nothing after it");
        super::replay::replay(&document, diagnostics).0
    }

    /// Returns the duration in seconds.
    pub fn duration(&self) -> f64 {
        frame_time(self.ticks)
    }

    /// Returns the sample time at `time`, in seconds.
    pub fn sample_time(&self, time: f64) -> SampleTime {
        SampleTime::new(time, self.frames)
    }

    /// Returns the state that the player's game derives at `moment`.
    pub fn client(&self, moment: SampleTime) -> ClientState {
        self.client.sample(self.actors(), moment)
    }

    /// Returns the player's position and look direction at `moment`, as drawn. In a boat, the look
    /// is limited to the angle that the game allows.
    pub fn look(&self, moment: SampleTime) -> ActorTransform {
        self.client.sample_look(self.actors(), moment)
    }

    fn actors(&self) -> Actors<'_> {
        Actors { player: &self.player, entities: &self.entities }
    }

    /// Returns `true` if the player is parked: the mod moves a dead player a million blocks up
    /// until the respawn.
    pub fn is_parked(&self, frame: u32) -> bool {
        self.player.path.at_frame(frame).position.y - self.start.position.y > MIN_PARKED_HEIGHT
    }

    /// Returns `true` if any part of the player is visible in a frame.
    pub fn is_player_shown(&self, frame: u32) -> bool {
        !self.is_parked(frame) && self.player.death_time(frame) <= DEATH_TICKS
    }

    pub(super) fn player_spans(&self) -> impl Iterator<Item = (u32, Option<u32>)> {
        let path = &self.player.path;
        let mut changes: Vec<u32> = vec![0];
        let mut was_parked = false;
        for (&frame, position) in path.frames().iter().zip(path.positions()) {
            let is_parked = position.y - self.start.position.y > MIN_PARKED_HEIGHT;
            if std::mem::replace(&mut was_parked, is_parked) != is_parked {
                changes.push(frame);
            }
        }
        for &frame in self.player.dead.frames() {
            changes.extend([frame, frame.saturating_add(DEATH_TICKS)]);
        }
        changes.sort_unstable();
        changes.dedup();
        let ends: Vec<_> = changes.iter().skip(1).map(|&frame| Some(frame)).chain([None]).collect();
        let spans = changes.into_iter().zip(ends);
        spans.filter(|(start, _)| self.is_player_shown(*start))
    }

    /// Returns the entity with this id, or `None` if the recording never adds it.
    pub fn entity(&self, id: i32) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == id)
    }

    pub(super) fn change_count(&self) -> usize {
        let entities = self.entities.iter().map(|entity| &entity.actor);
        std::iter::once(&self.player).chain(entities).map(Actor::change_count).sum()
    }

    /// Returns the distance in blocks that the player walks, rides and falls. Jumps such as
    /// teleports are not included.
    pub fn distance(&self) -> f64 {
        let path = &self.player.path;
        let mut from = path.after_movements(0).position;
        let mut distance = 0.0;
        for (index, &to) in path.positions().iter().enumerate() {
            if !path.is_jump(index) {
                distance += from.distance(to);
            }
            from = to;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cow(nbt: &str) -> Entity {
        let actor = Actor::new(ActorTransform::default());
        Entity::new(1, "minecraft:cow".to_owned(), nbt.into(), actor, Vec::new())
    }

    #[test]
    fn custom_names_are_json_or_plain() {
        for (nbt, name) in [
            (r#"{CustomName:'{"text":"Bessie"}'}"#, Some("Bessie")),
            (r#"{CustomName:"{\"text\":\"Bessie\"}"}"#, Some("Bessie")),
            (r#"{CustomName:"Bessie"}"#, Some("Bessie")),
            (r#"{CustomName:'"Bessie"'}"#, Some("Bessie")),
            ("{}", None),
        ] {
            assert_eq!(cow(nbt).custom_name().as_deref(), name, "{nbt}");
        }
    }

    #[test]
    fn baby_flag_makes_an_animal_young() {
        let data = super::super::EntityData { flag2: true, ..Default::default() };
        for nbt in ["{}", "{Age:-5}"] {
            let mut calf = cow(nbt);
            calf.actor.data.set(3, 0, Some(data));
            calf.apply_baby_flag();
            assert_eq!(calf.size, Size { width: 0.45, height: 0.7 }, "{nbt}");
        }
    }
}
