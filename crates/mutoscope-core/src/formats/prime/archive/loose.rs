//! Finds resources among the files of a folder, as extraction tools leave them.

use std::{collections::HashMap, fmt};

use super::{AssetId, Resource, ResourceLocation, ResourceType, Resources};
use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Sidecars,
};

/// The files of a folder, found by the ids in their names: `1A2B3C4D.CMDL`, `Samus_1A2B3C4D.CMDL`.
pub struct LooseFiles<'a> {
    by_id: HashMap<(ResourceType, AssetId), String>,
    stand_ins: HashMap<ResourceType, String>,
    sidecars: &'a dyn Sidecars,
}

impl fmt::Debug for LooseFiles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LooseFiles").field("by_id", &self.by_id).finish_non_exhaustive()
    }
}

impl<'a> LooseFiles<'a> {
    /// Lists the resources among `sidecars`. A file is only read when the resource is requested. If
    /// several files have the same type and id, the alphabetically first file is used.
    pub fn new(sidecars: &'a dyn Sidecars) -> Self {
        let mut names = sidecars.names();
        names.sort_unstable();
        let (mut by_id, mut nameless) = (HashMap::new(), HashMap::<_, Vec<String>>::new());
        for name in names {
            let extension = name.rsplit_once('.').map(|(_, extension)| extension);
            let Some(kind) = extension.and_then(ResourceType::from_extension) else { continue };
            match AssetId::from_file_name(&name) {
                Some(id) => drop(by_id.entry((kind, id)).or_insert(name)),
                None => nameless.entry(kind).or_default().push(name),
            }
        }
        let has_ids = |kind: &ResourceType| by_id.keys().any(|(known, _)| known == kind);
        let stand_ins = nameless
            .into_iter()
            .filter(|(kind, names)| names.len() == 1 && !has_ids(kind) && Self::can_stand_in(*kind))
            .filter_map(|(kind, names)| Some((kind, names.into_iter().next()?)))
            .collect();
        Self { by_id, stand_ins, sidecars }
    }

    /// Returns `true` if a file of this type without an id in its name can stand in for any id,
    /// provided that it is the only file of the type in the folder.
    fn can_stand_in(kind: ResourceType) -> bool {
        [ResourceType::CINF, ResourceType::CMDL, ResourceType::CSKR].contains(&kind)
    }

    /// Returns the name of the file that stands in for the resource with this `id`, although the
    /// file name has no id. Returns `None` if there is a file with the id, or if no file can stand
    /// in.
    pub fn stand_in_name(&self, kind: ResourceType, id: AssetId) -> Option<&str> {
        let is_known = self.by_id.contains_key(&(kind, id));
        self.stand_ins.get(&kind).filter(|_| !is_known).map(String::as_str)
    }
}

impl Resources for LooseFiles<'_> {
    fn resource(&self, kind: ResourceType, id: AssetId) -> Option<Resource<'_>> {
        let name = self.by_id.get(&(kind, id)).or_else(|| self.stand_ins.get(&kind))?;
        let location = ResourceLocation::other_file(name);
        Some(match self.sidecars.read(name) {
            Ok(bytes) => Resource { bytes: bytes.into(), location, damage: None },
            Err(error) => {
                let error =
                    Error::unsupported(SourceLocation::File, format!("cannot be read: {error}"));
                let damage = Some(location.translate_error(error));
                Resource { bytes: Vec::new().into(), location, damage }
            }
        })
    }

    fn has(&self, kind: ResourceType, id: AssetId) -> bool {
        self.by_id.contains_key(&(kind, id)) || self.stand_ins.contains_key(&kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::bytes::MemorySidecars;

    #[test]
    fn files_are_found_by_the_ids_in_their_names() {
        let names = ["Samus_0000000A.cmdl", "0000000B.TXTR", "rig.CINF", "notes.txt", "x.ANIM"];
        let sidecars = MemorySidecars::new(names.map(|name| (name.to_owned(), name.as_bytes())));
        let files = LooseFiles::new(&sidecars);
        let id = |number| AssetId::new(number).unwrap();
        let bytes =
            |kind, number| files.resource(kind, id(number)).map(|found| found.bytes.into_owned());
        assert_eq!(bytes(ResourceType::CMDL, 10).as_deref(), Some(&b"Samus_0000000A.cmdl"[..]));
        assert_eq!(bytes(ResourceType::TXTR, 10), None);
        // The only skeleton of a folder stands in for any id, and is reported as assumed.
        // Animations never stand in.
        assert_eq!(bytes(ResourceType::CINF, 99).as_deref(), Some(&b"rig.CINF"[..]));
        assert_eq!(files.stand_in_name(ResourceType::CINF, id(99)), Some("rig.CINF"));
        assert_eq!(files.stand_in_name(ResourceType::CMDL, id(10)), None);
        assert_eq!(bytes(ResourceType::ANIM, 99), None);
    }
}
