//! The inspector against the file it inspects.

use bevy_egui::egui::Ui;
use egui_kittest::{Harness, kittest::Queryable as _};

use super::inspector_ui;
use crate::{
    clip::{Deviation, Owner, RotationRule},
    formats,
    playback::TimeCommand,
    rig,
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

/// A walk on its skeleton.
fn walk() -> Inspector {
    let rig = include_bytes!("../../../assets/prime/walk.CINF");
    let rig = rig::decode(rig, "walk.CINF").unwrap();
    let bytes = include_bytes!("../../../assets/prime/walk.ANIM");
    let mut desk = Desk::with(formats::decode_on_rig(bytes, None, None, &rig).unwrap());
    desk.player.apply(TimeCommand::Seek(0.5));
    desk.view.selected = Some(desk.node("L_knee"));
    show(desk, [300.0, 1200.0], panel)
}

#[test]
fn a_packed_key_shows_its_bits_its_integers_and_half_a_step() {
    let inspector = walk();
    let desk = inspector.state();
    let clip = desk.player.clip().unwrap();
    let (_, track) = clip.tracks_of(Owner::Node(desk.node("L_knee"))).next().unwrap();
    // Half a second is the fifteenth frame, and all have keys.
    let code = track.source.code(15).unwrap();
    assert!(has(&inspector, "rotation, key 15"));
    let place = track.source.key(15);
    assert!(has(&inspector, &format!("{:#x} bit", place.first_byte().unwrap())), "{place}");
    assert!(has(&inspector, &code.integers[0].to_string()));
    let Deviation::Turn(turn) = code.deviation else { panic!("a rotation turns") };
    assert!(has(&inspector, &format!("± {:.4}°", turn.to_degrees())));
}

#[test]
fn the_game_is_a_switch_that_says_how_it_is_known() {
    let mut inspector = walk();
    assert!(has(&inspector, "recognised"));
    inspector.get_by_label("Echoes").click();
    inspector.run();
    assert_eq!(inspector.state_mut().take_commands(), [Command::ReadInLayout(Some(1))]);
    inspector.get_by_label("Prime").click();
    inspector.run();
    assert_eq!(inspector.state_mut().take_commands(), []);
}
