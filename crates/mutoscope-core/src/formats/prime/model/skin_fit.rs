//! Checks that a skin belongs to a model and to a skeleton.

use std::collections::BTreeSet;

use super::Cmdl;
use crate::{
    diagnostics::{Diagnostics, Severity, SourceLocation},
    formats::prime::codes,
};

/// The numbers of positions in a model.
#[derive(Clone, Copy, Debug)]
pub(in crate::formats::prime) struct PositionCounts {
    used: u64,
    stored: u64,
}

impl PositionCounts {
    pub(in crate::formats::prime) fn new(cmdl: &Cmdl) -> Self {
        let corners = cmdl.surfaces.iter().flat_map(|surface| {
            let used = surface.triangles.iter().flatten();
            used.map(|&at| surface.corners[at as usize].position)
        });
        let used = corners.map(|position| u64::from(position) + 1).max().unwrap_or(0);
        Self { used, stored: cmdl.positions.len() as u64 }
    }

    /// Reports a skin that belongs to another model. The groups of a skin follow the order of its
    /// model's positions, so a different number of positions shows that the model is another one.
    /// The message begins with `prefix`.
    pub(in crate::formats::prime) fn check_skin(
        self,
        skin: u64,
        location: SourceLocation,
        prefix: &str,
        diagnostics: &mut Diagnostics,
    ) {
        let Self { used, stored } = self;
        let (severity, expected, problem) = if skin < used {
            let problem = format!("the model uses {used}; the others move with the root");
            (Severity::Error, used, problem)
        } else if skin > stored {
            let problem = format!("the model has {stored}; the skin may belong to another model");
            (Severity::Warning, stored, problem)
        } else {
            return;
        };
        let message = format!("{prefix}the skin has groups for {skin} positions, but {problem}");
        diagnostics
            .add(codes::SKIN_OF_OTHER_MODEL, severity, location, message)
            .with("expected", expected)
            .with("found", skin);
    }
}

pub(in crate::formats::prime) fn report_missing_bones(
    missing: &BTreeSet<u32>,
    skeleton: &str,
    diagnostics: &mut Diagnostics,
) {
    const MAX_NAMED_BONES: usize = 8;
    if missing.is_empty() {
        return;
    }
    let ids: Vec<_> = missing.iter().take(MAX_NAMED_BONES).map(u32::to_string).collect();
    let more = if missing.len() > MAX_NAMED_BONES { ", …" } else { "" };
    let message = format!(
        "the skin refers to bones that {skeleton} does not have: {}{more}; using the root",
        ids.join(", ")
    );
    diagnostics
        .error(codes::SKIN_BONES_MISSING, SourceLocation::File, message)
        .with("skeleton", skeleton)
        .with("count", missing.len());
}
