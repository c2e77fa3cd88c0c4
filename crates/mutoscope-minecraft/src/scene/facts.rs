//! Facts about recordings and scenes.

use super::{Scene, Take};
use crate::{Person, Recording, short, time::time_of};
use mutoscope_core::clip::Fact;

fn fact(label: &'static str, text: String) -> Fact {
    Fact { label, text }
}

impl Scene {
    /// The facts about a scene: its length and its actors, one by one.
    pub(super) fn facts_of_scene(&self) -> Vec<Fact> {
        let missing = match self.missing {
            0 => String::new(),
            missing => format!(", {missing} more missing: see the notices"),
        };
        let mut facts = vec![fact("length", format!("{} ticks", self.ticks))];
        facts.push(fact("actors", format!("{}{missing}", self.takes.len())));
        facts.extend(self.takes.iter().map(|take| fact("actor", take.text())));
        facts
    }
}

impl Take {
    /// Its actor, start and place: `walk: Steve, from 2 s, turned by 90°`.
    fn text(&self) -> String {
        let who = match &self.kind {
            Some(kind) => format!("a {}", short(kind)),
            None => self.person.name.clone().unwrap_or_else(|| "not named".to_owned()),
        };
        let start = time_of(0) + self.cue.first(0.0);
        let mut text = format!("{}: {who}, from {start} s", self.name);
        text += &format!(", {} s long", self.recording.duration());
        if self.cue.loops() {
            text += ", looping";
        }
        let [x, y, z] = self.placement.point(self.recording.start.position).to_array();
        text += &format!(", at {x:.1} {y:.1} {z:.1}");
        let entities = self.recording.entities.len();
        if entities > 0 {
            let what = if entities == 1 { "entity" } else { "entities" };
            text += &format!(", with {entities} {what}");
        }
        text
    }
}

impl Recording {
    /// The facts about a recording.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let start = self.start.position;
        let mut facts = vec![
            fact("length", format!("{} ticks", self.ticks)),
            fact("start", format!("{:.3} {:.3} {:.3}", start.x, start.y, start.z)),
        ];
        facts.extend(self.dimension.clone().map(|dimension| fact("dimension", dimension)));
        facts.push(fact("player", player_text(&self.person)));
        if !self.entities.is_empty() {
            facts.push(fact("entities", self.entities_text()));
        }
        let blocks = self.blocks.places().len();
        facts.push(fact("blocks", format!("{blocks} changed by the player")));
        facts.push(fact("distance", format!("{:.1} blocks", self.distance())));
        facts.push(fact("deaths", self.deaths().to_string()));
        let intact = if self.intact { "yes, to the last byte" } else { "no: see the notices" };
        facts.push(fact("intact", intact.to_owned()));
        facts
    }

    /// How many there are of each kind: `2 cow, 1 oak_boat`.
    fn entities_text(&self) -> String {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for entity in &self.entities {
            let kind =
                if entity.kind.is_empty() { "of no known kind" } else { short(&entity.kind) };
            match kinds.iter_mut().find(|known| known.0 == kind) {
                Some(known) => known.1 += 1,
                None => kinds.push((kind, 1)),
            }
        }
        let texts: Vec<_> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        texts.join(", ")
    }

    /// How often the player dies.
    pub fn deaths(&self) -> usize {
        let deaths = self.player.dead.values().iter().filter(|&&dead| dead).count();
        // In a scene the player dies within the frames.
        let dies_after = self.ends_with_death && self.frames <= self.ticks + 1;
        deaths + usize::from(dies_after)
    }
}

fn player_text(person: &Person) -> String {
    let mut text = person.name.clone().unwrap_or_else(|| "not named".to_owned());
    if let Some(uuid) = &person.uuid {
        text += &format!(", {uuid}");
    }
    if let Some(url) = &person.skin_url {
        let arms = if person.slim { "slim" } else { "wide" };
        text += &format!(", skin {url} with {arms} arms");
    }
    text
}
