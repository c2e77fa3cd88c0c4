//! CSKR: the bone weights of a model's vertices.

use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{Game, codes},
    io::bytes::Cursor,
};

const WEIGHT_SUM_TOLERANCE: f32 = 1e-2;

/// A skin: groups of vertices that move with the same bones.
#[derive(Clone, Debug, PartialEq)]
pub struct Cskr {
    /// The game that uses this layout. `None` if the bytes after the groups fit neither game.
    pub game: Option<Game>,
    /// The groups, in the order of the model's positions.
    pub groups: Vec<SkinGroup>,
    /// The group of each position, which only Echoes stores. Empty if the file has no such list.
    pub group_of_position: Vec<u8>,
}

/// A group of vertices that move with the same bones.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinGroup {
    /// The bone ids and weights, which add up to 1. Empty if no bone has a valid weight.
    pub weights: Vec<(u32, f32)>,
    /// The number of positions in this group. They follow the positions of the previous group.
    pub vertices: u32,
    /// The location of the group in the file.
    pub location: SourceLocation,
}

impl Cskr {
    /// Reads a skin as far as it can be read. Problems are added to `diagnostics`.
    ///
    /// # Errors
    /// If not a single group can be read.
    pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let mut groups = Vec::new();
        if let Err(error) = read_groups(&mut cursor, &mut groups) {
            if groups.is_empty() {
                return Err(error);
            }
            let message = format!("{}; using the {} groups before", error.message(), groups.len());
            diagnostics.error(codes::SKIN_DAMAGED, error.location().clone(), message);
            return Ok(Self { game: None, groups, group_of_position: Vec::new() });
        }
        groups.iter_mut().for_each(|group| normalize_weights(group, diagnostics));
        let (game, group_of_position) = match read_footer(&cursor) {
            Some(found) => found,
            None => {
                let message = "unexpected data after the groups; their number may be wrong. Vertices \
                               without a group move with the root";
                diagnostics.error(codes::SKIN_DAMAGED, cursor.location(), message);
                (None, Vec::new())
            }
        };
        let skin = Self { game, groups, group_of_position };
        skin.report_group_mismatch(diagnostics);
        Ok(skin)
    }

    /// Returns the total number of positions in all groups.
    pub fn position_count(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.vertices)).sum()
    }

    /// Returns the group index of each of `count` positions. `None` for positions after the last
    /// group.
    pub fn groups_of_positions(&self, count: usize) -> Vec<Option<usize>> {
        let each = self.groups.iter().enumerate();
        let repeated = each
            .flat_map(|(index, group)| std::iter::repeat_n(Some(index), group.vertices as usize));
        let mut groups: Vec<_> = repeated.take(count).collect();
        groups.resize(count, None);
        groups
    }

    fn report_group_mismatch(&self, diagnostics: &mut Diagnostics) {
        let told = &self.group_of_position;
        let by_order = self.groups_of_positions(told.len());
        let differ = |(group, told): (&Option<usize>, &u8)| *group != Some(usize::from(*told));
        if let Some(position) = by_order.iter().zip(told).position(|pair| differ((pair.0, pair.1)))
        {
            let message = format!(
                "position {position} is in group {} of the list of groups; using the order of positions",
                told[position]
            );
            diagnostics.warning(codes::SKIN_DAMAGED, SourceLocation::File, message);
        }
    }
}

fn read_groups(cursor: &mut Cursor, groups: &mut Vec<SkinGroup>) -> Result<(), Error> {
    for _ in 0..cursor.count_u32_be(8, "groups of a skin")? {
        let start = cursor.offset();
        let count = cursor.count_u32_be(8, "weights of a group")?;
        let mut weights = Vec::with_capacity(count);
        for _ in 0..count {
            let bone = cursor.u32_be("the bone of a weight")?;
            weights.push((bone, cursor.f32_be("a weight")?));
        }
        let vertices = cursor.u32_be("the number of vertices of a group")?;
        let location = SourceLocation::span(start, cursor.offset() - start);
        groups.push(SkinGroup { weights, vertices, location });
    }
    Ok(())
}

fn normalize_weights(group: &mut SkinGroup, diagnostics: &mut Diagnostics) {
    let is_sound = |weight: f32| weight.is_finite() && weight >= 0.0;
    let count = group.weights.len();
    group.weights.retain(|&(_, weight)| is_sound(weight));
    if group.weights.len() < count {
        let message = "weights that are negative or not finite; skipped";
        diagnostics.error(codes::SKIN_WEIGHTS, group.location.clone(), message);
    }
    let sum: f32 = group.weights.iter().map(|(_, weight)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        if group.vertices > 0 {
            let message = "a group without weights; its vertices move with the root";
            diagnostics.error(codes::SKIN_WEIGHTS, group.location.clone(), message);
        }
        group.weights.clear();
        return;
    }
    if (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE {
        let message = format!("the weights of a group add up to {sum}, not 1; scaled");
        diagnostics.warning(codes::SKIN_WEIGHTS, group.location.clone(), message).with("sum", sum);
    }
    if sum != 1.0 {
        group.weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
}

fn read_footer(cursor: &Cursor) -> Option<(Option<Game>, Vec<u8>)> {
    if cursor.is_at_end() {
        return Some((None, Vec::new()));
    }
    let prime = fits_prime_footer(&mut cursor.clone()).ok().filter(|fits| *fits);
    if prime.is_some() {
        return Some((Some(Game::Prime), Vec::new()));
    }
    let echoes = read_echoes_footer(&mut cursor.clone()).ok().flatten();
    echoes.map(|groups| (Some(Game::Echoes), groups.to_vec()))
}

/// Skips the copies of the model's positions and normals, or only their counts, after the groups of
/// Metroid Prime. Returns `true` if only padding follows.
fn fits_prime_footer(cursor: &mut Cursor) -> Result<bool, Error> {
    for what in ["positions of a skin", "normals of a skin"] {
        if cursor.clone().u32_be(what)? == u32::MAX {
            cursor.read_bytes(8, what)?;
        } else {
            let count = cursor.count_u32_be(12, what)?;
            cursor.read_bytes(12 * count, what)?;
        }
    }
    Ok(is_padding(cursor))
}

/// Skips the banks after the groups of Echoes, which list the groups by surface, and returns the
/// group of each position. Returns `None` if more than padding follows.
fn read_echoes_footer<'a>(cursor: &mut Cursor<'a>) -> Result<Option<&'a [u8]>, Error> {
    let banks = cursor.count_u32_be(2, "banks of a skin")?;
    cursor.read_bytes(2 * banks, "banks of a skin")?;
    let count = cursor.count_u32_be(1, "groups of positions")?;
    let groups = cursor.read_bytes(count, "groups of positions")?;
    Ok(is_padding(cursor).then_some(groups))
}

/// Archives pad files to a multiple of 32 bytes.
fn is_padding(cursor: &Cursor) -> bool {
    let rest = cursor.remaining_bytes();
    rest.len() < 32 && (rest.iter().all(|byte| *byte == 0xff) || rest.iter().all(|byte| *byte == 0))
}
