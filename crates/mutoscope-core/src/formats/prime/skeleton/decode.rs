//! Decodes the bytes of a skeleton.

use super::{Bone, CinfSkeleton};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{
        Game, codes,
        decode::{Candidate, LayoutFit, check_tail, choose_candidate},
    },
    io::bytes::Cursor,
};

/// The number of possible bone ids, because bone ids in animations are below 256.
const MAX_BONES: usize = 256;

const MAX_NAME_BYTES: usize = 1024;

const UNIT_TOLERANCE: f32 = 1e-2;

/// Reads a whole file in the layout of the game that fits better. The choice, its reason and all
/// problems are added to `diagnostics`.
///
/// # Errors
/// If the bytes are not a whole file in either layout.
pub fn decode_skeleton(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<CinfSkeleton, Error> {
    let read = |game| Candidate::read(game, |fit| read(Cursor::new(bytes), game, fit));
    choose_candidate([Game::Prime, Game::Echoes].map(read).into(), false, diagnostics)
}

fn read(mut cursor: Cursor, game: Game, fit: &mut LayoutFit) -> Result<CinfSkeleton, Error> {
    let cursor = &mut cursor;
    let mut bones = read_bones(cursor, game, fit)?;
    check_build_order(cursor, &bones, fit)?;
    read_names(cursor, &mut bones, fit)?;
    check_tail(cursor, fit);
    Ok(CinfSkeleton { game, bones })
}

fn read_bones(cursor: &mut Cursor, game: Game, fit: &mut LayoutFit) -> Result<Vec<Bone>, Error> {
    /// The size of a bone id, a parent id, an origin and a link count.
    const MIN_BONE_BYTES: usize = 24;
    let location = cursor.location();
    let count = cursor.count_u32_be(MIN_BONE_BYTES, "bones")?;
    if !(1..=MAX_BONES).contains(&count) {
        return Err(Error::malformed(location, format!("from 1 to {MAX_BONES} bones"), count));
    }
    let mut bones = Vec::with_capacity(count);
    let mut links = Vec::new();
    let mut rotations_are_units = true;
    for _ in 0..count {
        let offset = cursor.offset();
        let id = cursor.u32_be("the id of a bone")?;
        let parent = cursor.u32_be("the id of a bone's parent")?;
        let origin: [f32; 3] = cursor.f32s_be("the origin of a bone")?;
        if origin.iter().any(|component| !component.is_finite()) {
            let message = format!("the origin of bone {id} is not finite");
            fit.add_doubt(codes::BONE_POSITION, SourceLocation::span(offset + 8, 12), message)
                .with("bone", id);
        }
        if game == Game::Echoes {
            // Use the rotations only to tell the layouts apart, because the games do not use them
            // to pose bones.
            for what in ["the rotation of a bone", "the local rotation of a bone"] {
                rotations_are_units &= is_unit(cursor.f32s_be(what)?);
            }
        }
        let link_count = cursor.count_u32_be(4, "links of a bone")?;
        for _ in 0..link_count {
            let location = SourceLocation::span(cursor.offset(), 4);
            let link = cursor.u32_be("a link of a bone")?;
            if link != parent {
                links.push((link, location));
            }
        }
        bones.push(Bone { id, parent, origin, name: None, offset });
    }
    if !rotations_are_units {
        // Add as many doubts as there are bones. If this layout is wrong, the bytes are other data,
        // which would hardly be unit quaternions.
        let weight = bones.len() as u32;
        fit.add_weighted_doubt(
            weight,
            codes::SKELETON_INCONSISTENT,
            SourceLocation::File,
            "rotations of bones are not of unit length",
        );
    }
    report_repeated_ids(&bones, fit);
    if let Some((link, location)) = links.into_iter().find(|(link, _)| !has_id(&bones, *link)) {
        let message = format!("a bone is linked to bone {link}, which does not exist");
        fit.add_doubt(codes::SKELETON_INCONSISTENT, location, message).with("bone", link);
    }
    Ok(bones)
}

fn has_id(bones: &[Bone], id: u32) -> bool {
    bones.iter().any(|bone| bone.id == id)
}

fn report_repeated_ids(bones: &[Bone], fit: &mut LayoutFit) {
    for (index, bone) in bones.iter().enumerate() {
        if has_id(&bones[..index], bone.id) {
            let message = format!("bone {} is repeated; animations move the first", bone.id);
            fit.add_doubt(codes::BONE_REPEATED, SourceLocation::span(bone.offset, 4), message)
                .with("bone", bone.id);
            return;
        }
    }
}

/// Checks that the build order lists each bone once, because that helps to tell the layouts apart.
/// The order itself only matters to the game.
fn check_build_order(
    cursor: &mut Cursor,
    bones: &[Bone],
    fit: &mut LayoutFit,
) -> Result<(), Error> {
    let start = cursor.offset();
    let count = cursor.count_u32_be(4, "bones in building order")?;
    let mut order = Vec::with_capacity(count);
    for _ in 0..count {
        order.push(cursor.u32_be("a bone in building order")?);
    }
    let mut ids: Vec<_> = bones.iter().map(|bone| bone.id).collect();
    ids.sort_unstable();
    order.sort_unstable();
    if ids != order {
        let location = SourceLocation::span(start, cursor.offset() - start);
        let message = "the building order does not name each bone once";
        fit.add_doubt(codes::SKELETON_INCONSISTENT, location, message);
    }
    Ok(())
}

fn read_names(cursor: &mut Cursor, bones: &mut [Bone], fit: &mut LayoutFit) -> Result<(), Error> {
    /// The size of an empty name, which is a NUL, and a bone id.
    const MIN_NAME_BYTES: usize = 5;
    let mut is_all_text = true;
    let (mut strays, mut repeated) = (DoubtCounter::default(), DoubtCounter::default());
    let location = cursor.location();
    for _ in 0..cursor.count_u32_be(MIN_NAME_BYTES, "names")? {
        let start = cursor.offset();
        let bytes = cursor.c_string(MAX_NAME_BYTES, "a name")?;
        let location = SourceLocation::span(start, bytes.len());
        is_all_text &= str::from_utf8(bytes).is_ok();
        let id = cursor.u32_be("the id of a named bone")?;
        match bones.iter_mut().find(|bone| bone.id == id) {
            None => strays.add(location),
            Some(Bone { name: Some(_), .. }) => repeated.add(location),
            Some(bone) => bone.name = Some(String::from_utf8_lossy(bytes).into_owned()),
        }
    }
    if !is_all_text {
        let message = "some bone names are not UTF-8";
        fit.add_doubt(codes::SKELETON_INCONSISTENT, location, message);
    }
    strays.report("names of bones that do not exist", fit);
    repeated.report("second names of bones, which are skipped", fit);
    Ok(())
}

#[derive(Default)]
struct DoubtCounter {
    first: Option<SourceLocation>,
    count: usize,
}

impl DoubtCounter {
    fn add(&mut self, location: SourceLocation) {
        self.first.get_or_insert(location);
        self.count += 1;
    }

    fn report(self, what: &str, fit: &mut LayoutFit) {
        if let Some(first) = self.first {
            let message = format!("{what}: {}", self.count);
            fit.add_doubt(codes::SKELETON_INCONSISTENT, first, message).with("count", self.count);
        }
    }
}

fn is_unit(quaternion: [f32; 4]) -> bool {
    let length = quaternion.iter().map(|component| component * component).sum::<f32>().sqrt();
    (length - 1.0).abs() < UNIT_TOLERANCE
}
