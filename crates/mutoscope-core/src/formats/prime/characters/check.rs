//! Reading everything, and reporting all issues.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    Character, Library, SetEvents,
    fetch::{decode_resource, report_missing},
    open::{decode_events, decode_rig, report_timeless},
};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::{
        archive::{Archive, ArchiveResources, AssetId, ResourceLocation, ResourceType, Resources},
        convert::convert,
        decode::decode,
        model::{Cmdl, Cskr, Texture},
    },
    rig::Rig,
};

/// Reads every resource of an archive whose type is known, and follows what characters name. What
/// is wrong comes after what the library noticed.
pub fn check_archive(library: &Library, bytes: &[u8]) -> Notices {
    let mut notices = library.notices.clone();
    let Some(archive) = &library.archive else { return notices };
    let resources = ArchiveResources { archive, bytes };
    let mut checker = Checker::new(&resources);
    for entry in &archive.entries {
        // The sets were read with the library.
        if entry.kind == ResourceType::ANCS || !ResourceType::READ.contains(&entry.kind) {
            continue;
        }
        match AssetId::new(entry.id) {
            Some(id) => checker.read(entry.kind, id),
            None => {
                let message = format!("{}: this id means none; skipped", entry.label());
                checker.notices.warning(entry.place.clone(), message);
            }
        }
    }
    for named in &archive.names {
        let is_read = ResourceType::READ.contains(&named.kind);
        let is_there = AssetId::new(named.id).is_none_or(|id| resources.has(named.kind, id));
        if is_read && !is_there {
            let message = format!(
                "{} {:08X}: named {:?}, but not found here. It may be in another archive",
                named.kind, named.id, named.name
            );
            checker.notices.warning(named.place.clone(), message);
        }
    }
    checker.copies(archive, bytes);
    checker.library(library);
    notices.extend(checker.notices);
    notices
}

/// Follows what the characters of an ANCS name among `resources`.
pub fn check_library(library: &Library, resources: &dyn Resources) -> Notices {
    let mut notices = library.notices.clone();
    let mut checker = Checker::new(resources);
    checker.library(library);
    notices.extend(checker.notices);
    notices
}

/// Reads a file of this type that is not in an archive; a skin's bones are looked for in `rig`.
///
/// # Errors
/// If nothing can be kept of it.
pub fn check_resource(
    kind: ResourceType,
    bytes: &[u8],
    rig: Option<&Rig>,
    notices: &mut Notices,
) -> Result<(), Error> {
    match kind {
        ResourceType::CMDL => Cmdl::decode(bytes, notices).map(drop),
        ResourceType::TXTR => Texture::decode(bytes, notices).map(drop),
        ResourceType::EVNT => decode_events(bytes, notices).map(drop),
        ResourceType::CSKR => {
            let skin = Cskr::decode(bytes, notices)?;
            if let Some(rig) = rig {
                let lacks = lacking(&bones_of(&skin), &ids_of(rig));
                report_lacking(&lacks, &rig.name, notices);
            }
            Ok(())
        }
        _ => {
            let message = format!("{kind} is not checked alone");
            Err(Error::unsupported(SourceLocation::File, message))
        }
    }
}

/// The facts about a model that decide whether a skin fits it.
#[derive(Clone, Copy, Debug)]
struct ModelFacts {
    /// How many positions its triangles use.
    used: u64,
    /// How many it has, with those that are padding.
    positions: u64,
}

/// The facts about a skin that decide whether it fits a model.
#[derive(Clone, Debug)]
struct SkinFacts {
    total: u64,
    bones: BTreeSet<u32>,
}

/// Reads each resource once, and keeps of it what is needed to see what fits.
struct Checker<'a> {
    resources: &'a dyn Resources,
    models: HashMap<AssetId, Option<ModelFacts>>,
    skins: HashMap<AssetId, Option<SkinFacts>>,
    rigs: HashMap<AssetId, Option<HashSet<u32>>>,
    missing: HashSet<(ResourceType, AssetId)>,
    fits: HashSet<(Option<AssetId>, Option<AssetId>, Option<AssetId>)>,
    notices: Notices,
}

impl<'a> Checker<'a> {
    fn new(resources: &'a dyn Resources) -> Self {
        Self {
            resources,
            models: HashMap::new(),
            skins: HashMap::new(),
            rigs: HashMap::new(),
            missing: HashSet::new(),
            fits: HashSet::new(),
            notices: Notices::new(),
        }
    }

    /// Reads a resource, if it was not read before.
    fn read(&mut self, kind: ResourceType, id: AssetId) {
        match kind {
            ResourceType::CMDL => drop(self.model(id)),
            ResourceType::CSKR => drop(self.skin(id)),
            ResourceType::CINF => drop(self.rig(id)),
            ResourceType::TXTR => drop(self.decoded(kind, id, Texture::decode)),
            ResourceType::EVNT => drop(self.decoded(kind, id, decode_events)),
            ResourceType::ANIM => {
                let events = self.decoded(kind, id, |bytes, notices| {
                    let mut document = decode(bytes, None, notices)?;
                    let events = document.events.take();
                    convert(&document, notices);
                    Ok(events)
                });
                let events = events.flatten().and_then(AssetId::new);
                self.expect(ResourceType::EVNT, events, || format!("ANIM {id}"));
            }
            _ => {}
        }
    }

    fn decoded<T>(
        &mut self,
        kind: ResourceType,
        id: AssetId,
        decode: impl FnOnce(&[u8], &mut Notices) -> Result<T, Error>,
    ) -> Option<T> {
        let resource = self.resources.resource(kind, id)?;
        decode_resource(&resource, &mut self.notices, decode)
    }

    fn model(&mut self, id: AssetId) -> Option<ModelFacts> {
        if let Some(known) = self.models.get(&id) {
            return *known;
        }
        let model = self.decoded(ResourceType::CMDL, id, Cmdl::decode);
        for set in model.iter().flat_map(|model| &model.material_sets) {
            for texture in &set.textures {
                self.expect(ResourceType::TXTR, *texture, || format!("CMDL {id}"));
            }
        }
        let facts = model.map(|model| {
            let corners = model.surfaces.iter().flat_map(|surface| {
                let used = surface.triangles.iter().flatten();
                used.map(|&at| surface.corners[at as usize].position)
            });
            let used = corners.map(|position| u64::from(position) + 1).max().unwrap_or(0);
            ModelFacts { used, positions: model.positions.len() as u64 }
        });
        self.models.insert(id, facts);
        facts
    }

    fn skin(&mut self, id: AssetId) -> Option<SkinFacts> {
        if !self.skins.contains_key(&id) {
            let skin = self.decoded(ResourceType::CSKR, id, Cskr::decode);
            let facts = skin.map(|skin| SkinFacts { total: skin.total(), bones: bones_of(&skin) });
            self.skins.insert(id, facts);
        }
        self.skins.get(&id).cloned().flatten()
    }

    fn rig(&mut self, id: AssetId) -> Option<HashSet<u32>> {
        if !self.rigs.contains_key(&id) {
            let name = format!("CINF {id}");
            let rig = self.decoded(ResourceType::CINF, id, |bytes, notices| {
                decode_rig(bytes, &name, notices)
            });
            self.rigs.insert(id, rig.map(|rig| ids_of(&rig)));
        }
        self.rigs.get(&id).cloned().flatten()
    }

    /// Says once if a resource that is named `by` another is not there.
    fn expect(&mut self, kind: ResourceType, id: Option<AssetId>, by: impl FnOnce() -> String) {
        let Some(id) = id else { return };
        if !self.resources.has(kind, id) && self.missing.insert((kind, id)) {
            report_missing((kind, id), &by(), &mut self.notices);
        }
    }

    /// Follows what all characters and animations name.
    fn library(&mut self, library: &Library) {
        for set in &library.sets {
            for character in &set.ancs.characters {
                self.character(character, &set.location);
            }
            for animation in &set.ancs.animations {
                for leaf in animation.tree.leaves() {
                    self.expect(ResourceType::ANIM, leaf.animation, || {
                        format!("{:?}", animation.name)
                    });
                }
            }
            match &set.ancs.events {
                SetEvents::Files(files) => {
                    for (_, events) in files {
                        self.expect(ResourceType::EVNT, *events, || "the ANCS".to_owned());
                    }
                }
                SetEvents::Inline(lists) => {
                    let mut own = Notices::new();
                    lists.iter().for_each(|list| report_timeless(list, &mut own));
                    self.notices.extend(own.into_iter().map(|notice| set.location.notice(notice)));
                }
            }
        }
    }

    fn character(&mut self, character: &Character, location: &ResourceLocation) {
        let place = location.place(&character.place);
        let Character { name, model, skin, rig, .. } = character;
        let named =
            [(ResourceType::CMDL, *model), (ResourceType::CSKR, *skin), (ResourceType::CINF, *rig)];
        for (kind, id) in named {
            match id {
                Some(_) => self.expect(kind, id, || format!("{name:?}")),
                None => self.notices.warning(place.clone(), format!("{name:?} names no {kind}")),
            }
        }
        let by = || format!("{name:?}, when frozen");
        self.expect(ResourceType::CMDL, character.overlay_model, by);
        self.expect(ResourceType::CSKR, character.overlay_skin, by);
        if !self.fits.insert((*model, *skin, *rig)) {
            return;
        }
        let model = model.and_then(|id| self.model(id));
        let rig = rig.and_then(|id| Some((id, self.rig(id)?)));
        let Some(skin) = skin.and_then(|id| self.skin(id)) else { return };
        if let Some((id, bones)) = rig {
            report_lacking(&lacking(&skin.bones, &bones), &format!("CINF {id}"), &mut self.notices);
        }
        if let Some(ModelFacts { used, positions }) = model {
            let total = skin.total;
            if total < used {
                let message = format!(
                    "{name:?}: its skin has groups for {total} positions, its model uses {used}; the \
                     others move with the root"
                );
                self.notices.error(place, message);
            } else if total > positions {
                let message = format!(
                    "{name:?}: its skin has groups for {total} positions, its model has {positions}: \
                     it may be that of another model"
                );
                self.notices.warning(place, message);
            }
        }
    }

    /// Resources that are in an archive several times should be the same each time.
    fn copies(&mut self, archive: &Archive, bytes: &[u8]) {
        // Rows may overlap, so that comparing all of a small archive could take for ever.
        let mut left = bytes.len();
        for copy in &archive.copies {
            let first = AssetId::new(copy.id).and_then(|id| archive.find(copy.kind, id));
            let Some(first) = first.filter(|first| first.stored != copy.stored) else { continue };
            let (one, other) = (first.stored_bytes(bytes), copy.stored_bytes(bytes));
            let Some(rest) = left.checked_sub(other.len()) else { return };
            left = rest;
            if one != other {
                let message =
                    format!("{}: it differs from the one before; using that", copy.label());
                self.notices.warning(copy.place.clone(), message);
            }
        }
    }
}

fn bones_of(skin: &Cskr) -> BTreeSet<u32> {
    skin.groups.iter().flat_map(|group| &group.weights).map(|(bone, _)| *bone).collect()
}

fn ids_of(rig: &Rig) -> HashSet<u32> {
    rig.nodes.iter().filter_map(|node| node.id).collect()
}

fn lacking(bones: &BTreeSet<u32>, rig: &HashSet<u32>) -> Vec<u32> {
    bones.iter().copied().filter(|bone| !rig.contains(bone)).collect()
}

fn report_lacking(lacking: &[u32], rig: &str, notices: &mut Notices) {
    /// How many bones are named.
    const MOST: usize = 8;
    if lacking.is_empty() {
        return;
    }
    let ids: Vec<_> = lacking.iter().take(MOST).map(u32::to_string).collect();
    let more = if lacking.len() > MOST { ", …" } else { "" };
    let message =
        format!("the skin names bones that {rig} lacks: {}{more}; using the root", ids.join(", "));
    notices.error(SourceLocation::File, message);
}
