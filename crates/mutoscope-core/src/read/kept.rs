//! Skeletons that are kept in the folder of the recordings that go on them.

use crate::{
    formats::{Format, decode_skeleton, extension_of, skeleton_format},
    io::bytes::Sidecars,
    rig::Rig,
};

/// The name of the file in the recording's folder that its extension says is a skeleton for
/// recordings of `format`, if such are kept there and there is just one.
pub(super) fn skeleton_name(format: &Format, sidecars: &dyn Sidecars) -> Option<String> {
    let row = format.rig.and_then(skeleton_format).filter(|row| row.is_kept_with_recordings)?;
    let is_skeleton = |name: &String| {
        let own = extension_of(name);
        own.is_some_and(|own| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(own)))
    };
    let mut skeletons = sidecars.names().into_iter().filter(is_skeleton);
    match (skeletons.next(), skeletons.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The skeleton in the file of this name, or why there is none.
pub(super) fn skeleton(name: &str, sidecars: &dyn Sidecars) -> Result<Rig, String> {
    let bytes = sidecars.read(name).map_err(|error| format!("cannot be read: {error}"))?;
    decode_skeleton(&bytes, name, sidecars).map_err(|error| format!("as a skeleton: {error}"))
}
