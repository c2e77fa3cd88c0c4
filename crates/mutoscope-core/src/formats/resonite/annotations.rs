//! The annotations of Resonite's animations.

use super::{
    bindings::{Binding, bindings},
    curves::is_approximate,
};
use crate::clip::{Annotations, AnyCurve, Approximation, Bindings, Clip, FieldBinding};

#[derive(Clone, Copy, Debug)]
pub(super) struct ResoniteAnnotations;

impl Annotations for ResoniteAnnotations {
    fn approximation(&self, curve: &AnyCurve, key: Option<usize>) -> Option<Approximation> {
        let approximation = Approximation { part: "Tangent", reason: "its formula is not public" };
        is_approximate(curve, key).then_some(approximation)
    }

    fn bindings(&self, clip: &Clip) -> Option<Bindings> {
        let field = |binding: &Binding| FieldBinding {
            track: binding.track,
            is_found: binding.field.is_ok(),
            is_driven_by_other_track: binding.is_shifted(),
            text: binding.description(),
        };
        let fields = bindings(clip).iter().map(field).collect();
        Some(Bindings { tool: "Resonite", fields })
    }
}
