//! CMDL: models.

use std::ops::Range;

use glam::Vec3;

use super::{MaterialSet, Surface, surface};
use crate::{
    diagnostics::{Error, Notices, SourceLocation},
    formats::prime::Game,
    io::bytes::Cursor,
};

/// The first four bytes of a model.
const MAGIC: u32 = 0xdead_babe;

/// A model, as the file has it: in the games' space, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Cmdl {
    /// The game whose layout it has.
    pub game: Game,
    /// Its properties, as bits.
    pub flags: u32,
    /// The box around it at rest: the least and the largest coordinates.
    pub bounds: [[f32; 3]; 2],
    /// Its looks, of which the first is the usual one.
    pub material_sets: Vec<MaterialSet>,
    /// Its positions, and up to two more that are padding.
    pub positions: Vec<[f32; 3]>,
    /// Its normals, of unit length, and up to five more that are padding.
    pub normals: Vec<[f32; 3]>,
    /// Its texture coordinates, and up to three more that are padding.
    pub uvs: Vec<[f32; 2]>,
    /// Texture coordinates of materials that ask for short ones; empty in the games.
    pub short_uvs: Vec<[f32; 2]>,
    /// Its surfaces.
    pub surfaces: Vec<Surface>,
}

/// Whether `bytes` begin as a model does.
pub(in crate::formats::prime) fn is_model(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.to_be_bytes())
}

const SHORT_NORMALS: u32 = 2;
const SHORT_UVS: u32 = 4;

impl Cmdl {
    /// Reads a model as far as its surfaces go. `notices` hear of what is wrong with them.
    ///
    /// # Errors
    /// If it is not of Metroid Prime or Echoes, or its arrays are not whole.
    pub fn decode(bytes: &[u8], notices: &mut Notices) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let head = Head::read(&mut cursor)?;
        let mut sections = Sections { bytes, offset: cursor.offset(), sizes: &head.sizes, next: 0 };
        let mut material_sets = Vec::new();
        for _ in 0..head.material_sets {
            let section = sections.whole("a material set")?;
            let has_extra_words = head.game != Game::Prime;
            let set =
                MaterialSet::read(&bytes[section.clone()], section.start, has_extra_words, notices)
                    .map_err(|error| within(error, section.start))?;
            material_sets.push(set);
        }
        let positions = triples(&bytes[sections.whole("positions")?]);
        let normals = &bytes[sections.whole("normals")?];
        let normals =
            if head.flags & SHORT_NORMALS == 0 { triples(normals) } else { short_normals(normals) };
        sections.whole("colours")?;
        let uvs = pairs(&bytes[sections.whole("texture coordinates")?]);
        let mut short_uvs = Vec::new();
        if head.flags & SHORT_UVS != 0 {
            short_uvs = short_pairs(&bytes[sections.whole("short texture coordinates")?]);
        }
        let table = sections.whole("the table of surfaces")?;
        let mut model = Self {
            game: head.game,
            flags: head.flags,
            bounds: head.bounds,
            material_sets,
            positions,
            normals,
            uvs,
            short_uvs,
            surfaces: Vec::new(),
        };
        let stated = Cursor::new(&bytes[table.clone()]).u32_be("the count of surfaces");
        let count = head.sizes.len() - sections.next;
        if stated.as_ref().is_ok_and(|stated| *stated as usize != count) {
            let message =
                format!("{count} surfaces where the table says {}", stated.unwrap_or_default());
            notices.warning(SourceLocation::span(table.start, 4), message);
        }
        for index in 0..count {
            let (section, is_whole) = sections.next();
            model.surface(bytes, index, section, is_whole, notices);
        }
        Ok(model)
    }

    /// Reads a surface, and leaves out what cannot be drawn of it.
    fn surface(
        &mut self,
        bytes: &[u8],
        index: usize,
        section: Range<usize>,
        is_whole: bool,
        notices: &mut Notices,
    ) {
        let offset = section.start;
        let mut tell = |place: SourceLocation, message: String| {
            notices.error(place, format!("surface {index}: {message}"));
        };
        let bytes = &bytes[section];
        let material = match surface::material_index(bytes) {
            Ok(material) => material,
            Err(error) => {
                return tell(SourceLocation::byte(offset), format!("{}; skipped", error.message()));
            }
        };
        let materials = self.material_sets.first().map_or(&[][..], |set| &set.materials);
        let Some(known) = materials.get(material) else {
            let message = format!("it has material {material} of {}; skipped", materials.len());
            return tell(SourceLocation::span(offset + 12, 4), message);
        };
        // The unreadable material was reported already.
        let Some(known) = known else { return };
        let mut surface =
            surface::read(bytes, material, known.vertex_format(), self.game != Game::Prime);
        if let Some(error) = surface.incomplete.take() {
            let error = within(error, offset);
            let message = format!("{}; loaded up to there", error.message());
            tell(error.place().clone(), message);
            surface.incomplete = Some(error);
        } else if !is_whole {
            tell(SourceLocation::byte(offset + bytes.len()), "the file ends within it".to_owned());
        }
        if let Some((corner, what)) = self.drop_wrong(&mut surface) {
            let message = format!(
                "vertex {corner} refers to {what}, which does not exist; its triangles are skipped"
            );
            tell(SourceLocation::byte(offset), message);
        }
        self.surfaces.push(surface);
    }

    /// Leaves out triangles whose corners name what is not there, or that have two equal positions;
    /// tells the first such corner.
    fn drop_wrong(&self, surface: &mut Surface) -> Option<(usize, String)> {
        let wrong = |corner: &super::Corner| {
            if usize::from(corner.position) >= self.positions.len() {
                return Some(format!("position {} of {}", corner.position, self.positions.len()));
            }
            let normal = corner.normal.filter(|&normal| usize::from(normal) >= self.normals.len());
            normal.map(|normal| format!("normal {normal} of {}", self.normals.len()))
        };
        let Surface { corners, triangles, .. } = surface;
        let first =
            corners.iter().enumerate().find_map(|(index, corner)| Some((index, wrong(corner)?)));
        triangles.retain(|triangle| {
            let corners = triangle.map(|at| &corners[at as usize]);
            let [a, b, c] = corners.map(|corner| corner.position);
            corners.into_iter().all(|corner| wrong(corner).is_none()) && a != b && b != c && c != a
        });
        first
    }
}

/// The fields before the sections.
struct Head {
    game: Game,
    flags: u32,
    bounds: [[f32; 3]; 2],
    material_sets: usize,
    sizes: Vec<u32>,
}

impl Head {
    fn read(cursor: &mut Cursor) -> Result<Self, Error> {
        let magic = cursor.u32_be("the head of a model")?;
        if magic != MAGIC {
            let found = format!("{magic:#010x}");
            return Err(Error::malformed(SourceLocation::span(0, 4), "a model, 0xdeadbabe", found));
        }
        let version = cursor.u32_be("the version of a model")?;
        let game = match version {
            2 => Game::Prime,
            3 => Game::EchoesDemo,
            4 => Game::Echoes,
            5 => {
                let message = "a model of Metroid Prime 3, which is not read; versions 2 to 4 are";
                return Err(Error::unsupported(SourceLocation::span(4, 4), message));
            }
            _ => {
                return Err(Error::malformed(
                    SourceLocation::span(4, 4),
                    "the version of a model, 2 to 4",
                    version,
                ));
            }
        };
        let flags = cursor.u32_be("the flags of a model")?;
        let bounds = [cursor.f32s_be("the box of a model")?, cursor.f32s_be("the box of a model")?];
        let place = SourceLocation::span(cursor.offset(), 4);
        let sections = cursor.u32_be("the count of sections")?;
        let material_sets = cursor.u32_be("the count of material sets")?;
        let needed = u64::from(sections) * 4;
        if needed > cursor.left() as u64 {
            return Err(Error::truncated(
                place,
                format!("{sections} sections"),
                needed,
                cursor.left(),
            ));
        }
        let has_short_uvs = flags & SHORT_UVS != 0;
        let least = u64::from(material_sets) + if has_short_uvs { 6 } else { 5 };
        if u64::from(sections) < least {
            let expected = format!("at least {least} sections");
            return Err(Error::malformed(place, expected, sections));
        }
        let mut sizes = Vec::with_capacity(sections as usize);
        for _ in 0..sections {
            sizes.push(cursor.u32_be("the size of a section")?);
        }
        let padding = cursor.offset().next_multiple_of(32) - cursor.offset();
        cursor.take(padding, "the padding after the head")?;
        Ok(Self { game, flags, bounds, material_sets: material_sets as usize, sizes })
    }
}

/// The sections of a model, back to back.
struct Sections<'a> {
    bytes: &'a [u8],
    offset: usize,
    sizes: &'a [u32],
    next: usize,
}

impl Sections<'_> {
    /// The bytes of the next section that the file has, and whether these are all.
    fn next(&mut self) -> (Range<usize>, bool) {
        let size = self.sizes.get(self.next).map_or(0, |size| *size as usize);
        self.next += 1;
        let (start, end) = (self.offset, self.offset.saturating_add(size));
        let end_here = end.min(self.bytes.len());
        self.offset = end_here;
        (start..end_here, end <= self.bytes.len())
    }

    /// The bytes of the next section, all of it.
    fn whole(&mut self, what: &str) -> Result<Range<usize>, Error> {
        let size = self.sizes.get(self.next).copied().unwrap_or_default();
        match self.next() {
            (section, true) => Ok(section),
            (section, false) => {
                let place = SourceLocation::byte(section.start);
                Err(Error::truncated(
                    place,
                    format!("the section of {what}"),
                    size.into(),
                    section.len(),
                ))
            }
        }
    }
}

fn within(error: Error, offset: usize) -> Error {
    let place = match error.place() {
        SourceLocation::Bytes(range) => {
            let shift = offset as u64;
            SourceLocation::Bytes(range.start + shift..range.end + shift)
        }
        place => place.clone(),
    };
    let message = error.message().to_owned();
    error.relocated(place, message)
}

fn triples(section: &[u8]) -> Vec<[f32; 3]> {
    let triple = |bytes: &[u8]| [0, 4, 8].map(|at| float(&bytes[at..]));
    section.chunks_exact(12).map(triple).collect()
}

fn pairs(section: &[u8]) -> Vec<[f32; 2]> {
    section.chunks_exact(8).map(|bytes| [float(bytes), float(&bytes[4..])]).collect()
}

fn float(bytes: &[u8]) -> f32 {
    f32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn short(bytes: &[u8]) -> i16 {
    i16::from_be_bytes([bytes[0], bytes[1]])
}

/// By what they are divided, sources do not agree; of unit length they all are the same.
fn short_normals(section: &[u8]) -> Vec<[f32; 3]> {
    let normal = |bytes: &[u8]| Vec3::from_array([0, 2, 4].map(|at| short(&bytes[at..]).into()));
    section.chunks_exact(6).map(|bytes| normal(bytes).normalize_or_zero().to_array()).collect()
}

fn short_pairs(section: &[u8]) -> Vec<[f32; 2]> {
    let unit = |bytes: &[u8]| f32::from(short(bytes) as u16) / 32768.0;
    section.chunks_exact(4).map(|bytes| [unit(bytes), unit(&bytes[2..])]).collect()
}
