//! Lists facts about recordings and scenes.

use super::{Scene, Take};
use crate::{PlayerProfile, Recording, short_name};
use mutoscope_core::clip::Fact;

fn fact(label: &'static str, text: String) -> Fact {
    Fact { label, text }
}

impl Scene {
    pub(super) fn facts_of_scene(&self) -> Vec<Fact> {
        let missing = match self.missing_elements {
            0 => String::new(),
            missing => format!(", {missing} more missing: see the issues"),
        };
        let mut facts = vec![fact("length", format!("{} ticks", self.ticks))];
        facts.push(fact("actors", format!("{}{missing}", self.takes.len())));
        facts.extend(self.takes.iter().map(|take| fact("actor", take.summary())));
        facts
    }
}

impl Take {
    fn summary(&self) -> String {
        let actor_name = match &self.entity_kind {
            Some(kind) => format!("a {}", short_name(kind)),
            None => self.profile.name.clone().unwrap_or_else(|| "not named".to_owned()),
        };
        let start = self.cue.first_scene_time(0.0);
        let mut text = format!("{}: {actor_name}, from {start} s", self.name);
        text += &format!(", {} s long", self.recording.duration());
        if self.cue.loops() {
            text += ", looping";
        }
        let [x, y, z] = self.placement.transform_point(self.recording.start.position).to_array();
        text += &format!(", at {x:.1} {y:.1} {z:.1}");
        let entities = self.recording.entities.len();
        if entities > 0 {
            let noun = if entities == 1 { "entity" } else { "entities" };
            text += &format!(", with {entities} {noun}");
        }
        text
    }
}

impl Recording {
    pub(super) fn facts(&self) -> Vec<Fact> {
        let start = self.start.position;
        let mut facts = vec![
            fact("length", format!("{} ticks", self.ticks)),
            fact("start", format!("{:.3} {:.3} {:.3}", start.x, start.y, start.z)),
        ];
        facts.extend(self.dimension.clone().map(|dimension| fact("dimension", dimension)));
        facts.push(fact("player", player_summary(&self.profile)));
        if !self.entities.is_empty() {
            facts.push(fact("entities", self.entity_counts()));
        }
        let blocks = self.blocks.positions().len();
        facts.push(fact("blocks", format!("{blocks} changed by the player")));
        facts.push(fact("distance", format!("{:.1} blocks", self.distance())));
        facts.push(fact("deaths", self.death_count().to_string()));
        let intact = if self.intact { "yes, to the last byte" } else { "no: see the issues" };
        facts.push(fact("intact", intact.to_owned()));
        facts
    }

    fn entity_counts(&self) -> String {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for entity in &self.entities {
            let kind =
                if entity.kind.is_empty() { "of unknown kind" } else { short_name(&entity.kind) };
            match kinds.iter_mut().find(|known| known.0 == kind) {
                Some(known) => known.1 += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let texts: Vec<_> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        texts.join(", ")
    }

    /// Returns the number of times the player dies.
    pub fn death_count(&self) -> usize {
        let deaths = self.player.dead.values().iter().filter(|&&dead| dead).count();
        // In a scene, the replay adds frames for the death at the end. `deaths` then includes this
        // death, so do not count it again.
        let dies_after = self.ends_with_death && self.frames <= self.ticks + 1;
        deaths + usize::from(dies_after)
    }
}

fn player_summary(profile: &PlayerProfile) -> String {
    let mut text = profile.name.clone().unwrap_or_else(|| "not named".to_owned());
    if let Some(uuid) = &profile.uuid {
        text += &format!(", {uuid}");
    }
    if let Some(url) = &profile.skin_url {
        let arms = if profile.slim { "slim" } else { "wide" };
        text += &format!(", skin {url} with {arms} arms");
    }
    text
}
