//! Decoding of files to clips.

use mutoscope_core::{ReadOptions, clip::FormatId, diagnostics::SourceLocation};

use super::uses;

/// Decodes bytes as `format`, or as the recognised format, and runs every query of the clip.
fn decode(bytes: &[u8], format: Option<FormatId>) {
    let request = ReadOptions { format, ..ReadOptions::from(mutoscope_cli::registry()) };
    match mutoscope_core::decode(bytes, &request) {
        Ok(clip) => {
            uses::query_clip(&clip, bytes);
            // If the file allows several variants, also decode the last one of each.
            for variants in &clip.variants {
                let Some(name) = variants.names.last().cloned() else { continue };
                let request = request.clone().with_variant(variants.label, &name);
                if let Ok(chosen) = mutoscope_core::decode(bytes, &request) {
                    uses::query_clip(&chosen, bytes);
                }
            }
        }
        Err(failure) => {
            assert!(!failure.error.message().is_empty());
            if let SourceLocation::Bytes(range) = failure.error.location() {
                assert!(range.start <= bytes.len() as u64, "{failure}");
            }
            failure
                .diagnostics
                .iter()
                .for_each(|diagnostic| assert!(!diagnostic.message.is_empty()));
        }
    }
}

macro_rules! decoders {
    ($($name:ident: $format:expr,)*) => {
        $(pub(super) fn $name(bytes: &[u8]) {
            decode(bytes, $format);
        })*
    };
}

decoders! {
    mrtk: Some(FormatId::MRTK),
    maya: Some(FormatId::MAYA),
    animj: Some(FormatId::ANIMJ),
    animx: Some(FormatId::ANIMX),
    prime: Some(FormatId::PRIME),
    mcmocap: Some(mutoscope_minecraft::FORMAT_ID),
    gltf: Some(FormatId::GLTF),
    bvh: Some(FormatId::BVH),
    table: Some(mutoscope_logs::FORMAT_ID),
    mcap: Some(FormatId::new("mcap")),
    any: None,
}
