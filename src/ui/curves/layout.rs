//! Divides the height of the view among the panes.

use bevy_egui::egui::Rangef;

use super::pane::{Content, Pane};

/// In points, like all heights of this module.
pub(super) const TITLE_HEIGHT: f32 = 17.0;
pub(super) const ROW_HEIGHT: f32 = 15.0;
const BOTTOM_MARGIN: f32 = 3.0;
const STRIP_HEIGHT: f32 = 24.0;
const MIN_PLOT_HEIGHT: f32 = 56.0;

/// Returns the heights of `panes` from top to bottom. `rows` returns the number of rows of names in
/// a pane, or `None` if the pane is collapsed. Panes with curves share the rest of the height
/// `room`.
pub(super) fn pane_heights(
    panes: &[Pane],
    rows: impl Fn(&Pane) -> Option<usize>,
    room: f32,
) -> Vec<f32> {
    let min_height = |pane: &Pane| match (rows(pane), &pane.content) {
        (None, _) => TITLE_HEIGHT + BOTTOM_MARGIN,
        (_, Content::Colors(_) | Content::Text(_)) => STRIP_HEIGHT,
        (Some(rows), Content::Curves(_)) => {
            (TITLE_HEIGHT + ROW_HEIGHT * rows as f32 + BOTTOM_MARGIN).max(MIN_PLOT_HEIGHT)
        }
    };
    let grows = |pane: &Pane| rows(pane).is_some() && !pane.channels().is_empty();
    let needed: f32 = panes.iter().map(min_height).sum();
    let growing = panes.iter().filter(|pane| grows(pane)).count();
    let share = (room - needed).max(0.0) / growing.max(1) as f32;
    panes.iter().map(|pane| min_height(pane) + if grows(pane) { share } else { 0.0 }).collect()
}

/// Returns the vertical range in which a pane draws its curves. `rows` is the range of the pane,
/// and `shown` is the visible range. If the pane is taller than `shown`, the curves stay visible
/// while the names scroll.
pub(super) fn plot_range(rows: Rangef, shown: Rangef) -> Rangef {
    let height = (rows.span() - 2.0).min(shown.span());
    let top = shown.min.clamp(rows.min, (rows.max - height - 1.0).max(rows.min));
    let top = if rows.span() - 2.0 <= shown.span() { rows.min } else { top };
    Rangef::new(top, top + height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::{curves::channels, testing::two_hands};
    use mutoscope_core::clip::{NodeId, Owner};

    #[test]
    fn panes_share_the_height_and_collapsed_ones_shrink() {
        let clip = two_hands();
        let panes = channels::panes(&clip, &[Owner::Node(NodeId::new(4))], &[], false);
        assert_eq!(panes.len(), 2);
        let rows = |pane: &Pane| Some(pane.channels().len());
        let all = pane_heights(&panes, rows, 400.0);
        assert!((all.iter().sum::<f32>() - 400.0).abs() < 1e-3, "{all:?}");
        assert!(all[1] > all[0], "four names need more room than three");
        let expanded_rows = |pane: &Pane| rows(pane).filter(|_| pane.id() != panes[0].id());
        let one_expanded = pane_heights(&panes, expanded_rows, 400.0);
        assert_eq!(one_expanded[0], TITLE_HEIGHT + BOTTOM_MARGIN);
        assert!((one_expanded.iter().sum::<f32>() - 400.0).abs() < 1e-3, "{one_expanded:?}");
        let tight = pane_heights(&panes, rows, 50.0);
        assert_eq!(
            tight,
            [
                TITLE_HEIGHT + 3.0 * ROW_HEIGHT + BOTTOM_MARGIN,
                TITLE_HEIGHT + 4.0 * ROW_HEIGHT + BOTTOM_MARGIN
            ]
        );
    }

    #[test]
    fn curves_of_long_panes_stay_visible() {
        let shown = Rangef::new(100.0, 200.0);
        assert_eq!(plot_range(Rangef::new(120.0, 180.0), shown), Rangef::new(120.0, 178.0));
        assert_eq!(plot_range(Rangef::new(0.0, 600.0), shown), Rangef::new(100.0, 200.0));
        assert_eq!(plot_range(Rangef::new(150.0, 600.0), shown), Rangef::new(150.0, 250.0));
        let nearly_over = plot_range(Rangef::new(-400.0, 140.0), shown);
        assert_eq!(nearly_over, Rangef::new(39.0, 139.0));
    }
}
