//! Reads a character as a skeleton, for animations that lie outside of the character's archive.

use super::{Character, FileKind, Library, fetch::fetch_decoded, open::load_skeleton, open_model};
use crate::{
    clip::Model,
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::{
        Recognition, SkeletonFormat,
        prime::{
            archive::{ResourceType, Resources},
            codes,
        },
    },
    io::bytes::Sidecars,
    skeleton_file::{SkeletonContent, SkeletonKind, SkeletonSpace},
};

/// Reads the first character with a skeleton from an archive or a character set, together with the
/// character's model.
///
/// Recognition is never certain, because such files are primarily recordings. We look for a
/// skeleton in them only if the user asks for one.
pub(in crate::formats) const CHARACTER_SKELETON: SkeletonFormat = SkeletonFormat {
    kind: SkeletonKind::CINF,
    extensions: &["ancs", "pak"],
    is_kept_with_recordings: false,
    space: SkeletonSpace { up: None, mirror: None },
    recognise: |bytes| match FileKind::detect(bytes, None) {
        Some(FileKind::Archive | FileKind::Characters) => Recognition::Plausible,
        _ => Recognition::No,
    },
    decode: decode_first_character,
};

fn decode_first_character(
    bytes: &[u8],
    sidecars: &dyn Sidecars,
    diagnostics: &mut Diagnostics,
) -> Result<SkeletonContent, Error> {
    let kind = FileKind::detect(bytes, None).unwrap_or(FileKind::Archive);
    let library = Library::decode(bytes, kind, "")?;
    diagnostics.extend(library.diagnostics.clone());
    library.with_resources(bytes, sidecars, |resources| {
        let mut characters = library.characters().map(|(_, character)| character);
        let found =
            characters.find_map(|one| Some((one, read_skeleton(one, resources, diagnostics)?)));
        let Some((character, skeleton)) = found else {
            let message = "no character in the file has a readable skeleton";
            return Err(Error::unsupported(SourceLocation::File, message));
        };
        if library.characters().count() > 1 {
            let message =
                format!("using the first character with a skeleton, {:?}", character.name);
            diagnostics
                .info(codes::CHARACTER_CHOSEN, SourceLocation::File, message)
                .with("character", character.name.as_str());
        }
        Ok(skeleton)
    })
}

fn read_skeleton(
    character: &Character,
    resources: &dyn Resources,
    diagnostics: &mut Diagnostics,
) -> Option<SkeletonContent> {
    let referrer = format!("{:?}", character.name);
    let id = character.skeleton?;
    let skeleton = fetch_decoded(
        resources,
        ResourceType::CINF,
        id,
        &referrer,
        diagnostics,
        |bytes, diagnostics| load_skeleton(bytes, &format!("CINF {id}"), diagnostics),
    )?;
    let assembled = open_model(character, resources, &skeleton, diagnostics);
    let model = assembled.map(|assembled| Model::clone(&assembled.model)).unwrap_or_default();
    Some(SkeletonContent { nodes: skeleton.nodes, model, humanoid: None })
}
