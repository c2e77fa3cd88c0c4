//! Reads the group `ROTATION`: the poses of segments, as written by Theia3D and Visual3D.

use glam::{DMat3, DQuat, DVec3};
use mutoscope_core::diagnostics::{Diagnostics, SourceLocation, format_count};

use super::{BLOCK_BYTES, Header, numbers::Processor, parameters::Parameters};
use crate::{codes, table::Table};

/// The size of a pose: a matrix of 4 × 4 numbers, and the reliability.
const POSE_BYTES: usize = 17 * 4;

pub(super) struct Rotations {
    processor: Processor,
    pub(super) labels: Vec<String>,
    pub(super) start: usize,
    /// The number of poses of a segment in a frame.
    pub(super) per_frame: usize,
}

impl Rotations {
    /// Returns `None` if the file has no rotations.
    pub(super) fn read(
        header: &Header<'_>,
        parameters: &Parameters<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        const MAX_PER_FRAME: f64 = 1e6;
        let mut labels = parameters.labels("ROTATION", "LABELS");
        let used = parameters.unsigned("ROTATION", "USED").map_or(labels.len(), |it| it as usize);
        if used == 0 {
            return None;
        }
        let Some(block) = parameters.unsigned("ROTATION", "DATA_START").filter(|it| *it >= 2.0)
        else {
            let message = format!(
                "the file has {} without ROTATION:DATA_START; skipped",
                format_count(used, "rotation")
            );
            diagnostics
                .warning(codes::c3d::ROTATIONS_SKIPPED, SourceLocation::File, message)
                .with("count", used);
            return None;
        };
        labels.resize(used, String::new());
        for label in &mut labels {
            let end = label.len().saturating_sub(4);
            if end > 0 && label.get(end..).is_some_and(|end| end.eq_ignore_ascii_case("_4X4")) {
                label.truncate(end);
            }
        }
        let ratio = parameters
            .number("ROTATION", "RATIO")
            .or_else(|| Some(parameters.number("ROTATION", "RATE")? / header.read_f32(11)));
        let ratio = ratio.map_or(1.0, |ratio| ratio.round().clamp(1.0, MAX_PER_FRAME));
        let start = (block as usize - 1) * BLOCK_BYTES;
        let processor = header.processor;
        let rotations = Self { processor, labels, start, per_frame: ratio as usize };
        if header.bytes.len().saturating_sub(start) < rotations.frame_bytes() {
            let message = format!("the file ends before its {}", format_count(used, "rotation"));
            diagnostics.error(
                codes::c3d::TRUNCATED,
                SourceLocation::byte(header.bytes.len()),
                message,
            );
            return None;
        }
        Some(rotations)
    }

    pub(super) fn frame_bytes(&self) -> usize {
        self.labels.len() * self.per_frame * POSE_BYTES
    }

    /// Reads the poses to seven columns for each label, from `first_column` on: x, y and z of the
    /// position, and x, y, z and w of the rotation.
    pub(super) fn read_poses(
        &self,
        bytes: &[u8],
        frames: usize,
        first_column: usize,
        table: &mut Table,
        diagnostics: &mut Diagnostics,
    ) {
        if self.per_frame > 1 {
            let message = format!(
                "each frame has {} rotations of a segment; using the first one",
                self.per_frame
            );
            diagnostics.warning(
                codes::c3d::ROTATIONS_SKIPPED,
                SourceLocation::byte(self.start),
                message,
            );
        }
        let available = bytes.len().saturating_sub(self.start) / self.frame_bytes();
        if available < frames {
            let message =
                format!("the file ends after the rotations of {available} of {frames} frames");
            diagnostics
                .error(codes::c3d::TRUNCATED, SourceLocation::byte(bytes.len()), message)
                .with("expected", frames)
                .with("found", available);
        }
        let (mut invalid, mut first_invalid) = (0, 0);
        for frame in 0..frames.min(available) {
            for label in 0..self.labels.len() {
                let at = self.start + frame * self.frame_bytes() + label * POSE_BYTES;
                let numbers: [f64; 17] = std::array::from_fn(|index| {
                    self.processor.f32_at(bytes, at + 4 * index).unwrap_or(f64::NAN)
                });
                match parse_pose(numbers) {
                    Pose::Valid(position, rotation) => {
                        let numbers = position.to_array().into_iter().chain(rotation.to_array());
                        for (offset, number) in numbers.enumerate() {
                            table.push_number(first_column + 7 * label + offset, frame, number);
                        }
                    }
                    Pose::Lost => {}
                    Pose::Invalid => {
                        if invalid == 0 {
                            first_invalid = at;
                        }
                        invalid += 1;
                    }
                }
            }
        }
        if invalid > 0 {
            let message = format!(
                "the matrix of {} is not a rotation and a position; the segment is hidden there",
                format_count(invalid, "pose")
            );
            diagnostics
                .warning(codes::c3d::INVALID_ROTATION, SourceLocation::byte(first_invalid), message)
                .with("count", invalid);
        }
    }
}

enum Pose {
    Valid(DVec3, DQuat),
    /// The reliability is below 0, or there are no numbers.
    Lost,
    Invalid,
}

/// Parses a matrix, which is stored column by column. Its last row is 0 0 0 1.
fn parse_pose(numbers: [f64; 17]) -> Pose {
    const TOLERANCE: f64 = 0.02;
    let [matrix @ .., reliability] = numbers;
    let is_empty = matrix.iter().any(|it| !it.is_finite()) || matrix.iter().all(|it| *it == 0.0);
    if reliability < 0.0 || reliability.is_nan() || is_empty {
        return Pose::Lost;
    }
    let column = |index: usize| DVec3::from_slice(&matrix[4 * index..]);
    let rotation = DMat3::from_cols(column(0), column(1), column(2));
    let position = column(3);
    let error = rotation * rotation.transpose() - DMat3::IDENTITY;
    let is_rotation = error.to_cols_array().iter().all(|it| it.abs() < TOLERANCE)
        && rotation.determinant() > 0.0
        && [matrix[3], matrix[7], matrix[11]].iter().all(|it| it.abs() < TOLERANCE);
    match is_rotation {
        true => Pose::Valid(position, DQuat::from_mat3(&rotation).normalize()),
        false => Pose::Invalid,
    }
}
