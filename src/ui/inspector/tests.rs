//! The inspector against the file it inspects.

use bevy_egui::egui::Ui;
use egui_kittest::{Harness, kittest::Queryable as _};

use super::inspector_ui;
use crate::{
    clip::{Owner, RotationRule},
    playback::TimeCommand,
    ui::{
        Model,
        testing::{Desk, show},
    },
    viewer::Command,
};

type Inspector = Harness<'static, Desk<()>>;

fn panel(ui: &mut Ui, model: &Model<'_>, (): &mut (), commands: &mut Vec<Command>) {
    inspector_ui(ui, model, commands);
}

fn inspector(select: Option<&str>) -> Inspector {
    let mut desk = Desk::with_two_hands();
    desk.player.apply(TimeCommand::Seek(1.205));
    desk.view.selected = select.map(|name| desk.node(name));
    show(desk, [300.0, 1200.0], panel)
}

fn has(inspector: &Inspector, text: &str) -> bool {
    inspector.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn the_keys_around_now_are_shown_with_their_bytes() {
    let inspector = inspector(Some("left/IndexTip"));
    let desk = inspector.state();
    let clip = desk.player.clip().unwrap();
    let tracks = clip.tracks_of(Owner::Node(desk.node("left/IndexTip")));
    let mut seen = 0;
    for (_, track) in tracks {
        assert!(has(&inspector, &track.property), "{}", track.property);
        let next = track.curve.key_times().partition_point(|&time| time <= 1.205);
        for index in [next - 1, next] {
            let byte = track.source.key(index).first_byte().unwrap();
            assert!(has(&inspector, &format!("{byte:#x}")), "{byte:#x}");
            let time = format!("{:.3} s", track.curve.key_times()[index]);
            assert!(has(&inspector, &time), "{time}");
        }
        seen += 1;
    }
    assert_eq!(seen, 7);
}

#[test]
fn a_click_on_the_time_of_a_key_goes_there() {
    let mut inspector = inspector(Some("camera"));
    inspector.get_all_by_label("   1.200 s").next().unwrap().click();
    inspector.run();
    let time = inspector.state().player.clock().time();
    assert!((time - 1.2).abs() < 1e-6, "{time}");
}

#[test]
fn with_nothing_selected_the_recording_is_described() {
    let inspector = inspector(None);
    for text in ["MRTK input animation 1.1", "both hands, head, gaze", "left-handed", "assumed"] {
        assert!(has(&inspector, text), "{text}");
    }
}

#[test]
fn the_rule_for_rotations_is_a_switch() {
    let mut inspector = inspector(None);
    inspector.get_by_label("Faithful").click();
    inspector.run();
    let chosen = Command::SetRotationRule(RotationRule::Faithful);
    assert_eq!(inspector.state_mut().take_commands(), [chosen]);
}
