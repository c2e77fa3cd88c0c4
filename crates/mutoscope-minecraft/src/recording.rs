//! A recording, replayed: every tick can be asked for at once.

use std::sync::{Arc, OnceLock};

use super::{
    Actor, Blocks, Client, ClientState, Dialect, Held, Person, SampleTime, Size, Stand, Use, chat,
    kinds, shapes::Nature, short, snbt, state::Cast, time::time_of,
};

/// A recording, replayed: for every property when it changes, so that every tick can be asked for at
/// once and in any order.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The dialect of the file.
    pub dialect: Dialect,
    /// How many frames there are: one for each tick that ends, and one more if anything follows
    /// the last; at least one.
    pub frames: u32,
    /// How many ticks there are.
    pub ticks: u32,
    /// The player's position and look at the start.
    pub start: Stand,
    /// The dimension, if the file tells.
    pub dimension: Option<String>,
    /// The player's profile.
    pub person: Person,
    /// The names of the extensions whose actions it holds.
    pub extensions: Vec<String>,
    /// Whether the player dies right after the end.
    pub ends_with_death: bool,
    /// Whether the file could be read to its end.
    pub intact: bool,
    /// The player.
    pub player: Actor,
    /// The state that the player's game derives.
    pub client: Client,
    /// The number of the entity that the player rides.
    pub vehicle: Held<Option<i32>>,
    /// Other entities, in the order in which they were added first.
    pub entities: Vec<Entity>,
    /// The blocks that the player placed and broke.
    pub blocks: Blocks,
    /// The player's right-clicks, each with its frame.
    pub uses: Vec<(u32, Use)>,
}

/// An entity other than the player.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Its number in this recording.
    pub id: i32,
    /// Its kind: `minecraft:cow`; empty if the file does not give it.
    pub kind: String,
    /// Its data when it is added, as SNBT.
    pub nbt: Arc<str>,
    /// How large it is.
    pub size: Size,
    /// Its state over time.
    pub actor: Actor,
    /// When it is there.
    pub lives: Vec<Life>,
    /// As its kind tells: poses ask for it at every time.
    nature: Nature,
    /// The state that the game derives of its steps, computed on first use.
    client: OnceLock<Client>,
}

/// From when to when an entity is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// The first frame it is in.
    pub from: u32,
    /// The frame in which it is killed; its body is visible for 20 ticks more.
    pub killed: Option<u32>,
    /// The first frame it is not in any more.
    pub to: Option<u32>,
}

/// How many ticks a body takes to fall and vanish.
pub(super) const DYING: u32 = 20;

impl Entity {
    pub(super) fn of_kind(
        id: i32,
        kind: String,
        nbt: Arc<str>,
        actor: Actor,
        lives: Vec<Life>,
    ) -> Self {
        let (size, nature) = (Size::of_entity(&kind, &nbt), kinds::nature(&kind));
        Self { id, kind, nbt, size, actor, lives, nature, client: OnceLock::new() }
    }

    /// Makes it a baby if a flag of its kind is set, and its data did not have it when it was
    /// added.
    pub(super) fn note_age(&mut self) {
        let is_told = self.actor.data.values().iter().flatten().any(|data| data.flag2);
        if is_told && self.is_living() && !kinds::is_young(&self.nbt) {
            self.size = self.size.young(short(&self.kind));
        }
    }

    /// The state that the game derives of its steps at a moment of a recording of this many frames.
    pub(super) fn client(&self, moment: SampleTime, frames: u32) -> ClientState {
        let cast = Cast { player: &self.actor, entities: &[] };
        let yaw = self.actor.path.at(0).yaw as f32;
        let client = self.client.get_or_init(|| Client::new(cast, &Held::new(None), yaw, frames));
        client.value(cast, moment)
    }

    /// For how many ticks it has been there in a frame.
    pub fn age(&self, frame: u32) -> u32 {
        self.life(frame).map_or(0, |life| frame - life.from)
    }

    /// Its custom name, without formatting.
    pub fn custom_name(&self) -> Option<String> {
        let name = snbt::top_level(&self.nbt, "CustomName").filter(|name| !name.is_empty())?;
        // Up to Minecraft 1.21.4 it is JSON within a string.
        Some(chat::plain(&name.replace("\\\"", "\"")))
    }

    /// Whether it is something that lives, as far as its kind tells: only that is scaled.
    pub fn is_living(&self) -> bool {
        self.nature == Nature::Living
    }

    /// Whether it flies after it was thrown or shot, and turns as such: its yaw is not that of players.
    pub fn is_projectile(&self) -> bool {
        self.nature == Nature::Projectile
    }

    /// Whether the file has it in a frame, alive or dead.
    pub fn is_there(&self, frame: u32) -> bool {
        self.life(frame).is_some_and(|life| life.to.is_none_or(|to| frame < to))
    }

    /// Whether it is visible in a frame.
    pub fn is_shown(&self, frame: u32) -> bool {
        let fell = |life: &Life| life.killed.is_some_and(|killed| frame >= killed + DYING);
        self.is_there(frame) && !self.life(frame).is_some_and(fell)
    }

    fn life(&self, frame: u32) -> Option<&Life> {
        let begun = self.lives.partition_point(|life| life.from <= frame);
        self.lives[..begun].last()
    }
}

/// A player higher than this above the start is parked: after a death, out of sight, until the
/// respawn.
const PARKED: f64 = 999_000.0;

impl Recording {
    /// A player who stands and does nothing.
    #[cfg(test)]
    pub(super) fn at_rest() -> Self {
        let mut bytes = vec![5];
        bytes.extend([0; 33]);
        let notices = &mut mutoscope_core::diagnostics::Notices::new();
        let document = super::decode(&bytes, notices).expect("a header, and nothing after it");
        super::replay::replay(&document, notices).0
    }

    /// How long it plays, in seconds.
    pub fn duration(&self) -> f64 {
        time_of(self.ticks)
    }

    /// The moment at `time`, in seconds.
    pub fn moment(&self, time: f64) -> SampleTime {
        SampleTime::new(time, self.frames)
    }

    /// The state that the player's game derives at a moment.
    pub fn client(&self, moment: SampleTime) -> ClientState {
        self.client.value(self.cast(), moment)
    }

    /// The player's position at a moment, and the look as it is drawn: in a boat no farther to the
    /// side than the game lets anybody.
    pub fn look(&self, moment: SampleTime) -> Stand {
        self.client.look(self.cast(), moment)
    }

    fn cast(&self) -> Cast<'_> {
        Cast { player: &self.player, entities: &self.entities }
    }

    /// Whether the player has been put out of sight, a million blocks up, until the next life.
    pub fn is_parked(&self, frame: u32) -> bool {
        self.player.path.at(frame).position.y - self.start.position.y > PARKED
    }

    /// Whether any part of the player is visible in a frame.
    pub fn is_player_shown(&self, frame: u32) -> bool {
        !self.is_parked(frame) && self.player.death_time(frame) <= DYING
    }

    /// The frames in which any part of the player is visible.
    pub(super) fn player_spans(&self) -> impl Iterator<Item = (u32, Option<u32>)> {
        let path = &self.player.path;
        let mut changes: Vec<u32> = vec![0];
        let mut was_parked = false;
        for (&frame, position) in path.frames().iter().zip(path.positions()) {
            let is_parked = position.y - self.start.position.y > PARKED;
            if std::mem::replace(&mut was_parked, is_parked) != is_parked {
                changes.push(frame);
            }
        }
        for &frame in self.player.dead.frames() {
            changes.extend([frame, frame.saturating_add(DYING)]);
        }
        changes.sort_unstable();
        changes.dedup();
        let ends: Vec<_> = changes.iter().skip(1).map(|&frame| Some(frame)).chain([None]).collect();
        let spans = changes.into_iter().zip(ends);
        spans.filter(|(start, _)| self.is_player_shown(*start))
    }

    /// The entity with this number, if there ever is one.
    pub fn entity(&self, id: i32) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == id)
    }

    /// The number of changes in all tracks.
    pub(super) fn change_count(&self) -> usize {
        let entities = self.entities.iter().map(|entity| &entity.actor);
        std::iter::once(&self.player).chain(entities).map(Actor::change_count).sum()
    }

    /// How far the player walks, rides and falls, in blocks: jumps to elsewhere do not count.
    pub fn distance(&self) -> f64 {
        let path = &self.player.path;
        let mut from = path.after(0).position;
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
        let actor = Actor::new(Stand::default());
        Entity::of_kind(1, "minecraft:cow".to_owned(), nbt.into(), actor, Vec::new())
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
            calf.note_age();
            assert_eq!(calf.size, Size { width: 0.45, height: 0.7 }, "{nbt}");
        }
    }
}
