//! Rewriting changes of entities.

use std::borrow::Cow;

use glam::DVec3;

use super::Rewriter;
use crate::{Action, Update, snbt, write::actor::Tracked};

impl<'a> Rewriter<'a> {
    pub(super) fn update(&mut self, id: i32, update: Update<'a>) {
        match update {
            Update::None => return,
            Update::Add { nbt, position } => return self.add(id, nbt, position),
            Update::Dismount => self.vehicle = None,
            Update::Remove | Update::Kill | Update::Hurt | Update::Mount => {
                let Some(entity) = self.entities.get_mut(&id) else {
                    return self.count_unknown(Some(id));
                };
                match update {
                    Update::Remove => {
                        self.entities.remove(&id);
                        self.vehicle = self.vehicle.filter(|vehicle| *vehicle != id);
                    }
                    Update::Kill => {
                        entity.died.get_or_insert(self.frame);
                    }
                    Update::Mount => self.vehicle = Some(id),
                    _ => {}
                }
            }
        }
        self.write(None, &Action::Update { entity: id, update });
    }

    fn add(&mut self, id: i32, nbt: Cow<'a, str>, position: DVec3) {
        if self.entities.contains_key(&id) || !position.is_finite() {
            return;
        }
        let tag = snbt::entity_tag(&nbt);
        let kind = tag.id.unwrap_or_default();
        if self.how.entities.as_ref().is_some_and(|filter| !filter.plays(&kind, &tag.tags)) {
            self.counts.entities += u32::from(self.left_out.insert(id));
            return;
        }
        let renamed = self.how.kinds.iter().find(|(from, _)| *from == kind);
        let nbt = match renamed {
            Some((_, to)) => {
                self.counts.renamed += 1;
                snbt::with_id(&nbt, to).into()
            }
            None => nbt,
        };
        let [yaw, pitch] = tag.rotation.unwrap_or_default();
        let mut entity = Tracked::new(position, [pitch, yaw, yaw]);
        self.added += 1;
        entity.order = self.added;
        entity.nbt = nbt.clone();
        self.entities.insert(id, entity);
        self.write(None, &Action::Update { entity: id, update: Update::Add { nbt, position } });
    }
}
