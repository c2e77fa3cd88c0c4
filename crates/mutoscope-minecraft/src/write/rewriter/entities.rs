//! Rewrites the updates of entities.

use std::borrow::Cow;

use glam::DVec3;

use super::Rewriter;
use crate::{Action, Update, snbt, write::actor::RewrittenActor};

impl<'a> Rewriter<'a> {
    pub(super) fn rewrite_update(&mut self, id: i32, update: Update<'a>) {
        match update {
            Update::None => return,
            Update::Add { nbt, position } => return self.rewrite_add(id, nbt, position),
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
                        entity.death_frame.get_or_insert(self.frame);
                    }
                    Update::Mount => self.vehicle = Some(id),
                    _ => {}
                }
            }
        }
        self.write_action(None, &Action::Update { entity: id, update });
    }

    fn rewrite_add(&mut self, id: i32, nbt: Cow<'a, str>, position: DVec3) {
        if self.entities.contains_key(&id) || !position.is_finite() {
            return;
        }
        let tag = snbt::parse_entity_tag(&nbt);
        let kind = tag.id.unwrap_or_default();
        if self.options.entities.as_ref().is_some_and(|filter| !filter.plays(&kind, &tag.tags)) {
            self.counts.filtered_entities += u32::from(self.filtered_out.insert(id));
            return;
        }
        let renamed = self.options.kinds.iter().find(|(from, _)| *from == kind);
        let nbt = match renamed {
            Some((_, to)) => {
                self.counts.renamed_entities += 1;
                snbt::replace_id(&nbt, to).into()
            }
            None => nbt,
        };
        let [yaw, pitch] = tag.rotation.unwrap_or_default();
        let mut entity = RewrittenActor::new(position, [pitch, yaw, yaw]);
        self.added_count += 1;
        entity.order = self.added_count;
        entity.nbt = nbt.clone();
        self.entities.insert(id, entity);
        self.write_action(
            None,
            &Action::Update { entity: id, update: Update::Add { nbt, position } },
        );
    }
}
