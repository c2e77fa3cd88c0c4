//! Reads all resources and reports all problems, for `mutoscope check`.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{
    Character, Library, SetEvents,
    fetch::{decode_resource, report_missing},
    open::{decode_events, load_skeleton, report_non_finite_times},
};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{
        archive::{Archive, ArchiveResources, AssetId, ResourceLocation, ResourceType, Resources},
        codes,
        convert::convert,
        decode::decode,
        model::{Cmdl, Cskr, PositionCounts, Texture, report_missing_bones},
    },
    skeleton_file::LoadedSkeleton,
};

/// Checks the resources of an archive. Returns the problems from opening the library, followed by
/// the problems that the checks find.
pub fn check_archive(library: &Library, bytes: &[u8]) -> Diagnostics {
    let mut diagnostics = library.diagnostics.clone();
    let Some(archive) = &library.archive else { return diagnostics };
    let resources = ArchiveResources { archive, bytes };
    let mut checker = Checker::new(&resources);
    for entry in &archive.entries {
        // Skip the character sets, because opening the library has already read them.
        if entry.kind == ResourceType::ANCS || !ResourceType::SUPPORTED.contains(&entry.kind) {
            continue;
        }
        match AssetId::new(entry.id) {
            Some(id) => checker.read_resource(entry.kind, id),
            None => {
                let message = format!("{}: this id stands for no resource; skipped", entry.label());
                checker
                    .diagnostics
                    .warning(codes::RESOURCE_INVALID, entry.location.clone(), message)
                    .with("id", entry.id);
            }
        }
    }
    for named in &archive.names {
        let is_read = ResourceType::SUPPORTED.contains(&named.kind);
        let is_there = AssetId::new(named.id).is_none_or(|id| resources.has(named.kind, id));
        if is_read && !is_there {
            let message = format!(
                "{} {:08X}, named {:?}: not found; the resource may be in another archive",
                named.kind, named.id, named.name
            );
            checker
                .diagnostics
                .warning(codes::RESOURCE_MISSING, named.location.clone(), message)
                .with("type", named.kind.to_string())
                .with("id", format!("{:08X}", named.id));
        }
    }
    checker.check_copies(archive, bytes);
    checker.check_sets(library);
    diagnostics.extend(checker.diagnostics);
    diagnostics
}

/// Checks that `resources` contains what the characters in an ANCS refer to. Returns the problems
/// from opening the library, followed by the problems that the checks find.
pub fn check_library(library: &Library, resources: &dyn Resources) -> Diagnostics {
    let mut diagnostics = library.diagnostics.clone();
    let mut checker = Checker::new(resources);
    checker.check_sets(library);
    diagnostics.extend(checker.diagnostics);
    diagnostics
}

/// Checks a file of type `kind` that is not in an archive. A skin is checked against the bones of
/// `skeleton`, if there is one. Problems are added to `diagnostics`.
///
/// # Errors
/// If the file cannot be read at all, or cannot be checked alone.
pub fn check_resource(
    kind: ResourceType,
    bytes: &[u8],
    skeleton: Option<&LoadedSkeleton>,
    diagnostics: &mut Diagnostics,
) -> Result<(), Error> {
    match kind {
        ResourceType::CMDL => Cmdl::decode(bytes, diagnostics).map(drop),
        ResourceType::TXTR => Texture::decode(bytes, diagnostics).map(drop),
        ResourceType::EVNT => decode_events(bytes, diagnostics).map(drop),
        ResourceType::CSKR => {
            let skin = Cskr::decode(bytes, diagnostics)?;
            if let Some(skeleton) = skeleton {
                let lacks = missing_bones(&skin_bone_ids(&skin), &bone_ids(skeleton));
                report_missing_bones(&lacks, &skeleton.name, diagnostics);
            }
            Ok(())
        }
        _ => {
            let message = format!("cannot check {kind} on its own");
            Err(Error::unsupported(SourceLocation::File, message))
        }
    }
}

#[derive(Clone, Debug)]
struct SkinFacts {
    position_count: u64,
    bones: BTreeSet<u32>,
}

struct Checker<'a> {
    resources: &'a dyn Resources,
    models: HashMap<AssetId, Option<PositionCounts>>,
    skins: HashMap<AssetId, Option<SkinFacts>>,
    skeletons: HashMap<AssetId, Option<HashSet<u32>>>,
    missing: HashSet<(ResourceType, AssetId)>,
    checked_fits: HashSet<(Option<AssetId>, Option<AssetId>, Option<AssetId>)>,
    diagnostics: Diagnostics,
}

impl<'a> Checker<'a> {
    fn new(resources: &'a dyn Resources) -> Self {
        Self {
            resources,
            models: HashMap::new(),
            skins: HashMap::new(),
            skeletons: HashMap::new(),
            missing: HashSet::new(),
            checked_fits: HashSet::new(),
            diagnostics: Diagnostics::new(),
        }
    }

    fn read_resource(&mut self, kind: ResourceType, id: AssetId) {
        match kind {
            ResourceType::CMDL => drop(self.model_facts(id)),
            ResourceType::CSKR => drop(self.skin_facts(id)),
            ResourceType::CINF => drop(self.skeleton_bone_ids(id)),
            ResourceType::TXTR => drop(self.decode_with(kind, id, Texture::decode)),
            ResourceType::EVNT => drop(self.decode_with(kind, id, decode_events)),
            ResourceType::ANIM => {
                let events = self.decode_with(kind, id, |bytes, diagnostics| {
                    let mut document = decode(bytes, None, diagnostics)?;
                    let events = document.events.take();
                    convert(&document, diagnostics);
                    Ok(events)
                });
                let events = events.flatten().and_then(AssetId::new);
                self.report_if_missing(ResourceType::EVNT, events, || format!("ANIM {id}"));
            }
            _ => {}
        }
    }

    fn decode_with<T>(
        &mut self,
        kind: ResourceType,
        id: AssetId,
        decode: impl FnOnce(&[u8], &mut Diagnostics) -> Result<T, Error>,
    ) -> Option<T> {
        let resource = self.resources.resource(kind, id)?;
        decode_resource(&resource, &mut self.diagnostics, decode)
    }

    fn model_facts(&mut self, id: AssetId) -> Option<PositionCounts> {
        if let Some(known) = self.models.get(&id) {
            return *known;
        }
        let model = self.decode_with(ResourceType::CMDL, id, Cmdl::decode);
        for set in model.iter().flat_map(|model| &model.material_sets) {
            for texture in &set.textures {
                self.report_if_missing(ResourceType::TXTR, *texture, || format!("CMDL {id}"));
            }
        }
        let facts = model.as_ref().map(PositionCounts::new);
        self.models.insert(id, facts);
        facts
    }

    fn skin_facts(&mut self, id: AssetId) -> Option<SkinFacts> {
        if !self.skins.contains_key(&id) {
            let skin = self.decode_with(ResourceType::CSKR, id, Cskr::decode);
            let facts = skin.map(|skin| SkinFacts {
                position_count: skin.position_count(),
                bones: skin_bone_ids(&skin),
            });
            self.skins.insert(id, facts);
        }
        self.skins.get(&id).cloned().flatten()
    }

    fn skeleton_bone_ids(&mut self, id: AssetId) -> Option<HashSet<u32>> {
        if !self.skeletons.contains_key(&id) {
            let name = format!("CINF {id}");
            let skeleton = self.decode_with(ResourceType::CINF, id, |bytes, diagnostics| {
                load_skeleton(bytes, &name, diagnostics)
            });
            self.skeletons.insert(id, skeleton.map(|skeleton| bone_ids(&skeleton)));
        }
        self.skeletons.get(&id).cloned().flatten()
    }

    fn report_if_missing(
        &mut self,
        kind: ResourceType,
        id: Option<AssetId>,
        referrer: impl FnOnce() -> String,
    ) {
        let Some(id) = id else { return };
        if !self.resources.has(kind, id) && self.missing.insert((kind, id)) {
            report_missing(kind, id, &referrer(), &mut self.diagnostics);
        }
    }

    fn check_sets(&mut self, library: &Library) {
        for set in &library.sets {
            for character in &set.ancs.characters {
                self.check_character(character, &set.location);
            }
            for animation in &set.ancs.animations {
                for leaf in animation.tree.leaves() {
                    self.report_if_missing(ResourceType::ANIM, leaf.animation, || {
                        format!("{:?}", animation.name)
                    });
                }
            }
            match &set.ancs.events {
                SetEvents::Files(files) => {
                    for (_, events) in files {
                        self.report_if_missing(ResourceType::EVNT, *events, || {
                            "the ANCS".to_owned()
                        });
                    }
                }
                SetEvents::Inline(lists) => {
                    let mut own = Diagnostics::new();
                    lists.iter().for_each(|list| report_non_finite_times(list, &mut own));
                    self.diagnostics.extend(
                        own.into_iter()
                            .map(|diagnostic| set.location.translate_diagnostic(diagnostic)),
                    );
                }
            }
        }
    }

    fn check_character(&mut self, character: &Character, location: &ResourceLocation) {
        let location = location.translate(&character.location);
        let Character { name, model, skin, skeleton, .. } = character;
        let named = [
            (ResourceType::CMDL, *model),
            (ResourceType::CSKR, *skin),
            (ResourceType::CINF, *skeleton),
        ];
        for (kind, id) in named {
            match id {
                Some(_) => self.report_if_missing(kind, id, || format!("{name:?}")),
                None => {
                    let message = format!("{name:?} has no {kind}");
                    self.diagnostics
                        .warning(codes::CHARACTER_INCOMPLETE, location.clone(), message)
                        .with("character", name.as_str())
                        .with("type", kind.to_string());
                }
            }
        }
        let referrer = || format!("{name:?}, when frozen");
        self.report_if_missing(ResourceType::CMDL, character.overlay_model, referrer);
        self.report_if_missing(ResourceType::CSKR, character.overlay_skin, referrer);
        if !self.checked_fits.insert((*model, *skin, *skeleton)) {
            return;
        }
        let model = model.and_then(|id| self.model_facts(id));
        let skeleton = skeleton.and_then(|id| Some((id, self.skeleton_bone_ids(id)?)));
        let Some(skin) = skin.and_then(|id| self.skin_facts(id)) else { return };
        if let Some((id, bones)) = skeleton {
            report_missing_bones(
                &missing_bones(&skin.bones, &bones),
                &format!("CINF {id}"),
                &mut self.diagnostics,
            );
        }
        if let Some(positions) = model {
            let prefix = format!("{name:?}: ");
            positions.check_skin(skin.position_count, location, &prefix, &mut self.diagnostics);
        }
    }

    /// Reports copies of a resource that differ from the first copy in the archive.
    fn check_copies(&mut self, archive: &Archive, bytes: &[u8]) {
        // Limit the compared bytes to the size of the archive. Otherwise a small archive with
        // overlapping rows could keep the check busy for hours.
        let mut left = bytes.len();
        for copy in &archive.copies {
            let first = AssetId::new(copy.id).and_then(|id| archive.find(copy.kind, id));
            let Some(first) = first.filter(|first| first.stored != copy.stored) else { continue };
            let (one, other) = (first.stored_bytes(bytes), copy.stored_bytes(bytes));
            let Some(rest) = left.checked_sub(other.len()) else { return };
            left = rest;
            if one != other {
                let message = format!(
                    "{}: this copy differs from the first one; using the first",
                    copy.label()
                );
                self.diagnostics.warning(codes::COPIES_DIFFER, copy.location.clone(), message);
            }
        }
    }
}

fn skin_bone_ids(skin: &Cskr) -> BTreeSet<u32> {
    skin.groups.iter().flat_map(|group| &group.weights).map(|(bone, _)| *bone).collect()
}

fn bone_ids(skeleton: &LoadedSkeleton) -> HashSet<u32> {
    skeleton.nodes.iter().filter_map(|node| node.id).collect()
}

fn missing_bones(bones: &BTreeSet<u32>, skeleton: &HashSet<u32>) -> BTreeSet<u32> {
    bones.iter().copied().filter(|bone| !skeleton.contains(bone)).collect()
}
