//! Reading a resource, and reporting its issues.

use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::archive::{AssetId, Resource, ResourceType, Resources},
};

/// Reads and decodes a resource that is named `by` another, as far as it goes; issues go to
/// `notices`, in terms of the file that it is in. `None` if there is none, or it cannot be decoded.
pub(super) fn fetch<T>(
    resources: &dyn Resources,
    (kind, id): (ResourceType, AssetId),
    by: &str,
    notices: &mut Notices,
    decode: impl FnOnce(&[u8], &mut Notices) -> Result<T, Error>,
) -> Option<T> {
    match resources.resource(kind, id) {
        None => {
            report_missing((kind, id), by, notices);
            None
        }
        Some(resource) => decode_resource(&resource, notices, decode),
    }
}

/// An id that is nowhere may be in another archive.
pub(super) fn report_missing((kind, id): (ResourceType, AssetId), by: &str, notices: &mut Notices) {
    let message = format!(
        "{kind} {id}, named by {by}: not found here; skipped. It may be in another archive"
    );
    notices.warning(SourceLocation::File, message);
}

/// The same for a resource that was found.
pub(super) fn decode_resource<T>(
    resource: &Resource,
    notices: &mut Notices,
    decode: impl FnOnce(&[u8], &mut Notices) -> Result<T, Error>,
) -> Option<T> {
    let Resource { bytes, location, damage } = resource;
    if let Some(damage) = damage {
        notices.error(damage.place().clone(), damage.message());
    }
    let mut own = Notices::new();
    let decoded = decode(bytes, &mut own);
    // Damaged bytes explain all further issues.
    if damage.is_none() {
        notices.extend(own.into_iter().map(|notice| location.notice(notice)));
        if let Err(error) = &decoded {
            let error = location.error(error.clone());
            notices.error(error.place().clone(), error.message());
        }
    }
    decoded.ok()
}
