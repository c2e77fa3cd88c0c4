//! The surfaces of a CMDL: display lists of the console, as triangles.

use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

/// Triangles of one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The index of its material in every set.
    pub material: usize,
    /// Its commands, as the display list has them.
    pub commands: Vec<u8>,
    /// The corners that its display list names, one after the other.
    pub corners: Vec<Corner>,
    /// Its triangles, as indices of corners, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Why reading stopped early, if it did.
    pub incomplete: Option<Error>,
}

/// A corner of a triangle: indices into the arrays of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Corner {
    /// Its position.
    pub position: u16,
    /// Its normal, if it has one.
    pub normal: Option<u16>,
    /// Its texture coordinates, one for each that the material has.
    pub uvs: [Option<u16>; 8],
}

/// The vertex attributes in a display list, as a material's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VertexFormat(pub(super) u32);

/// How an index is stored, by two bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexSize {
    Absent,
    Byte,
    Word,
}

impl VertexFormat {
    /// The matrix indices before all others: a byte each.
    fn matrices(self) -> usize {
        (self.0 >> 24).count_ones() as usize
    }

    /// How the index with this number is stored: position, normal, two colours, texture coordinates.
    fn index(self, number: usize) -> IndexSize {
        match self.0 >> (2 * number) & 3 {
            0 => IndexSize::Absent,
            3 => IndexSize::Word,
            _ => IndexSize::Byte,
        }
    }

    fn has_position(self) -> bool {
        self.index(0) != IndexSize::Absent
    }

    /// How many bytes a vertex has.
    fn size(self) -> usize {
        let size = |number| match self.index(number) {
            IndexSize::Absent => 0,
            IndexSize::Byte => 1,
            IndexSize::Word => 2,
        };
        self.matrices() + (0..12).map(size).sum::<usize>()
    }

    fn corner(self, cursor: &mut Cursor) -> Result<Corner, Error> {
        cursor.take(self.matrices(), "the matrices of a vertex")?;
        let mut indices = [None; 12];
        for (number, index) in indices.iter_mut().enumerate() {
            *index = match self.index(number) {
                IndexSize::Absent => None,
                IndexSize::Byte => Some(cursor.u8("an index of a vertex")?.into()),
                IndexSize::Word => Some(cursor.u16_be("an index of a vertex")?),
            };
        }
        let [position, normal, _, _, uvs @ ..] = indices;
        Ok(Corner { position: position.unwrap_or_default(), normal, uvs })
    }
}

/// The index of the material of the surface in a section.
pub(super) fn material_index(section: &[u8]) -> Result<usize, Error> {
    let mut cursor = Cursor::new(section);
    cursor.take(12, "the centre of a surface")?;
    Ok(cursor.u32_be("the material of a surface")? as usize)
}

/// Reads a surface as far as it goes; `has_bank` as in Echoes. Places are those of its section.
pub(super) fn read(
    section: &[u8],
    material: usize,
    format: VertexFormat,
    has_bank: bool,
) -> Surface {
    let mut surface = Surface { material, ..Surface::default() };
    surface.incomplete = surface.read(&mut Cursor::new(section), format, has_bank).err();
    surface
}

impl Surface {
    fn read(
        &mut self,
        cursor: &mut Cursor,
        format: VertexFormat,
        has_bank: bool,
    ) -> Result<(), Error> {
        if !format.has_position() {
            let place = SourceLocation::span(12, 4);
            return Err(Error::malformed(
                place,
                "a material whose vertices have positions",
                "none",
            ));
        }
        // Centre, material, size of the display list, pointers.
        cursor.take(28, "the head of a surface")?;
        let extra = cursor.u32_be("the size of the extra data of a surface")? as usize;
        cursor.take(if has_bank { 16 } else { 12 }, "the head of a surface")?;
        cursor.take(extra, "the extra data of a surface")?;
        let padding = cursor.offset().next_multiple_of(32) - cursor.offset();
        cursor.take(padding, "the padding before a display list")?;
        while !cursor.is_at_end() {
            let place = SourceLocation::span(cursor.offset(), 1);
            let command = cursor.u8("a command of a display list")?;
            if command == 0 {
                break;
            }
            self.draw(cursor, command, format, place)?;
        }
        Ok(())
    }

    fn draw(
        &mut self,
        cursor: &mut Cursor,
        command: u8,
        format: VertexFormat,
        place: SourceLocation,
    ) -> Result<(), Error> {
        let triangles: fn(u32) -> Vec<[u32; 3]> = match command & 0xf8 {
            0x80 => quads,
            0x90 => {
                |count| (0..count / 3).map(|index| [0, 1, 2].map(|at| 3 * index + at)).collect()
            }
            0x98 => strip,
            0xa0 => |count| (2..count).map(|at| [0, at - 1, at]).collect(),
            // Lines and points.
            0xa8 | 0xb0 | 0xb8 => |_| Vec::new(),
            _ => {
                let found = format!("{command:#04x}");
                return Err(Error::malformed(place, "a drawing command", found));
            }
        };
        let count = cursor.u16_be("the count of vertices of a drawing command")?;
        let bytes =
            cursor.take(usize::from(count) * format.size(), "the vertices of a drawing command")?;
        let mut vertices = Cursor::new(bytes);
        let first = self.corners.len() as u32;
        for _ in 0..count {
            self.corners.push(format.corner(&mut vertices)?);
        }
        self.commands.push(command);
        let triangles = triangles(count.into()).into_iter();
        self.triangles.extend(triangles.map(|triangle| triangle.map(|at| first + at)));
        Ok(())
    }
}

/// Four corners each make two triangles.
fn quads(count: u32) -> Vec<[u32; 3]> {
    (0..count / 4)
        .map(|index| 4 * index)
        .flat_map(|at| [[at, at + 1, at + 2], [at, at + 2, at + 3]])
        .collect()
}

/// Every corner from the third on makes a triangle with the two before; every second one is flipped.
fn strip(count: u32) -> Vec<[u32; 3]> {
    let triangle =
        |at: u32| if at.is_multiple_of(2) { [at - 2, at - 1, at] } else { [at - 1, at - 2, at] };
    (2..count).map(triangle).collect()
}
