//! Splits columns of 4 × 4 matrices into position, rotation and scale.

use std::collections::HashMap;

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::diagnostics::{Diagnostics, SourceLocation};

use crate::{
    codes,
    table::{Column, Table},
};

const ELEMENTS: usize = 16;

const IDENTITY: [f64; ELEMENTS] =
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// Replaces the columns of each matrix with columns for the position, the rotation and, if it is
/// not 1, the scale.
///
/// A matrix is a list of 16 numbers, a list of four lists of four numbers, or 16 columns whose names
/// end with `m00` to `m33`, `m11` to `m44`, `[0][0]` to `[3][3]` or `[1][1]` to `[4][4]`. A matrix is only used if its last row or its last
/// column is 0 0 0 1. The position is then in the last column or the last row, respectively.
/// Matrices of 3 × 4 and 3 × 3 are only used if they are rotations in every row.
pub(crate) fn split_matrices(table: &mut Table, diagnostics: &mut Diagnostics) {
    crate::kitti::name_columns(table);
    // Formats that assign roles to columns do not store matrices.
    let matrices = if table.declared.roles.is_empty() { find_matrices(table) } else { Vec::new() };
    if matrices.is_empty() {
        return;
    }
    let mut made: HashMap<usize, Vec<Column>> = HashMap::new();
    let mut used = vec![false; table.columns.len()];
    let (mut skewed, mut first) = (0, None);
    for Matrix { name, list, columns } in matrices {
        let is_whole = columns.iter().all(Option::is_some);
        let Some(poses) = Poses::from_matrices(table, columns) else {
            if !is_whole {
                continue;
            }
            // The names of nested lists end with the names of axes. Number the items instead, so
            // that they are not taken for positions.
            for (index, column) in columns.into_iter().flatten().enumerate() {
                if table.columns[column].is_list_item {
                    table.columns[column].name = format!("{list}.{index}");
                }
            }
            first.get_or_insert(name);
            skewed += 1;
            continue;
        };
        columns.iter().flatten().for_each(|column| used[*column] = true);
        let has_position = columns[3].is_some();
        made.extend(columns[0].map(|first| (first, poses.to_columns(&name, has_position))));
    }
    if let Some(name) = first {
        let message = format!(
            "the matrices {name:?} have neither a last row nor a last column of 0 0 0 1; using their \
             numbers as signals. Such matrices: {skewed}"
        );
        diagnostics
            .warning(codes::table::POSES_AS_SIGNALS, SourceLocation::File, message)
            .with("count", skewed);
    }
    let columns = std::mem::take(&mut table.columns);
    for (index, column) in columns.into_iter().enumerate() {
        table.columns.extend(made.remove(&index).unwrap_or_default());
        if !used[index] {
            table.columns.push(column);
        }
    }
    table.make_column_names_unique();
}

struct Matrix {
    name: String,
    /// The name of the columns, without the row and the column of the element.
    list: String,
    /// The column of each element, row by row. `None` for an element of the identity.
    columns: [Option<usize>; ELEMENTS],
}

/// The column of each element, by row and column. The column names number rows and columns from 0
/// or from 1.
type ElementColumns = [[Option<usize>; 5]; 5];

fn find_matrices(table: &Table) -> Vec<Matrix> {
    let mut found: HashMap<(&str, bool), ElementColumns> = HashMap::new();
    let mut order = Vec::new();
    for (index, column) in table.columns.iter().enumerate() {
        let Some((name, [row, of_row])) = parse_element(column) else { continue };
        let key = (name, column.is_list_item);
        let slots = found.entry(key).or_insert_with(|| {
            order.push(key);
            ElementColumns::default()
        });
        slots[row][of_row].get_or_insert(index);
    }
    let matrix = |key: &(&str, bool)| {
        let columns = element_columns(&found[key])?;
        Some(Matrix { name: node_name(key.0).to_owned(), list: key.0.to_owned(), columns })
    };
    order.iter().filter_map(matrix).collect()
}

fn element_columns(slots: &ElementColumns) -> Option<[Option<usize>; ELEMENTS]> {
    let first = usize::from(slots[0][0].is_none());
    let all = slots.iter().flatten().flatten().count();
    let (rows, of_row) = match all {
        ELEMENTS => (4, 4),
        12 => (3, 4),
        9 => (3, 3),
        _ => return None,
    };
    let mut columns = [None; ELEMENTS];
    for row in 0..rows {
        for column in 0..of_row {
            columns[4 * row + column] = Some(slots[first + row][first + column]?);
        }
    }
    Some(columns)
}

fn parse_element(column: &Column) -> Option<(&str, [usize; 2])> {
    let name = column.name.as_str();
    if column.is_list_item {
        let (name, number) = name.rsplit_once('.')?;
        if let (Some((name, row)), Some(column)) = (name.rsplit_once('.'), axis_index(number)) {
            let row = axis_index(row).or_else(|| row.parse().ok().filter(|row| *row <= 4))?;
            return Some((name, [row, column]));
        }
        let number: usize = number.parse().ok()?;
        // Also accept item 16, so that a list of 17 or more items is not taken for a matrix.
        return (number <= ELEMENTS).then_some((name, [number / 4, number % 4]));
    }
    let (name, digits) = match name.strip_suffix(']').and_then(|name| name.rsplit_once("][")) {
        Some((name, of_row)) => {
            let (name, row) = name.rsplit_once('[')?;
            (name, format!("{row}{of_row}"))
        }
        None => {
            let (name, digits) = name.split_at_checked(name.len().checked_sub(2)?)?;
            (name.strip_suffix(['m', 'M'])?, digits.to_owned())
        }
    };
    let &[row @ b'0'..=b'4', of_row @ b'0'..=b'4'] = digits.as_bytes() else { return None };
    Some((name, [row, of_row].map(|digit| usize::from(digit - b'0'))))
}

fn axis_index(name: &str) -> Option<usize> {
    ["x", "y", "z", "w"].iter().position(|axis| *axis == name)
}

fn node_name(name: &str) -> &str {
    let mut name = name.trim_end_matches(['_', '.', ' ', '-']);
    for word in ["matrix", "transform", "xform", "pose", "mat"] {
        let at = name.len().saturating_sub(word.len());
        let is_word = name.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(word));
        if is_word && at > 0 {
            name = name[..at].trim_end_matches(['_', '.', ' ', '-']);
            break;
        }
    }
    name
}

/// The largest error of the product of a rotation and its inverse. Some programs write four decimals.
pub(crate) const MAX_ROTATION_ERROR: f64 = 1e-3;

/// Returns `true` if a matrix rotates without mirroring or scaling.
pub(crate) fn is_rotation(matrix: &DMat3, max_error: f64) -> bool {
    (matrix.transpose() * *matrix).abs_diff_eq(DMat3::IDENTITY, max_error)
        && matrix.determinant() > 0.0
}

#[derive(Default)]
struct Poses {
    rows: Vec<usize>,
    positions: Vec<DVec3>,
    rotations: Vec<DQuat>,
    scales: Vec<DVec3>,
}

impl Poses {
    fn from_matrices(table: &Table, columns: [Option<usize>; ELEMENTS]) -> Option<Self> {
        let numbers = |row: usize| -> [f64; ELEMENTS] {
            std::array::from_fn(|at| match columns[at] {
                Some(column) => table.columns[column].number(row),
                None => IDENTITY[at],
            })
        };
        let is_whole = columns.iter().all(Option::is_some);
        let rows: Vec<usize> = table.columns[columns[0]?].numbers().map(|(row, _)| row).collect();
        // A row of zeros means that the pose is lost.
        let is_tracked = |row: &usize| {
            let numbers = numbers(*row);
            let mut own = columns.iter().zip(numbers).filter(|(column, _)| column.is_some());
            numbers.iter().all(|it| it.is_finite()) && own.any(|(_, it)| it != 0.0)
        };
        let rows: Vec<usize> = rows.into_iter().filter(is_tracked).collect();
        let are_unit_w = |indices: [usize; 4]| {
            rows.iter().all(|row| {
                let numbers = numbers(*row);
                let [x, y, z, w] = indices.map(|index| numbers[index]);
                [x, y, z, w - 1.0].iter().all(|it| it.abs() < 1e-6)
            })
        };
        let is_by_rows = are_unit_w([12, 13, 14, 15]);
        if rows.is_empty() || !is_by_rows && !are_unit_w([3, 7, 11, 15]) {
            return None;
        }
        let mut poses = Self::default();
        for row in rows {
            let numbers = numbers(row);
            let element = |row: usize, column: usize| match is_by_rows {
                true => numbers[4 * row + column],
                false => numbers[4 * column + row],
            };
            let axis = |column: usize| {
                DVec3::new(element(0, column), element(1, column), element(2, column))
            };
            let axes = [0, 1, 2].map(axis);
            let scale = DVec3::from_array(axes.map(DVec3::length));
            if scale.min_element() == 0.0 {
                continue;
            }
            let axes_matrix = DMat3::from_cols(axes[0], axes[1], axes[2]);
            if !is_whole && !is_rotation(&axes_matrix, MAX_ROTATION_ERROR) {
                return None;
            }
            let turned = DMat3::from_cols(axes[0] / scale.x, axes[1] / scale.y, axes[2] / scale.z);
            // A rotation cannot mirror, so move the reflection into the scale of x.
            let (turned, scale) = match turned.determinant() < 0.0 {
                true => (
                    turned * DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)),
                    scale * DVec3::new(-1.0, 1.0, 1.0),
                ),
                false => (turned, scale),
            };
            poses.rows.push(row);
            poses.positions.push(axis(3));
            poses.rotations.push(DQuat::from_mat3(&turned).normalize());
            poses.scales.push(scale);
        }
        (!poses.rows.is_empty()).then_some(poses)
    }

    fn to_columns(&self, name: &str, has_position: bool) -> Vec<Column> {
        let mut columns = Vec::new();
        let mut add = |quantity: &str, axes: &[&str], number: &dyn Fn(usize, usize) -> f64| {
            for (index, axis) in axes.iter().enumerate() {
                let mut column = Column::new(format!("{name}.{quantity}.{axis}"));
                for (pose, row) in self.rows.iter().enumerate() {
                    column.push(*row, number(pose, index));
                }
                columns.push(column);
            }
        };
        let axes = ["x", "y", "z", "w"];
        if has_position {
            add("position", &axes[..3], &|pose, axis| self.positions[pose][axis]);
        }
        add("rotation", &axes, &|pose, axis| self.rotations[pose].to_array()[axis]);
        if self.scales.iter().any(|scale| !scale.abs_diff_eq(DVec3::ONE, 1e-4)) {
            add("scale", &axes[..3], &|pose, axis| self.scales[pose][axis]);
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATRIX: [f64; 16] =
        [0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 2.0, -1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0];

    fn split(names: &[String], is_list_item: bool, matrices: &[[f64; 16]]) -> (Table, Diagnostics) {
        let mut table = Table::new("csv");
        table.columns = names
            .iter()
            .map(|name| if is_list_item { Column::list_item(name) } else { Column::new(name) })
            .collect();
        for (row, matrix) in matrices.iter().enumerate() {
            matrix.iter().enumerate().for_each(|(at, it)| table.push_number(at, row, *it));
        }
        table.rows = matrices.len();
        let mut diagnostics = Diagnostics::new();
        split_matrices(&mut table, &mut diagnostics);
        (table, diagnostics)
    }

    fn transposed(matrix: [f64; 16]) -> [f64; 16] {
        std::array::from_fn(|at| matrix[at % 4 * 4 + at / 4])
    }

    #[test]
    fn splits_row_major_and_column_major_matrices() {
        let named = |first: usize| -> Vec<String> {
            (0..16)
                .map(|at| format!("head_transform_m{}{}", first + at / 4, first + at % 4))
                .collect()
        };
        let listed: Vec<String> = (0..16).map(|at| format!("head.{at}")).collect();
        let cases = [
            (named(0), false, MATRIX),
            (named(1), false, MATRIX),
            (listed.clone(), true, MATRIX),
            (listed, true, transposed(MATRIX)),
        ];
        for (names, is_list_item, matrix) in cases {
            let (table, diagnostics) = split(&names, is_list_item, &[[0.0; 16], matrix]);
            assert!(diagnostics.is_empty(), "{diagnostics:?}");
            let found: Vec<_> = table.columns.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(found.len(), 7, "{found:?}");
            assert_eq!((found[0], found[6]), ("head.position.x", "head.rotation.w"));
            let numbers: Vec<f64> = table.columns.iter().map(|it| it.number(1)).collect();
            assert_eq!(numbers[..3], [1.0, 2.0, 3.0], "{names:?}");
            let half = std::f64::consts::FRAC_1_SQRT_2;
            let expected = [0.0, half, 0.0, half];
            assert!(numbers[3..].iter().zip(expected).all(|(one, it)| (one - it).abs() < 1e-12));
            assert!(table.columns[0].number(0).is_nan(), "zeros are a lost matrix");
        }
    }

    #[test]
    fn keeps_scales_and_leaves_other_matrices() {
        let names: Vec<String> = (0..16).map(|at| format!("a_m{}{}", at / 4, at % 4)).collect();
        let mut scaled = MATRIX;
        (0..3).for_each(|row| scaled[4 * row] *= 2.0);
        let (table, _) = split(&names, false, &[scaled]);
        assert_eq!(table.columns.len(), 10);
        assert!((table.columns[7].number(0) - 2.0).abs() < 1e-12);
        let mut skewed = MATRIX;
        (skewed[3], skewed[12]) = (1.0, 1.0);
        let (table, diagnostics) = split(&names, false, &[skewed]);
        assert_eq!((table.columns.len(), diagnostics.len()), (16, 1), "{diagnostics:?}");
        let longer: Vec<String> = (0..17).map(|at| format!("a.{at}")).collect();
        let (table, diagnostics) = split(&longer, true, &[MATRIX]);
        assert_eq!((table.columns.len(), diagnostics.len()), (17, 0));
    }
}
