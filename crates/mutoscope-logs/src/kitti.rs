//! Recognises the rows of a KITTI trajectory, which has no header, by their numbers.

use glam::{DMat3, DVec3};

use crate::{
    matrices::{MAX_ROTATION_ERROR, is_rotation},
    table::{Column, Table},
};

const NUMBERS: usize = 12;

/// The name that the catalogue has for the camera of a KITTI trajectory.
const CAMERA: &str = "KITTI camera";

/// Names the columns of a table if each of its rows holds the upper three rows of a matrix that
/// moves and rotates. Adds a column of frames.
pub(crate) fn name_columns(table: &mut Table) {
    let is_numbered = |(index, column): (usize, &Column)| column.name == (index + 1).to_string();
    let is_matrix =
        table.columns.len() == NUMBERS && table.columns.iter().enumerate().all(is_numbered);
    if !is_matrix || table.rows < 2 || !(0..table.rows).all(|row| is_rigid(table, row)) {
        return;
    }
    for (index, column) in table.columns.iter_mut().enumerate() {
        column.name = format!("{CAMERA}_m{}{}", index / 4, index % 4);
    }
    let mut frames = Column::new("frame");
    (0..table.rows).for_each(|row| frames.push(row, row as f64));
    table.columns.push(frames);
}

/// Returns `true` if the matrix in a row rotates without mirroring or scaling.
fn is_rigid(table: &Table, row: usize) -> bool {
    let number = |index: usize| table.columns[index].number(row);
    let axis = |column: usize| DVec3::new(number(column), number(4 + column), number(8 + column));
    let rotation = DMat3::from_cols(axis(0), axis(1), axis(2));
    axis(3).is_finite() && is_rotation(&rotation, MAX_ROTATION_ERROR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(rows: &[[f64; NUMBERS]]) -> Vec<String> {
        let mut table = Table::new("csv");
        table.columns = (1..=NUMBERS).map(|number| Column::new(number.to_string())).collect();
        table.rows = rows.len();
        for (row, numbers) in rows.iter().enumerate() {
            numbers.iter().enumerate().for_each(|(at, it)| table.push_number(at, row, *it));
        }
        name_columns(&mut table);
        table.columns.into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn only_rotations_are_trajectories() {
        let unit = [1.0, 0.0, 0.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let turned = [0.0, 0.0, 1.0, 5.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0];
        let names = names_of(&[unit, turned]);
        assert_eq!((names.len(), names[12].as_str()), (13, "frame"));
        let mut mirrored = unit;
        mirrored[0] = -1.0;
        let mut scaled = unit;
        scaled[5] = 1.1;
        let mut lost = unit;
        lost[3] = f64::NAN;
        for other in [mirrored, scaled, lost, [0.5; NUMBERS]] {
            assert_eq!(names_of(&[unit, other])[0], "1", "{other:?}");
        }
        assert_eq!(names_of(&[unit])[0], "1", "one row may be anything");
    }
}
