//! Draws trails that become thinner away from the current time.
//!
//! All lines of a gizmo group have the same width, so there is one group for each width.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::overlay::line_config;

#[derive(Clone, Copy, Debug)]
pub(super) struct TrailVertex {
    pub(super) position: Vec3,
    pub(super) color: Color,
    /// The distance from the current time, from 0 (the current time) to 1 (the start or the end of
    /// the window).
    pub(super) distance_from_now: f32,
}

#[derive(Default, Reflect, GizmoConfigGroup)]
struct Widest;
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Wide;
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Thin;
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Thinnest;

const WIDTH_COUNT: usize = 4;

pub(super) fn add_line_configs(app: &mut App, has_camera: bool) {
    app.insert_gizmo_config(Widest, line_config(4.0, -1.0, has_camera))
        .insert_gizmo_config(Wide, line_config(3.0, -1.0, has_camera))
        .insert_gizmo_config(Thin, line_config(2.1, -1.0, has_camera))
        .insert_gizmo_config(Thinnest, line_config(1.3, -1.0, has_camera));
}

#[derive(SystemParam)]
pub(super) struct TrailLines<'w, 's> {
    widest: Gizmos<'w, 's, Widest>,
    wide: Gizmos<'w, 's, Wide>,
    thin: Gizmos<'w, 's, Thin>,
    thinnest: Gizmos<'w, 's, Thinnest>,
}

impl TrailLines<'_, '_> {
    pub(super) fn draw(&mut self, run: &[TrailVertex]) {
        for (width, piece) in pieces(run) {
            let points = piece.iter().map(|vertex| (vertex.position, vertex.color));
            match width {
                0 => self.widest.linestrip_gradient(points),
                1 => self.wide.linestrip_gradient(points),
                2 => self.thin.linestrip_gradient(points),
                _ => self.thinnest.linestrip_gradient(points),
            }
        }
    }
}

/// Splits a run into pieces of equal width. The width with index 0 is the widest. Each piece begins
/// at the last point of the piece before it, so that the pieces are connected.
fn pieces(run: &[TrailVertex]) -> impl Iterator<Item = (usize, &[TrailVertex])> {
    let width = |vertex: &TrailVertex| {
        ((vertex.distance_from_now * WIDTH_COUNT as f32) as usize).min(WIDTH_COUNT - 1)
    };
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = run.get(start).filter(|_| start + 1 < run.len())?;
        let rest = &run[start + 1..];
        let next_width = rest.iter().position(|vertex| width(vertex) != width(first));
        let end = start + 1 + next_width.unwrap_or(rest.len() - 1);
        let piece = &run[start..=end];
        start = end;
        Some((width(first), piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_meet_and_are_thinner_farther_from_now() {
        let run: Vec<_> = (0..=20)
            .map(|index| TrailVertex {
                position: Vec3::X * index as f32,
                color: Color::WHITE,
                distance_from_now: (index as f32 / 10.0 - 1.0).abs(),
            })
            .collect();
        let found: Vec<_> = pieces(&run).collect();
        let widths: Vec<usize> = found.iter().map(|(width, _)| *width).collect();
        assert_eq!(widths, [3, 2, 1, 0, 1, 2, 3]);
        assert_eq!(found[0].1[0].position, run[0].position);
        assert_eq!(found[6].1.last().unwrap().position, run[20].position);
        for pair in found.windows(2) {
            assert_eq!(pair[0].1.last().unwrap().position, pair[1].1[0].position);
        }
        assert_eq!(pieces(&run[..1]).count() + pieces(&[]).count(), 0);
    }
}
