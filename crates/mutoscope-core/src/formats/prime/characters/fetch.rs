//! Reads and decodes a resource, and reports its problems.

use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{
        archive::{AssetId, Resource, ResourceType, Resources},
        codes,
    },
};

pub(super) fn fetch_decoded<T>(
    resources: &dyn Resources,
    kind: ResourceType,
    id: AssetId,
    referrer: &str,
    diagnostics: &mut Diagnostics,
    decode: impl FnOnce(&[u8], &mut Diagnostics) -> Result<T, Error>,
) -> Option<T> {
    match resources.resource(kind, id) {
        None => {
            report_missing(kind, id, referrer, diagnostics);
            None
        }
        Some(resource) => decode_resource(&resource, diagnostics, decode),
    }
}

/// A missing resource is only a warning, because it may be in another archive.
pub(super) fn report_missing(
    kind: ResourceType,
    id: AssetId,
    referrer: &str,
    diagnostics: &mut Diagnostics,
) {
    let message = format!(
        "{kind} {id}, used by {referrer}: not found; skipped. The resource may be in another archive"
    );
    diagnostics
        .warning(codes::RESOURCE_MISSING, SourceLocation::File, message)
        .with("type", kind.to_string())
        .with("id", id.to_string());
}

pub(super) fn decode_resource<T>(
    resource: &Resource,
    diagnostics: &mut Diagnostics,
    decode: impl FnOnce(&[u8], &mut Diagnostics) -> Result<T, Error>,
) -> Option<T> {
    let Resource { bytes, location, damage } = resource;
    if let Some(damage) = damage {
        diagnostics.error(codes::RESOURCE_DAMAGED, damage.location().clone(), damage.message());
    }
    let mut own_diagnostics = Diagnostics::new();
    let decoded = decode(bytes, &mut own_diagnostics);
    // If the resource is damaged, report only the damage, because it explains all further problems.
    if damage.is_none() {
        let own = own_diagnostics.into_iter();
        diagnostics.extend(own.map(|diagnostic| location.translate_diagnostic(diagnostic)));
        if let Err(error) = &decoded {
            let error = location.translate_error(error.clone());
            diagnostics.error(codes::RESOURCE_DAMAGED, error.location().clone(), error.message());
        }
    }
    decoded.ok()
}
