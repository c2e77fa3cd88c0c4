//! CMDL: the models of characters.

use std::ops::Range;

use glam::Vec3;

use super::{MaterialSet, Surface, surface};
use crate::{
    diagnostics::{Diagnostics, Error, SourceLocation},
    formats::prime::{Game, codes},
    io::bytes::Cursor,
};

const MAGIC: u32 = 0xdead_babe;

/// A model in the space of the games, in metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Cmdl {
    /// The game that uses this layout.
    pub game: Game,
    /// The flags of the model.
    pub flags: u32,
    /// The bounding box at rest: the smallest and the largest coordinates.
    pub bounds: [[f32; 3]; 2],
    /// The material sets. The first set is the usual one.
    pub material_sets: Vec<MaterialSet>,
    /// The vertex positions, with up to two more as padding at the end.
    pub positions: Vec<[f32; 3]>,
    /// The unit normals, with up to five more as padding at the end.
    pub normals: Vec<[f32; 3]>,
    /// The texture coordinates, with up to three more as padding at the end.
    pub uvs: Vec<[f32; 2]>,
    /// The 16-bit texture coordinates. Only materials with a certain flag use them, and the models
    /// of the games have none.
    pub short_uvs: Vec<[f32; 2]>,
    /// The surfaces.
    pub surfaces: Vec<Surface>,
}

pub(in crate::formats::prime) fn is_model(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.to_be_bytes())
}

const SHORT_NORMALS_FLAG: u32 = 2;
const SHORT_UVS_FLAG: u32 = 4;

impl Cmdl {
    /// Reads a model, and its surfaces as far as they can be read. Problems are added to
    /// `diagnostics`.
    ///
    /// # Errors
    /// If the model is not from Metroid Prime or Echoes, or if its arrays are not whole.
    pub fn decode(bytes: &[u8], diagnostics: &mut Diagnostics) -> Result<Self, Error> {
        let mut cursor = Cursor::new(bytes);
        let head = Header::read(&mut cursor)?;
        let mut sections = Sections { bytes, offset: cursor.offset(), sizes: &head.sizes, next: 0 };
        let mut material_sets = Vec::new();
        for _ in 0..head.material_sets {
            let section = sections.next_whole("a material set")?;
            let has_extra_words = head.game != Game::Prime;
            let set = MaterialSet::read(
                &bytes[section.clone()],
                section.start,
                has_extra_words,
                diagnostics,
            )
            .map_err(|error| shift_error(error, section.start))?;
            material_sets.push(set);
        }
        let positions = read_vectors(&bytes[sections.next_whole("positions")?]);
        let normals = &bytes[sections.next_whole("normals")?];
        let normals = if head.flags & SHORT_NORMALS_FLAG == 0 {
            read_vectors(normals)
        } else {
            read_short_normals(normals)
        };
        sections.next_whole("colours")?;
        let uvs = read_uvs(&bytes[sections.next_whole("texture coordinates")?]);
        let mut short_uvs = Vec::new();
        if head.flags & SHORT_UVS_FLAG != 0 {
            short_uvs = read_short_uvs(&bytes[sections.next_whole("short texture coordinates")?]);
        }
        let table = sections.next_whole("the table of surfaces")?;
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
        if let Ok(stated) = stated
            && stated as usize != count
        {
            let message = format!("found {count} surfaces, but the table declares {stated}");
            diagnostics
                .warning(codes::MODEL_DAMAGED, SourceLocation::span(table.start, 4), message)
                .with("expected", stated)
                .with("found", count);
        }
        for index in 0..count {
            let (section, is_whole) = sections.next_range();
            model.read_surface(bytes, index, section, is_whole, diagnostics);
        }
        Ok(model)
    }

    fn read_surface(
        &mut self,
        bytes: &[u8],
        index: usize,
        section: Range<usize>,
        is_whole: bool,
        diagnostics: &mut Diagnostics,
    ) {
        let offset = section.start;
        let mut report = |location: SourceLocation, message: String| {
            let message = format!("surface {index}: {message}");
            diagnostics.error(codes::MODEL_DAMAGED, location, message).with("surface", index);
        };
        let bytes = &bytes[section];
        let material = match surface::read_material_index(bytes) {
            Ok(material) => material,
            Err(error) => {
                return report(
                    SourceLocation::byte(offset),
                    format!("{}; skipped", error.message()),
                );
            }
        };
        let materials = self.material_sets.first().map_or(&[][..], |set| &set.materials);
        let Some(known) = materials.get(material) else {
            let message = format!(
                "material {material} does not exist (there are {}); skipped",
                materials.len()
            );
            return report(SourceLocation::span(offset + 12, 4), message);
        };
        // `MaterialSet::read` has already reported the unreadable material.
        let Some(known) = known else { return };
        let mut surface =
            surface::read_surface(bytes, material, known.vertex_format(), self.game != Game::Prime);
        if let Some(error) = surface.incomplete.take() {
            let error = shift_error(error, offset);
            let message = format!("{}; loaded up to there", error.message());
            report(error.location().clone(), message);
            surface.incomplete = Some(error);
        } else if !is_whole {
            report(
                SourceLocation::byte(offset + bytes.len()),
                "the file ends within the surface".to_owned(),
            );
        }
        if let Some((corner, what)) = self.drop_invalid_triangles(&mut surface) {
            let message = format!(
                "vertex {corner} refers to {what}, which does not exist; its triangles are skipped"
            );
            report(SourceLocation::byte(offset), message);
        }
        self.surfaces.push(surface);
    }

    fn drop_invalid_triangles(&self, surface: &mut Surface) -> Option<(usize, String)> {
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

struct Header {
    game: Game,
    flags: u32,
    bounds: [[f32; 3]; 2],
    material_sets: usize,
    sizes: Vec<u32>,
}

impl Header {
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
                let message =
                    "models of Metroid Prime 3 (version 5) are not supported; versions 2 to 4 are";
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
        let location = SourceLocation::span(cursor.offset(), 4);
        let sections = cursor.u32_be("the count of sections")?;
        let material_sets = cursor.u32_be("the count of material sets")?;
        let needed = u64::from(sections) * 4;
        if needed > cursor.remaining() as u64 {
            return Err(Error::truncated(
                location,
                format!("{sections} sections"),
                needed,
                cursor.remaining(),
            ));
        }
        let has_short_uvs = flags & SHORT_UVS_FLAG != 0;
        let least = u64::from(material_sets) + if has_short_uvs { 6 } else { 5 };
        if u64::from(sections) < least {
            let expected = format!("at least {least} sections");
            return Err(Error::malformed(location, expected, sections));
        }
        let mut sizes = Vec::with_capacity(sections as usize);
        for _ in 0..sections {
            sizes.push(cursor.u32_be("the size of a section")?);
        }
        let padding = cursor.offset().next_multiple_of(32) - cursor.offset();
        cursor.read_bytes(padding, "the padding after the head")?;
        Ok(Self { game, flags, bounds, material_sets: material_sets as usize, sizes })
    }
}

struct Sections<'a> {
    bytes: &'a [u8],
    offset: usize,
    sizes: &'a [u32],
    next: usize,
}

impl Sections<'_> {
    fn next_range(&mut self) -> (Range<usize>, bool) {
        let size = self.sizes.get(self.next).map_or(0, |size| *size as usize);
        self.next += 1;
        let (start, end) = (self.offset, self.offset.saturating_add(size));
        let end_here = end.min(self.bytes.len());
        self.offset = end_here;
        (start..end_here, end <= self.bytes.len())
    }

    fn next_whole(&mut self, what: &str) -> Result<Range<usize>, Error> {
        let size = self.sizes.get(self.next).copied().unwrap_or_default();
        match self.next_range() {
            (section, true) => Ok(section),
            (section, false) => {
                let location = SourceLocation::byte(section.start);
                Err(Error::truncated(
                    location,
                    format!("the section of {what}"),
                    size.into(),
                    section.len(),
                ))
            }
        }
    }
}

fn shift_error(error: Error, offset: usize) -> Error {
    let location = match error.location() {
        SourceLocation::Bytes(range) => {
            let shift = offset as u64;
            SourceLocation::Bytes(range.start + shift..range.end + shift)
        }
        location => location.clone(),
    };
    let message = error.message().to_owned();
    error.relocated(location, message)
}

fn read_vectors(section: &[u8]) -> Vec<[f32; 3]> {
    let triple = |bytes: &[u8]| [0, 4, 8].map(|at| read_f32(&bytes[at..]));
    section.chunks_exact(12).map(triple).collect()
}

fn read_uvs(section: &[u8]) -> Vec<[f32; 2]> {
    section.chunks_exact(8).map(|bytes| [read_f32(bytes), read_f32(&bytes[4..])]).collect()
}

fn read_f32(bytes: &[u8]) -> f32 {
    f32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn read_i16(bytes: &[u8]) -> i16 {
    i16::from_be_bytes([bytes[0], bytes[1]])
}

/// Sources disagree about the divisor of short normals. It does not matter, because we normalise
/// them.
fn read_short_normals(section: &[u8]) -> Vec<[f32; 3]> {
    let normal = |bytes: &[u8]| Vec3::from_array([0, 2, 4].map(|at| read_i16(&bytes[at..]).into()));
    section.chunks_exact(6).map(|bytes| normal(bytes).normalize_or_zero().to_array()).collect()
}

fn read_short_uvs(section: &[u8]) -> Vec<[f32; 2]> {
    let unit = |bytes: &[u8]| f32::from(read_i16(bytes) as u16) / 32768.0;
    section.chunks_exact(4).map(|bytes| [unit(bytes), unit(&bytes[2..])]).collect()
}
