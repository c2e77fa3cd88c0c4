//! Tests the window as a whole.

use std::path::PathBuf;

use bevy::math::Vec2;
use bevy_egui::egui::{Event, Key, Pos2, Ui, pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::{
    Model, SampleCard, UiState, WindowLayout,
    testing::{PanelFixture, show, two_hands},
    window_ui,
};
use crate::session::{
    ACTIONS, Command, FileCommand, FileFailure, FilePurpose, Loading, Panel, PanelCommand,
    PanelSizes, Progress, Section, ViewCommand,
};
use bevy_mutoscope::stage::ScreenPoint;
use mutoscope_core::{clip::NodeId, diagnostics::SourceLocation, playback::TimeCommand};

#[derive(Default)]
struct WindowState {
    ui: UiState,
    layout: Option<WindowLayout>,
}

type Window = Harness<'static, PanelFixture<WindowState>>;

fn panel(ui: &mut Ui, model: &Model<'_>, state: &mut WindowState) {
    state.layout = Some(window_ui(ui, model, &mut state.ui));
}

fn window(fixture: PanelFixture<WindowState>) -> Window {
    show_window(fixture, [1280.0, 720.0])
}

fn show_window(fixture: PanelFixture<WindowState>, size: [f32; 2]) -> Window {
    let mut window = show(fixture, size, panel);
    window.run();
    window
}

fn layout(window: &Window) -> WindowLayout {
    window.state().state.layout.unwrap()
}

fn has_label(window: &Window, label: &str) -> bool {
    window.query_all_by_label_contains(label).next().is_some()
}

#[test]
fn viewport_has_the_most_room() {
    let mut window = window(PanelFixture::with_two_hands());
    let viewport = layout(&window).viewport;
    assert!(viewport.area() > 0.35 * 1280.0 * 720.0, "{viewport:?}");
    window.state_mut().panels.hidden = true;
    window.run();
    // The harness keeps a margin around the window.
    assert!(layout(&window).viewport.area() >= 0.95 * 1280.0 * 720.0);
}

#[test]
fn inspector_collapses_first_in_narrow_windows() {
    let shown = |width| {
        let window = show_window(PanelFixture::with_two_hands(), [width, 700.0]);
        (has_label(&window, "Search the outline"), has_label(&window, "Axes and units"))
    };
    assert_eq!(shown(1280.0), (true, true));
    assert_eq!(shown(900.0), (true, false));
    assert_eq!(shown(640.0), (false, false));
}

#[test]
fn collapsed_panels_can_be_expanded() {
    let mut window = show_window(PanelFixture::with_two_hands(), [900.0, 700.0]);
    window.get_by_label("Show the inspector").click();
    window.run();
    assert!(has_label(&window, "Axes and units"));
}

#[test]
fn every_menu_fits_into_a_small_window() {
    for section in Section::ALL {
        let mut window = window(PanelFixture::with_two_hands());
        for name in ["Menu", &format!("{} ⏵", section.name())] {
            window.get_by_label(name).click();
            window.run();
        }
        let button = window.get_by_label(&format!("{} ⏵", section.name())).rect();
        for action in ACTIONS.iter().filter(|action| action.section == section) {
            let items = window.query_all_by_label_contains(action.name);
            let rects: Vec<_> = items.map(|item| item.rect()).collect();
            let is_within = rects.iter().all(|rect| rect.top() >= 0.0 && rect.bottom() <= 720.0);
            assert!(is_within && !rects.is_empty(), "{}: {rects:?}", action.name);
            let covers = rects.iter().any(|rect| rect.contains(button.center()));
            assert!(!covers, "{} does not cover the name of its menu", action.name);
        }
    }
}

/// Shows a window in which node 7 is in the middle of the viewport.
fn window_with_joint() -> (Window, Pos2) {
    let mut window = window(PanelFixture::with_two_hands());
    let middle = layout(&window).viewport.center();
    let mut points = vec![None; window.state().clip().nodes.len()];
    let position = Vec2::new(middle.x, middle.y);
    points[7] = Some(ScreenPoint { position, distance: 1.0 });
    let recording = window.state().recordings[0].entity;
    window.state_mut().screen.points = [(recording, points)].into();
    window.run();
    (window, middle)
}

fn click(window: &mut Window, at: Pos2) {
    window.hover_at(at);
    window.drag_at(at);
    window.drop_at(at);
    window.run();
}

#[test]
fn viewport_click_selects_and_drag_does_not() {
    let (mut window, middle) = window_with_joint();
    click(&mut window, middle + vec2(5.0, 5.0));
    let node = Some(window.state().recording_node(NodeId::new(7)));
    assert_eq!(window.state_mut().take_commands(), [Command::View(ViewCommand::Select(node))]);

    window.state_mut().view.selected = node;
    click(&mut window, middle + vec2(90.0, 0.0));
    assert_eq!(window.state_mut().take_commands(), [Command::View(ViewCommand::Select(None))]);

    window.hover_at(middle);
    window.drag_at(middle);
    window.hover_at(middle + vec2(60.0, 0.0));
    window.step();
    assert!(!layout(&window).pointer_taken, "the drag moves the camera");
    window.drop_at(middle + vec2(60.0, 0.0));
    window.run();
    assert_eq!(window.state_mut().take_commands(), []);
}

#[test]
fn drags_belong_to_the_area_where_they_began() {
    let mut window = window(PanelFixture::with_two_hands());
    let middle = layout(&window).viewport.center();
    let panel = pos2(60.0, 300.0);
    for (from, to, taken) in [(middle, panel, false), (panel, middle, true)] {
        window.hover_at(from);
        window.drag_at(from);
        window.hover_at(to);
        window.step();
        assert_eq!(layout(&window).pointer_taken, taken, "{from:?}");
        window.drop_at(to);
        window.run();
    }
}

#[test]
fn text_fields_capture_the_keyboard() {
    let mut window = window(PanelFixture::with_two_hands());
    assert!(!layout(&window).keyboard_taken);
    window.get_by_label("Search the outline").click();
    window.run();
    assert!(layout(&window).keyboard_taken);
}

fn card(name: &str) -> SampleCard {
    SampleCard {
        name: name.to_owned(),
        format: "Some format".to_owned(),
        description: "some description".to_owned(),
        texture: None,
    }
}

#[test]
fn gallery_offers_the_examples() {
    let samples = vec![card("Two hands"), card("A walk")];
    let mut window = window(PanelFixture { samples, ..PanelFixture::default() });
    assert!(layout(&window).pointer_taken, "the gallery covers the viewport");
    window.get_by_label("A walk").click();
    window.run();
    assert_eq!(window.state_mut().take_commands(), [Command::File(FileCommand::OpenSample(1))]);
}

#[test]
fn gallery_shows_eight_examples_in_even_rows() {
    let samples: Vec<_> = (0..8).map(|index| card(&format!("Sample {index}"))).collect();
    let names: Vec<_> = samples.iter().map(|sample| sample.name.clone()).collect();
    for (size, in_a_row) in [([1280.0, 720.0], 4), ([1920.0, 1080.0], 4), ([1000.0, 1080.0], 3)] {
        let window =
            show_window(PanelFixture { samples: samples.clone(), ..PanelFixture::default() }, size);
        let rects: Vec<_> = names.iter().map(|name| window.get_by_label(name).rect()).collect();
        assert!(rects.iter().all(|rect| rect.bottom() <= size[1]), "{size:?}: {rects:?}");
        let first_row = rects.iter().filter(|rect| rect.top() == rects[0].top()).count();
        assert_eq!(first_row, in_a_row, "{size:?}");
    }
}

#[test]
fn failure_message_has_a_reason_and_can_be_dismissed() {
    let mut fixture = PanelFixture::<WindowState>::with_two_hands();
    fixture.files.failure = Some(FileFailure {
        name: "walk.bin".to_owned(),
        message: "at byte 0x1a4: expected a count".to_owned(),
    });
    let mut window = window(fixture);
    for text in
        ["Could not open walk.bin", "at byte 0x1a4: expected a count", "The open recording stays"]
    {
        assert!(has_label(&window, text), "{text}");
    }
    window.get_by_label("Dismiss").click();
    window.run();
    assert_eq!(window.state_mut().take_commands(), [Command::File(FileCommand::DismissFailure)]);
}

#[test]
fn refused_link_is_explained_and_can_be_dismissed() {
    let mut fixture = PanelFixture::<WindowState>::with_two_hands();
    let why = "file: expected a local file, found the network path \"//host/a.bin\"";
    fixture.files.refused_link = Some(why.to_owned());
    let mut window = window(fixture);
    for text in ["A link was refused", why, "Nothing was opened"] {
        assert!(has_label(&window, text), "{text}");
    }
    window.get_by_label("Dismiss").click();
    window.run();
    assert_eq!(window.state_mut().take_commands(), [Command::File(FileCommand::DismissFailure)]);
}

#[test]
fn windows_of_any_size_are_laid_out() {
    let lay_out = |size, change: &dyn Fn(&mut PanelFixture<WindowState>)| {
        let mut fixture = PanelFixture::<WindowState>::with_two_hands();
        change(&mut fixture);
        // Run several frames, because the panels are measured in the first one.
        show(fixture, size, panel).run_steps(3);
    };
    for size in [[1.0, 1.0], [32.0, 306.0], [306.0, 32.0], [90.0, 90.0], [240.0, 400.0]] {
        lay_out(size, &|_| {});
        lay_out(size, &|fixture| fixture.recordings.clear());
        for panel in Panel::ALL.into_iter() {
            lay_out(size, &|fixture| {
                fixture.panels.apply(&PanelCommand::Toggle(panel));
            });
        }
        lay_out(size, &|fixture| fixture.panels.path_dialog = Some(FilePurpose::Skeleton));
        lay_out(size, &|fixture| {
            fixture.pending.discard = Some(Box::new(Command::File(FileCommand::Choose)))
        });
        let (name, message) = ("walk.bin".to_owned(), "expected a count".to_owned());
        lay_out(size, &|fixture| {
            let failed = FileFailure { name: name.clone(), message: message.clone() };
            fixture.files.failure = Some(failed);
        });
        lay_out(size, &|fixture| {
            let loading = Loading { name: name.clone(), progress: Progress::default() };
            fixture.files.loading = Some(loading);
        });
    }
}

#[test]
fn loading_names_the_file() {
    let mut fixture = PanelFixture::<WindowState>::default();
    let progress = Progress::default();
    progress.set(1, 4);
    fixture.files.loading = Some(Loading { name: "walk.bin".to_owned(), progress });
    let mut window = show(fixture, [1280.0, 720.0], panel);
    window.run_steps(3);
    assert!(has_label(&window, "Opening walk.bin"));
}

#[test]
fn path_can_be_typed_without_a_native_dialog() {
    let mut window = window(PanelFixture::with_two_hands());
    window.state_mut().panels.path_dialog = Some(FilePurpose::Recordings);
    window.run();
    window.event(Event::Text("/tmp/walk.bin".to_owned()));
    window.key_press(Key::Enter);
    window.run();
    let opened = Command::File(FileCommand::Open(vec![PathBuf::from("/tmp/walk.bin")]));
    assert_eq!(
        window.state_mut().take_commands(),
        [opened, Command::Panel(PanelCommand::ClosePathDialog)]
    );
    assert_eq!(window.state().panels.path_dialog, None);
}

#[test]
fn click_on_an_issue_seeks_its_time() {
    let mut clip = two_hands();
    clip.diagnostics
        .warning(
            crate::ui::testing::decoder_code(),
            SourceLocation::byte(0x20),
            "a key is earlier than the previous key",
        )
        .at_time(2.5);
    let mut window = window(PanelFixture::with_clip(clip));
    window.get_by_label_contains("Issues: ").click();
    window.run();
    assert_eq!(
        window.state_mut().take_commands(),
        [Command::Panel(PanelCommand::Toggle(Panel::ISSUES))],
        "the badge opens the list"
    );
    let label = "warning: a key is earlier than the previous key";
    let in_list = window.query_all_by_label(label).last().unwrap();
    in_list.click();
    window.run();
    assert!(
        window.state_mut().take_commands().contains(&Command::Time(TimeCommand::Seek(2.5))),
        "a click seeks"
    );
}

#[test]
fn dragged_panel_sizes_are_remembered() {
    let mut window = window(PanelFixture::with_two_hands());
    assert_eq!(window.state().panels.layout.sizes, PanelSizes::default());
    let viewport = layout(&window).viewport;
    let edge = pos2(viewport.left(), viewport.center().y);
    window.drag_at(edge);
    window.run();
    window.hover_at(edge + vec2(40.0, 0.0));
    window.run();
    window.drop_at(edge + vec2(40.0, 0.0));
    window.run();
    let PanelSizes { outline, inspector, time, .. } = window.state().panels.layout.sizes;
    let wider = layout(&window).viewport.left() - viewport.left();
    assert!((wider - 40.0).abs() < 4.0, "{wider}");
    assert!((outline.unwrap() - 280.0).abs() < 4.0, "{outline:?}");
    assert_eq!((inspector, time), (None, None));
}

#[test]
fn outline_selects_hides_and_searches() {
    let mut window = window(PanelFixture::with_two_hands());
    let wrist = window.state().node("left/Wrist");
    window.get_by_label("left/Wrist").click();
    window.run();
    window.get_by_label("Hide left/Wrist").click();
    window.run();
    let expected = [
        Command::View(ViewCommand::Select(Some(wrist))),
        Command::View(ViewCommand::ToggleNode(wrist)),
    ];
    assert_eq!(window.state_mut().take_commands(), expected);
    window.get_by_label("Search the outline").click();
    window.run();
    window.event(Event::Text("ri thumb tip".to_owned()));
    window.run();
    assert!(window.query_by_label("right/ThumbTip").is_some());
    assert!(window.query_by_label("left/Wrist").is_none());
}

#[test]
fn idle_window_requests_no_repaint() {
    let mut window = window(PanelFixture::with_two_hands());
    window.run();
    let delay = window.output().viewport_output.values().next().unwrap().repaint_delay;
    assert!(delay > std::time::Duration::from_secs(60), "{delay:?}");
}
