//! What people ask of a recording, and how the clip's nodes follow it.

use glam::DVec3;

use super::{
    Moment, Part, Recording,
    figure::{Figure, facing},
    nodes,
};
use crate::clip::{Driver, Fact, NodeId, Transform};

impl Driver for Recording {
    fn drive(&self, time: f64, place: &mut dyn FnMut(NodeId, Transform, bool)) {
        let moment = self.moment(time);
        self.drive_player(moment, place);
        for (index, entity) in self.entities.iter().enumerate() {
            let stand = entity.actor.path.value(moment);
            let transform = Transform {
                translation: stand.position,
                rotation: facing(stand.yaw),
                scale: DVec3::ONE,
            };
            place(nodes::entity(index), transform, entity.is_shown(moment.frame));
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |label, text| Fact { label, text };
        let start = self.start.position;
        let mut facts = vec![
            fact("length", format!("{} ticks", self.ticks)),
            fact("start", format!("{:.3} {:.3} {:.3}", start.x, start.y, start.z)),
        ];
        facts.extend(self.dimension.clone().map(|dimension| fact("dimension", dimension)));
        facts.push(fact("player", self.player_text()));
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
}

impl Recording {
    fn drive_player(&self, moment: Moment, place: &mut dyn FnMut(NodeId, Transform, bool)) {
        let stand = self.player.path.value(moment);
        let rotation = facing(self.client(moment).body_yaw);
        let player = Transform { translation: stand.position, rotation, scale: DVec3::ONE };
        place(nodes::PLAYER, player, self.is_player_shown(moment.frame));
        let figure = Figure::new(self, moment);
        // Of a spectator only the head is to be seen.
        let is_spectator = *self.player.spectator.at(moment.frame);
        for part in Part::ALL {
            let is_shown = part == Part::Head || !is_spectator;
            place(nodes::part(part), figure.part(part), is_shown);
        }
    }

    fn player_text(&self) -> String {
        let person = &self.person;
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

    /// How many there are of each kind: `2 minecraft:cow, 1 minecraft:boat`.
    fn entities_text(&self) -> String {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for entity in &self.entities {
            let kind = if entity.kind.is_empty() { "of no known kind" } else { &entity.kind };
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
        deaths + usize::from(self.ends_with_death)
    }
}
