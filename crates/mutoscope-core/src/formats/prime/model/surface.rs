//! The surfaces of a CMDL: turns display lists of the console into triangles.

use crate::{
    diagnostics::{Error, SourceLocation},
    io::bytes::Cursor,
};

/// The triangles of one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The index of the material, which is the same in every set.
    pub material: usize,
    /// The drawing commands of the display list.
    pub commands: Vec<u8>,
    /// The corners in the order of the display list.
    pub corners: Vec<Corner>,
    /// The triangles as indices of corners, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The error that stopped reading early, if any.
    pub incomplete: Option<Error>,
}

/// A corner of a triangle, as indices into the arrays of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Corner {
    /// The index of its position.
    pub position: u16,
    /// The index of its normal, if it has one.
    pub normal: Option<u16>,
    /// The indices of its texture coordinates. `None` for sets that the material does not have.
    pub uvs: [Option<u16>; 8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VertexFormat(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IndexSize {
    Absent,
    Byte,
    Word,
}

impl VertexFormat {
    /// Returns the number of matrix indices of a corner. They precede the other indices and take
    /// one byte each.
    fn matrix_index_count(self) -> usize {
        (self.0 >> 24).count_ones() as usize
    }

    /// Returns the size of an index by its `number`: 0 is the position, 1 the normal, 2 and 3 the
    /// colours, 4 to 11 the texture coordinates.
    fn index_size(self, number: usize) -> IndexSize {
        match self.0 >> (2 * number) & 3 {
            0 => IndexSize::Absent,
            3 => IndexSize::Word,
            _ => IndexSize::Byte,
        }
    }

    fn has_position(self) -> bool {
        self.index_size(0) != IndexSize::Absent
    }

    fn vertex_bytes(self) -> usize {
        let size = |number| match self.index_size(number) {
            IndexSize::Absent => 0,
            IndexSize::Byte => 1,
            IndexSize::Word => 2,
        };
        self.matrix_index_count() + (0..12).map(size).sum::<usize>()
    }

    fn read_corner(self, cursor: &mut Cursor) -> Result<Corner, Error> {
        cursor.read_bytes(self.matrix_index_count(), "the matrices of a vertex")?;
        let mut indices = [None; 12];
        for (number, index) in indices.iter_mut().enumerate() {
            *index = match self.index_size(number) {
                IndexSize::Absent => None,
                IndexSize::Byte => Some(cursor.u8("an index of a vertex")?.into()),
                IndexSize::Word => Some(cursor.u16_be("an index of a vertex")?),
            };
        }
        let [position, normal, _, _, uvs @ ..] = indices;
        Ok(Corner { position: position.unwrap_or_default(), normal, uvs })
    }
}

pub(super) fn read_material_index(section: &[u8]) -> Result<usize, Error> {
    let mut cursor = Cursor::new(section);
    cursor.read_bytes(12, "the centre of a surface")?;
    Ok(cursor.u32_be("the material of a surface")? as usize)
}

pub(super) fn read_surface(
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
            let location = SourceLocation::span(12, 4);
            return Err(Error::malformed(
                location,
                "a material whose vertices have positions",
                "none",
            ));
        }
        // The skipped fields are the centre, the material, the size of the display list and two
        // pointers.
        cursor.read_bytes(28, "the head of a surface")?;
        let extra = cursor.u32_be("the size of the extra data of a surface")? as usize;
        cursor.read_bytes(if has_bank { 16 } else { 12 }, "the head of a surface")?;
        cursor.read_bytes(extra, "the extra data of a surface")?;
        let padding = cursor.offset().next_multiple_of(32) - cursor.offset();
        cursor.read_bytes(padding, "the padding before a display list")?;
        while !cursor.is_at_end() {
            let location = SourceLocation::span(cursor.offset(), 1);
            let command = cursor.u8("a command of a display list")?;
            if command == 0 {
                break;
            }
            self.read_command(cursor, command, format, location)?;
        }
        Ok(())
    }

    fn read_command(
        &mut self,
        cursor: &mut Cursor,
        command: u8,
        format: VertexFormat,
        location: SourceLocation,
    ) -> Result<(), Error> {
        let triangles: fn(u32) -> Vec<[u32; 3]> = match command & 0xf8 {
            0x80 => quad_triangles,
            0x90 => {
                |count| (0..count / 3).map(|index| [0, 1, 2].map(|at| 3 * index + at)).collect()
            }
            0x98 => strip_triangles,
            0xa0 => |count| (2..count).map(|at| [0, at - 1, at]).collect(),
            // Lines and points are skipped.
            0xa8 | 0xb0 | 0xb8 => |_| Vec::new(),
            _ => {
                let found = format!("{command:#04x}");
                return Err(Error::malformed(location, "a drawing command", found));
            }
        };
        let count = cursor.u16_be("the count of vertices of a drawing command")?;
        let bytes = cursor.read_bytes(
            usize::from(count) * format.vertex_bytes(),
            "the vertices of a drawing command",
        )?;
        let mut vertices = Cursor::new(bytes);
        let first = self.corners.len() as u32;
        for _ in 0..count {
            self.corners.push(format.read_corner(&mut vertices)?);
        }
        self.commands.push(command);
        let triangles = triangles(count.into()).into_iter();
        self.triangles.extend(triangles.map(|triangle| triangle.map(|at| first + at)));
        Ok(())
    }
}

fn quad_triangles(count: u32) -> Vec<[u32; 3]> {
    (0..count / 4)
        .map(|index| 4 * index)
        .flat_map(|at| [[at, at + 1, at + 2], [at, at + 2, at + 3]])
        .collect()
}

/// Returns the triangles of a triangle strip. Each corner from the third on forms a triangle with
/// the two corners before it. Every second triangle is reversed, so that all triangles face the
/// same way.
fn strip_triangles(count: u32) -> Vec<[u32; 3]> {
    let triangle =
        |at: u32| if at.is_multiple_of(2) { [at - 2, at - 1, at] } else { [at - 1, at - 2, at] };
    (2..count).map(triangle).collect()
}
