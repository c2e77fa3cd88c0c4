//! Skeletons that are kept in the folder of the recordings that use them.

use crate::{
    formats::{Format, decode_skeleton, extension_of, skeleton_format},
    io::bytes::Sidecars,
    skeleton_file::LoadedSkeleton,
};

/// Returns the name of the only file in the folder of the recording that has the extension of a
/// skeleton. `None` if there are no or several such files, or if the skeletons of `format` are not
/// kept with recordings.
pub(super) fn kept_skeleton_name(format: &Format, sidecars: &dyn Sidecars) -> Option<String> {
    let row =
        format.skeleton_kind.and_then(skeleton_format).filter(|row| row.is_kept_with_recordings)?;
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

pub(super) fn decode_kept_skeleton(
    name: &str,
    sidecars: &dyn Sidecars,
) -> Result<LoadedSkeleton, String> {
    let bytes = sidecars.read(name).map_err(|error| format!("cannot be read: {error}"))?;
    decode_skeleton(&bytes, name, sidecars).map_err(|error| format!("as a skeleton: {error}"))
}
