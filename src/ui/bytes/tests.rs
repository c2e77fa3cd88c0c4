//! Tests clicks on bytes, and scrolling to the selected key.

use bevy_egui::egui::{Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::*;
use crate::{
    session::{Command, FileListing, Panel, PanelCommand, ViewCommand},
    ui::testing::{PanelFixture, show},
};
use mutoscope_core::{
    clip::TrackId,
    formats::{ReadOptions, decode},
};

type Pane = Harness<'static, PanelFixture<BytesState>>;

const HANDS: &[u8] = include_bytes!("../../../assets/mrtk/two-hands.bin");
const MAYA: &[u8] = include_bytes!("../../../assets/maya/walk-with-hat.anim");

/// Shows the recording in `bytes`, with `key` selected.
fn show_bytes(bytes: &'static [u8], key: Option<KeyId>) -> Pane {
    let clip = decode(bytes, &ReadOptions::default()).unwrap();
    let listed = FileListing::for_clip(&clip, &bytes.into());
    let mut fixture: PanelFixture<BytesState> = PanelFixture::with_clip(clip);
    (fixture.listed, fixture.view.selected_key) =
        (listed, key.map(|key| fixture.recording_key(key)));
    let mut pane = show(fixture, [640.0, 300.0], bytes_ui);
    pane.run();
    pane
}

fn key(track: usize, index: usize) -> KeyId {
    KeyId { track: TrackId::new(track), index }
}

fn has_label(pane: &Pane, label: &str) -> bool {
    pane.query_all_by_label_contains(label).next().is_some()
}

fn click(pane: &mut Pane, position: Pos2) -> Vec<Command> {
    pane.hover_at(position);
    pane.drag_at(position);
    pane.drop_at(position);
    pane.run();
    pane.state_mut().take_commands()
}

fn row_position(pane: &Pane, row: usize, x: f32) -> Pos2 {
    let body = pane.get_by_label_contains("Bytes: ").rect();
    body.min + vec2(x, (row as f32 + 0.5) * row::ROW_HEIGHT)
}

#[test]
fn selected_key_is_scrolled_into_view_and_named() {
    let selected = key(40, 150);
    let pane = show_bytes(HANDS, Some(selected));
    let state = pane.state();
    let listing = state.listed.listing().unwrap();
    let clip = state.clip();
    let bytes = listing.key_ranges(clip, selected)[0].clone();
    let (top, _) = state.state.scroll.top();
    let row = listing.row_at(bytes.start);
    assert!((top..top + 12).contains(&row), "row {row} from {top} on");
    assert_eq!(state.state.marks.mark_at(bytes.start), marks::Mark::Highlighted);
    assert_ne!(state.state.marks.mark_at(bytes.end), marks::Mark::Highlighted);
    assert!(has_label(&pane, "key 151 of"));
    assert!(has_label(&pane, &clip.track(selected.track).source.key_location(150).to_string()));
}

#[test]
fn click_on_a_byte_selects_its_key() {
    let selected = key(40, 150);
    let mut pane = show_bytes(HANDS, Some(selected));
    let expected = {
        let state = pane.state();
        let listing = state.listed.listing().unwrap();
        let (top, _) = state.state.scroll.top();
        let first_of_row = listing.row_range(top + 3).start;
        listing.key_at(state.clip(), first_of_row, Some(selected)).unwrap()
    };
    // The first byte of a row follows the offset, which has eight digits.
    let position = row_position(&pane, 3, 72.0);
    let expected_key = pane.state().recording_key(expected);
    assert_eq!(click(&mut pane, position), [Command::View(ViewCommand::SelectKey(expected_key))]);
    assert_ne!(expected, selected);
}

#[test]
fn file_header_has_no_key() {
    let mut pane = show_bytes(HANDS, None);
    assert!(has_label(&pane, "Select a key, or click on one here"));
    let position = row_position(&pane, 0, 72.0);
    assert_eq!(click(&mut pane, position), []);
}

#[test]
fn click_on_a_line_selects_its_key() {
    let selected = key(2, 1);
    let mut pane = show_bytes(MAYA, Some(selected));
    let (top, row) = {
        let state = pane.state();
        let listing = state.listed.listing().unwrap();
        let clip = state.clip();
        let bytes = listing.key_ranges(clip, selected)[0].clone();
        (state.state.scroll.top().0, listing.row_at(bytes.start))
    };
    let position = row_position(&pane, row + 1 - top, 110.0);
    let next = pane.state().recording_key(key(2, 2));
    assert_eq!(click(&mut pane, position), [Command::View(ViewCommand::SelectKey(next))]);
}

#[test]
fn wheel_scrolls_and_selecting_a_key_scrolls_back() {
    let mut pane = show_bytes(HANDS, Some(key(40, 150)));
    let top = |pane: &Pane| pane.state().state.scroll.top().0;
    let before = top(&pane);
    let position = row_position(&pane, 3, 200.0);
    pane.hover_at(position);
    pane.event(bevy_egui::egui::Event::MouseWheel {
        unit: bevy_egui::egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -3000.0),
        phase: bevy_egui::egui::TouchPhase::Move,
        modifiers: bevy_egui::egui::Modifiers::NONE,
    });
    pane.run_steps(30);
    assert!(top(&pane) > before + 100, "{} after {before}", top(&pane));
    let other = pane.state().recording_key(key(40, 151));
    pane.state_mut().view.selected_key = Some(other);
    pane.run();
    assert!(top(&pane).abs_diff(before) < 20);
}

#[test]
fn bytes_pane_closes_and_shows_progress() {
    let mut pane = show_bytes(HANDS, None);
    pane.get_by_label("Close the bytes").click();
    pane.run();
    assert_eq!(
        pane.state_mut().take_commands(),
        [Command::Panel(PanelCommand::Toggle(Panel::BYTES))]
    );
    pane.state_mut().listed = FileListing::default();
    pane.run();
    assert!(has_label(&pane, "are not kept"));
}

#[test]
fn highlighted_location_lasts_until_another_selection() {
    let mut pane = show_bytes(HANDS, Some(key(40, 150)));
    pane.state_mut().state.highlight(mutoscope_core::diagnostics::SourceLocation::span(0x20, 4));
    pane.run();
    assert_eq!(pane.state().state.scroll.top().0, 0);
    assert_eq!(pane.state().state.marks.mark_at(0x21), marks::Mark::Highlighted);
    assert!(has_label(&pane, "bytes 0x20..0x24"));
    let other = pane.state().recording_key(key(40, 151));
    pane.state_mut().view.selected_key = Some(other);
    pane.run();
    assert_ne!(pane.state().state.scroll.top().0, 0);
    assert!(has_label(&pane, "key 152 of"));
}
