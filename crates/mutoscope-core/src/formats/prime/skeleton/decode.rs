//! From bytes to bones.

use super::{Bone, Skeleton};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::{
        Game,
        decode::{Candidate, Reading, check_tail, choose},
    },
    io::bytes::Cursor,
};

/// More bones than this have no ids that an animation could name.
const MOST_BONES: usize = 256;

/// The longest name that is believed, in bytes.
const LONGEST_NAME: usize = 1024;

/// How far from 1 the length of a quaternion may be.
const UNIT_TOLERANCE: f32 = 1e-2;

/// Reads a whole file in the layout of whichever game fits better; `notices` hears which, and the
/// issues in it.
///
/// # Errors
/// If the bytes are no whole file in either layout.
pub fn decode_skeleton(bytes: &[u8], notices: &mut Notices) -> Result<Skeleton, Error> {
    let read = |game| Candidate::read(game, |reading| read(Cursor::new(bytes), game, reading));
    choose([Game::Prime, Game::Echoes].map(read).into(), false, notices)
}

fn read(mut cursor: Cursor, game: Game, reading: &mut Reading) -> Result<Skeleton, Error> {
    let cursor = &mut cursor;
    let mut bones = bones(cursor, game, reading)?;
    build_order(cursor, &bones, reading)?;
    names(cursor, &mut bones, reading)?;
    check_tail(cursor, reading);
    Ok(Skeleton { game, bones })
}

fn bones(cursor: &mut Cursor, game: Game, reading: &mut Reading) -> Result<Vec<Bone>, Error> {
    /// Ids, origin and the count of links.
    const SHORTEST: usize = 24;
    let place = cursor.place();
    let count = cursor.count_u32_be(SHORTEST, "bones")?;
    if !(1..=MOST_BONES).contains(&count) {
        return Err(Error::malformed(place, format!("from 1 to {MOST_BONES} bones"), count));
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
            reading.doubt(SourceLocation::span(offset + 8, 12), message);
        }
        if game == Game::Echoes {
            // Neither game poses bones by these.
            for what in ["the rotation of a bone", "the local rotation of a bone"] {
                rotations_are_units &= is_unit(cursor.f32s_be(what)?);
            }
        }
        let link_count = cursor.count_u32_be(4, "links of a bone")?;
        for _ in 0..link_count {
            let place = SourceLocation::span(cursor.offset(), 4);
            let link = cursor.u32_be("a link of a bone")?;
            if link != parent {
                links.push((link, place));
            }
        }
        bones.push(Bone { id, parent, origin, name: None, offset });
    }
    if !rotations_are_units {
        // Of each bone: bytes that mean something else are no quaternions.
        let weight = bones.len() as u32;
        reading.doubt_strongly(
            weight,
            SourceLocation::File,
            "rotations of bones are not of unit length",
        );
    }
    check_ids(&bones, reading);
    if let Some((link, place)) = links.into_iter().find(|(link, _)| !has_id(&bones, *link)) {
        reading.doubt(place, format!("a bone is linked to bone {link}, which does not exist"));
    }
    Ok(bones)
}

fn has_id(bones: &[Bone], id: u32) -> bool {
    bones.iter().any(|bone| bone.id == id)
}

fn check_ids(bones: &[Bone], reading: &mut Reading) {
    for (index, bone) in bones.iter().enumerate() {
        if has_id(&bones[..index], bone.id) {
            let message = format!("bone {} is repeated; animations move the first", bone.id);
            reading.doubt(SourceLocation::span(bone.offset, 4), message);
            return;
        }
    }
}

/// In which order the game builds the bones: of use to it only, but it names each bone once.
fn build_order(cursor: &mut Cursor, bones: &[Bone], reading: &mut Reading) -> Result<(), Error> {
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
        let place = SourceLocation::span(start, cursor.offset() - start);
        reading.doubt(place, "the building order does not name each bone once");
    }
    Ok(())
}

fn names(cursor: &mut Cursor, bones: &mut [Bone], reading: &mut Reading) -> Result<(), Error> {
    /// The end of an empty name, and an id.
    const SHORTEST: usize = 5;
    let mut is_all_text = true;
    let (mut strays, mut repeated) = (Odd::default(), Odd::default());
    let place = cursor.place();
    for _ in 0..cursor.count_u32_be(SHORTEST, "names")? {
        let start = cursor.offset();
        let bytes = cursor.c_string(LONGEST_NAME, "a name")?;
        let place = SourceLocation::span(start, bytes.len());
        is_all_text &= str::from_utf8(bytes).is_ok();
        let id = cursor.u32_be("the id of a named bone")?;
        match bones.iter_mut().find(|bone| bone.id == id) {
            None => strays.add(place),
            Some(Bone { name: Some(_), .. }) => repeated.add(place),
            Some(bone) => bone.name = Some(String::from_utf8_lossy(bytes).into_owned()),
        }
    }
    if !is_all_text {
        reading.doubt(place, "names that are not text");
    }
    strays.report("names of bones that are not there", reading);
    repeated.report("second names of bones, which are skipped", reading);
    Ok(())
}

/// Where something odd comes first, and how often it comes.
#[derive(Default)]
struct Odd {
    first: Option<SourceLocation>,
    count: usize,
}

impl Odd {
    fn add(&mut self, place: SourceLocation) {
        self.first.get_or_insert(place);
        self.count += 1;
    }

    fn report(self, what: &str, reading: &mut Reading) {
        if let Some(first) = self.first {
            reading.doubt(first, format!("{what}: {}", self.count));
        }
    }
}

fn is_unit(quaternion: [f32; 4]) -> bool {
    let length = quaternion.iter().map(|component| component * component).sum::<f32>().sqrt();
    (length - 1.0).abs() < UNIT_TOLERANCE
}
