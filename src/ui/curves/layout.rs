//! How the panes share the room.

use bevy_egui::egui::Rangef;

use super::pane::{Content, Pane};

/// The height of a title.
pub(super) const TITLE: f32 = 17.0;
/// The height of a name.
pub(super) const ROW: f32 = 15.0;
/// The room below the names.
const BELOW: f32 = 3.0;
/// The height of a strip of colours or words, title included.
const STRIP: f32 = 24.0;
/// Curves lower than this say little.
const LOWEST: f32 = 56.0;

/// The heights of `panes` from top to bottom, each with this many rows of names, if it is not
/// folded. What is left of `room` is shared among curves.
pub(super) fn heights(
    panes: &[Pane],
    rows: impl Fn(&Pane) -> Option<usize>,
    room: f32,
) -> Vec<f32> {
    let least = |pane: &Pane| match (rows(pane), &pane.content) {
        (None, _) => TITLE + BELOW,
        (_, Content::Colors(_) | Content::Words(_)) => STRIP,
        (Some(rows), Content::Curves(_)) => (TITLE + ROW * rows as f32 + BELOW).max(LOWEST),
    };
    let grows = |pane: &Pane| rows(pane).is_some() && !pane.channels().is_empty();
    let needed: f32 = panes.iter().map(least).sum();
    let growing = panes.iter().filter(|pane| grows(pane)).count();
    let share = (room - needed).max(0.0) / growing.max(1) as f32;
    panes.iter().map(|pane| least(pane) + if grows(pane) { share } else { 0.0 }).collect()
}

/// Where within `rows`, the room of a pane, its curves are drawn: all of it, but the curves of a
/// pane longer than `shown` stay in view while its names scroll.
pub(super) fn plot(rows: Rangef, shown: Rangef) -> Rangef {
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
        let panes = channels::panes(&clip, &[Owner::Node(NodeId::new(4))], false);
        assert_eq!(panes.len(), 2);
        let rows = |pane: &Pane| Some(pane.channels().len());
        let all = heights(&panes, rows, 400.0);
        assert!((all.iter().sum::<f32>() - 400.0).abs() < 1e-3, "{all:?}");
        assert!(all[1] > all[0], "four names need more room than three");
        let unfolded = |pane: &Pane| rows(pane).filter(|_| pane.id() != panes[0].id());
        let one = heights(&panes, unfolded, 400.0);
        assert_eq!(one[0], TITLE + BELOW);
        assert!((one.iter().sum::<f32>() - 400.0).abs() < 1e-3, "{one:?}");
        let tight = heights(&panes, rows, 50.0);
        assert_eq!(tight, [TITLE + 3.0 * ROW + BELOW, TITLE + 4.0 * ROW + BELOW]);
    }

    #[test]
    fn curves_of_long_panes_stay_visible() {
        let shown = Rangef::new(100.0, 200.0);
        assert_eq!(plot(Rangef::new(120.0, 180.0), shown), Rangef::new(120.0, 178.0));
        assert_eq!(plot(Rangef::new(0.0, 600.0), shown), Rangef::new(100.0, 200.0));
        assert_eq!(plot(Rangef::new(150.0, 600.0), shown), Rangef::new(150.0, 250.0));
        let nearly_over = plot(Rangef::new(-400.0, 140.0), shown);
        assert_eq!(nearly_over, Rangef::new(39.0, 139.0));
    }
}
