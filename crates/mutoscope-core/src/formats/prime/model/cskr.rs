//! CSKR: which bones move which vertices of a model.

use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::Game,
    io::bytes::Cursor,
};

/// How far the sum of weights may be from 1.
const TOLERANCE: f32 = 1e-2;

/// A skin: groups of vertices that the same bones move.
#[derive(Clone, Debug, PartialEq)]
pub struct Cskr {
    /// The game whose layout it has, if the bytes after the groups tell.
    pub game: Option<Game>,
    /// Its groups, in the order of the model's positions.
    pub groups: Vec<SkinGroup>,
    /// Echoes: the group of every position, as far as it is given.
    pub group_of_position: Vec<u8>,
}

/// Vertices that the same bones move.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinGroup {
    /// The ids of bones, and how much of a vertex each moves: together 1.
    pub weights: Vec<(u32, f32)>,
    /// How many positions of the model it has: those after the group before.
    pub vertices: u32,
    /// Where it is.
    pub place: SourceLocation,
}

impl Cskr {
    /// Reads a skin as far as it goes. `notices` hear of what is wrong with it.
    ///
    /// # Errors
    /// If not one group can be read.
    pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let mut groups = Vec::new();
        if let Err(error) = read_groups(&mut cursor, &mut groups) {
            if groups.is_empty() {
                return Err(error);
            }
            let message = format!("{}; using the {} groups before", error.message(), groups.len());
            notices.error(error.place().clone(), message);
            return Ok(Self { game: None, groups, group_of_position: Vec::new() });
        }
        groups.iter_mut().for_each(|group| mend_weights(group, notices));
        let (game, group_of_position) = match footer(&cursor) {
            Some(found) => found,
            None => {
                let message = "unexpected data after the groups; the count of groups may be wrong: \
                               vertices beyond them move with the root";
                notices.error(cursor.place(), message);
                (None, Vec::new())
            }
        };
        let skin = Self { game, groups, group_of_position };
        skin.compare_groups(notices);
        Ok(skin)
    }

    /// How many positions its groups have together.
    pub fn total(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.vertices)).sum()
    }

    /// For each of `count` positions the index of its group; nothing after the last group.
    pub fn groups_of_positions(&self, count: usize) -> Vec<Option<usize>> {
        let each = self.groups.iter().enumerate();
        let repeated = each
            .flat_map(|(index, group)| std::iter::repeat_n(Some(index), group.vertices as usize));
        let mut groups: Vec<_> = repeated.take(count).collect();
        groups.resize(count, None);
        groups
    }

    /// Echoes tells the group of each position a second time.
    fn compare_groups(&self, notices: &mut Notices) {
        let told = &self.group_of_position;
        let by_order = self.groups_of_positions(told.len());
        let differ = |(group, told): (&Option<usize>, &u8)| *group != Some(usize::from(*told));
        if let Some(position) = by_order.iter().zip(told).position(|pair| differ((pair.0, pair.1)))
        {
            let message = format!(
                "position {position} is in group {} by its own list; using the order of positions",
                told[position]
            );
            notices.warning(SourceLocation::File, message);
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
        let vertices = cursor.u32_be("how many vertices a group has")?;
        let place = SourceLocation::span(start, cursor.offset() - start);
        groups.push(SkinGroup { weights, vertices, place });
    }
    Ok(())
}

/// Leaves a group with weights that together are 1, or with none.
fn mend_weights(group: &mut SkinGroup, notices: &mut Notices) {
    let is_sound = |weight: f32| weight.is_finite() && weight >= 0.0;
    let count = group.weights.len();
    group.weights.retain(|&(_, weight)| is_sound(weight));
    if group.weights.len() < count {
        let message = "weights that are negative or not finite; skipped";
        notices.error(group.place.clone(), message);
    }
    let sum: f32 = group.weights.iter().map(|(_, weight)| weight).sum();
    if !(sum > 0.0 && sum.is_finite()) {
        if group.vertices > 0 {
            let message = "a group without weights; its vertices move with the root";
            notices.error(group.place.clone(), message);
        }
        group.weights.clear();
        return;
    }
    if (sum - 1.0).abs() > TOLERANCE {
        let message = format!("the weights of a group add up to {sum}, not 1; scaled");
        notices.warning(group.place.clone(), message);
    }
    if sum != 1.0 {
        group.weights.iter_mut().for_each(|(_, weight)| *weight /= sum);
    }
}

/// The game whose footer follows the groups, and the useful part of that footer.
fn footer(cursor: &Cursor) -> Option<(Option<Game>, Vec<u8>)> {
    if cursor.is_at_end() {
        return Some((None, Vec::new()));
    }
    let prime = prime_footer(&mut cursor.clone()).ok().filter(|fits| *fits);
    if prime.is_some() {
        return Some((Some(Game::Prime), Vec::new()));
    }
    let echoes = echoes_footer(&mut cursor.clone()).ok().flatten();
    echoes.map(|groups| (Some(Game::Echoes), groups.to_vec()))
}

/// Copies of the model's positions and normals, or only how many there are: of no use.
fn prime_footer(cursor: &mut Cursor) -> Result<bool, Error> {
    for what in ["positions of a skin", "normals of a skin"] {
        if cursor.clone().u32_be(what)? == u32::MAX {
            cursor.take(8, what)?;
        } else {
            let count = cursor.count_u32_be(12, what)?;
            cursor.take(12 * count, what)?;
        }
    }
    Ok(is_padding(cursor))
}

/// Banks of groups by surface, which lead where the order of positions does; the group of each
/// position.
fn echoes_footer<'a>(cursor: &mut Cursor<'a>) -> Result<Option<&'a [u8]>, Error> {
    let banks = cursor.count_u32_be(2, "banks of a skin")?;
    cursor.take(2 * banks, "banks of a skin")?;
    let count = cursor.count_u32_be(1, "groups of positions")?;
    let groups = cursor.take(count, "groups of positions")?;
    Ok(is_padding(cursor).then_some(groups))
}

/// Archives fill up to a multiple of 32.
fn is_padding(cursor: &Cursor) -> bool {
    let rest = cursor.rest();
    rest.len() < 32 && (rest.iter().all(|byte| *byte == 0xff) || rest.iter().all(|byte| *byte == 0))
}
