//! A character as a skeleton: for animations that lie outside of its archive.

use super::{Character, FileKind, Library, fetch::fetch, open::decode_rig, open_model};
use crate::{
    clip::Model,
    diagnostics::{Error, Notices, SourceLocation},
    formats::{
        Recognition, SkeletonFormat,
        prime::archive::{ResourceType, Resources},
    },
    io::bytes::Sidecars,
    rig::{RigContent, RigKind, RigSpace},
};

/// The row in [`SKELETON_FORMATS`](crate::formats::SKELETON_FORMATS): of an archive or of a set of
/// characters, the first that has a skeleton, with the model that it wears.
///
/// It is never certain, because such files are recordings first: only who is asked for a skeleton
/// looks for one in them.
pub(in crate::formats) const CHARACTER_RIG: SkeletonFormat = SkeletonFormat {
    kind: RigKind::CINF,
    extensions: &["ancs", "pak"],
    is_kept_with_recordings: false,
    space: RigSpace { up: None, mirror: None },
    recognise: |bytes| match FileKind::of(bytes, None) {
        Some(FileKind::Archive | FileKind::Characters) => Recognition::Plausible,
        _ => Recognition::No,
    },
    decode,
};

fn decode(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    notices: &mut Notices,
) -> Result<RigContent, Error> {
    let kind = FileKind::of(bytes, None).unwrap_or(FileKind::Archive);
    let library = Library::decode(bytes, kind, "")?;
    notices.extend(library.notices.clone());
    library.with_resources(bytes, sidecars, |resources| {
        let mut characters = library.characters().map(|(_, character)| character);
        let worn = characters.find_map(|one| Some((one, rig_of(one, resources, notices)?)));
        let Some((character, worn)) = worn else {
            let message = "no character in it has a skeleton that can be read";
            return Err(Error::unsupported(SourceLocation::File, message));
        };
        if library.characters().count() > 1 {
            let message = format!("using the first character that has one, {:?}", character.name);
            notices.info(SourceLocation::File, message);
        }
        Ok(worn)
    })
}

/// The skeleton of a character and what it wears.
fn rig_of(
    character: &Character,
    resources: &dyn Resources,
    notices: &mut Notices,
) -> Option<RigContent> {
    let by = format!("{:?}", character.name);
    let key = (ResourceType::CINF, character.rig?);
    let rig = fetch(resources, key, &by, notices, |bytes, notices| {
        decode_rig(bytes, &format!("CINF {}", key.1), notices)
    })?;
    let worn = open_model(character, resources, &rig, notices);
    let model = worn.map(|worn| Model::clone(&worn.model)).unwrap_or_default();
    Some(RigContent { nodes: rig.nodes, model, humanoid: None })
}
