//! The widths of trails: thinner the farther from now. Lines of one kind have one width, so there is a
//! kind for each.

use bevy::{ecs::system::SystemParam, prelude::*};

use super::overlay::config;

/// Lines next to the current time.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Widest;
/// Lines farther away.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Wide;
/// Lines far away.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Thin;
/// Lines at the ends.
#[derive(Default, Reflect, GizmoConfigGroup)]
struct Thinnest;

/// How many widths there are.
const WIDTHS: usize = 4;

/// Makes the kinds of lines known to the app. Trails are in front of everything.
pub(super) fn plugin(app: &mut App) {
    app.insert_gizmo_config(Widest, config(4.0, -1.0))
        .insert_gizmo_config(Wide, config(3.0, -1.0))
        .insert_gizmo_config(Thin, config(2.1, -1.0))
        .insert_gizmo_config(Thinnest, config(1.3, -1.0));
}

/// The lines that trails are drawn with.
#[derive(SystemParam)]
pub(super) struct TrailLines<'w, 's> {
    widest: Gizmos<'w, 's, Widest>,
    wide: Gizmos<'w, 's, Wide>,
    thin: Gizmos<'w, 's, Thin>,
    thinnest: Gizmos<'w, 's, Thinnest>,
}

impl TrailLines<'_, '_> {
    /// Draws a run of points, each with its colour and how far from now it is: from 0, now, to 1, the
    /// end of the window.
    pub(super) fn draw(&mut self, run: &[(Vec3, Color, f32)]) {
        for (width, piece) in pieces(run) {
            let points = piece.iter().map(|(place, color, _)| (*place, *color));
            match width {
                0 => self.widest.linestrip_gradient(points),
                1 => self.wide.linestrip_gradient(points),
                2 => self.thin.linestrip_gradient(points),
                _ => self.thinnest.linestrip_gradient(points),
            }
        }
    }
}

/// The pieces of a run that are of one width, from the widest, 0, on. Each begins where the one before
/// ends.
fn pieces(run: &[(Vec3, Color, f32)]) -> impl Iterator<Item = (usize, &[(Vec3, Color, f32)])> {
    let width = |point: &(Vec3, Color, f32)| ((point.2 * WIDTHS as f32) as usize).min(WIDTHS - 1);
    let mut start = 0;
    std::iter::from_fn(move || {
        let first = run.get(start).filter(|_| start + 1 < run.len())?;
        let rest = &run[start + 1..];
        let other = rest.iter().position(|point| width(point) != width(first));
        let end = start + 1 + other.unwrap_or(rest.len() - 1);
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
            .map(|index| (Vec3::X * index as f32, Color::WHITE, (index as f32 / 10.0 - 1.0).abs()))
            .collect();
        let found: Vec<_> = pieces(&run).collect();
        let widths: Vec<usize> = found.iter().map(|(width, _)| *width).collect();
        assert_eq!(widths, [3, 2, 1, 0, 1, 2, 3]);
        assert_eq!(found[0].1[0].0, run[0].0);
        assert_eq!(found[6].1.last().unwrap().0, run[20].0);
        for pair in found.windows(2) {
            assert_eq!(pair[0].1.last().unwrap().0, pair[1].1[0].0);
        }
        assert_eq!(pieces(&run[..1]).count() + pieces(&[]).count(), 0);
    }
}
