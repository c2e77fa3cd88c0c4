//! Tests of the inspector with real files.

use bevy_egui::egui::{Ui, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable as _};

use super::inspector_ui;
use crate::{
    session::{Command, ConventionCommand, FileCommand, SkeletonCommand, ViewCommand},
    ui::{
        Model,
        testing::{PanelFixture, show},
    },
};
use bevy_mutoscope::{ClipAsset, Recording};
use mutoscope_core::{
    clip::{Assumption, Clip, ErrorBound, FactOrigin, Owner, RotationRule, Stated, UpAxis},
    formats::{ReadOptions, decode},
    io::bytes::NoSidecars,
    playback::TimeCommand,
};

type Inspector = Harness<'static, PanelFixture<()>>;

fn panel(ui: &mut Ui, model: &Model<'_>, (): &mut ()) {
    inspector_ui(ui, model);
}

fn walk() -> Clip {
    let bytes = include_bytes!("../../../assets/maya/walk-with-hat.anim");
    decode(bytes, &ReadOptions::from(crate::registry())).unwrap()
}

fn inspector(select: Option<&str>) -> Inspector {
    let mut fixture = PanelFixture::with_two_hands();
    fixture.apply(TimeCommand::Seek(1.205));
    fixture.view.selected = select.map(|name| fixture.node(name));
    show(fixture, [300.0, 1200.0], panel)
}

fn shows(inspector: &Inspector, text: &str) -> bool {
    inspector.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn keys_around_the_playhead_are_shown_with_bytes() {
    let inspector = inspector(Some("left/IndexTip"));
    let fixture = inspector.state();
    let clip = fixture.clip();
    let tracks = clip.tracks_of(Owner::Node(fixture.node("left/IndexTip").node));
    let mut track_count = 0;
    for (_, track) in tracks {
        assert!(shows(&inspector, &track.property), "{}", track.property);
        let next = track.curve.key_times().partition_point(|&time| time <= 1.205);
        for index in [next - 1, next] {
            let byte = track.source.key_location(index).first_byte().unwrap();
            assert!(shows(&inspector, &format!("{byte:#x}")), "{byte:#x}");
            let time = format!("{:.3} s", track.curve.key_times()[index]);
            assert!(shows(&inspector, &time), "{time}");
        }
        track_count += 1;
    }
    assert_eq!(track_count, 7);
}

#[test]
fn click_on_a_key_time_seeks_and_selects() {
    let mut inspector = inspector(Some("camera"));
    inspector.get_all_by_label("   1.200 s").next().unwrap().click();
    inspector.run();
    let selected =
        inspector.state_mut().take_commands().into_iter().find_map(|command| match command {
            Command::View(ViewCommand::SelectKey(key)) => Some(key),
            _ => None,
        });
    let key = selected.unwrap().key;
    let clip = inspector.state().clip();
    assert!((clip.track(key.track).curve.key_times()[key.index] - 1.2).abs() < 1e-6);
}

#[test]
fn hovering_a_key_time_previews_it() {
    let mut inspector = inspector(Some("camera"));
    inspector.get_all_by_label("   1.200 s").next().unwrap().hover();
    inspector.run_steps(4);
    let hovered = inspector.state().hovered.unwrap();
    assert!((hovered - 1.2).abs() < 1e-6, "{hovered}");
    inspector.get_by_label("As authored").hover();
    inspector.run_steps(4);
    assert_eq!(inspector.state().hovered, None);
}

#[test]
fn recording_is_described_without_a_selection() {
    let inspector = inspector(None);
    for text in ["MRTK input animation 1.1", "both hands, head, gaze", "left-handed", "assumed"] {
        assert!(shows(&inspector, text), "{text}");
    }
}

#[test]
fn rotation_rule_can_be_switched() {
    let mut inspector = inspector(None);
    inspector.get_by_label("As authored").click();
    inspector.run();
    let chosen = Command::Convention(ConventionCommand::Assume(Assumption::Rotation(
        RotationRule::AsAuthored,
    )));
    assert_eq!(inspector.state_mut().take_commands(), [chosen]);
}

#[test]
fn frame_rate_is_set_when_a_drag_ends() {
    let mut inspector = show(PanelFixture::with_clip(walk()), [300.0, 1200.0], panel);
    let declared = inspector.state().clip().rate_hz.unwrap();
    let field = inspector.get_by_role_and_label(Role::SpinButton, "Frame rate").rect().center();
    let moved = field + vec2(40.0, 0.0);
    inspector.hover_at(field);
    inspector.drag_at(field);
    inspector.step();
    inspector.hover_at(moved);
    inspector.step();
    assert_eq!(inspector.state_mut().take_commands(), [], "nothing is sent during the drag");
    inspector.drop_at(moved);
    inspector.run();
    let commands = inspector.state_mut().take_commands();
    let [Command::Convention(ConventionCommand::SetFrameRate(Some(rate_hz)))] = commands[..] else {
        panic!("{commands:?}")
    };
    assert!(rate_hz > declared, "{rate_hz}");
}

#[test]
fn frame_rate_can_be_reset() {
    let mut fixture = PanelFixture::with_clip(walk());
    let options = ReadOptions { frame_rate: Some(12.0), ..ReadOptions::default() };
    let mut clip = walk();
    clip.rate_hz = Some(12.0);
    fixture.reference().recording = Recording::new(ClipAsset { options, ..ClipAsset::new(clip) });
    let mut inspector = show(fixture, [300.0, 1200.0], panel);
    inspector.run();
    assert!(shows(&inspector, "set by you"));
    inspector.get_by_label("As declared").click();
    inspector.run();
    let reset = Command::Convention(ConventionCommand::SetFrameRate(None));
    assert_eq!(inspector.state_mut().take_commands(), [reset]);
}

fn prime_walk() -> Inspector {
    let rig = include_bytes!("../../../assets/prime/walk.CINF");
    let rig =
        mutoscope_core::Registry::default().decode_skeleton(rig, "walk.CINF", &NoSidecars).unwrap();
    let bytes = include_bytes!("../../../assets/prime/walk.ANIM");
    let mut fixture = PanelFixture::with_clip(
        decode(bytes, &ReadOptions::from(crate::registry()).with_skeleton(rig)).unwrap(),
    );
    fixture.apply(TimeCommand::Seek(0.51));
    fixture.view.selected = Some(fixture.node("L_knee"));
    show(fixture, [300.0, 1200.0], panel)
}

#[test]
fn quantised_keys_show_bits_integers_and_step() {
    let inspector = prime_walk();
    let fixture = inspector.state();
    let clip = fixture.clip();
    let (_, track) = clip.tracks_of(Owner::Node(fixture.node("L_knee").node)).next().unwrap();
    // The time is just after frame 15, at which every track has a key.
    let code = track.source.quantized_key(15).unwrap();
    assert!(shows(&inspector, "rotation, key 15"));
    let location = track.source.key_location(15);
    assert!(shows(&inspector, &format!("{:#x} bit", location.first_byte().unwrap())), "{location}");
    assert!(shows(&inspector, &code.integers[0].to_string()));
    let ErrorBound::Turn(turn) = code.max_error else { panic!("a rotation turns") };
    assert!(shows(&inspector, &format!("± {:.4}°", turn.to_degrees())));
}

#[test]
fn game_can_be_switched_and_shows_its_origin() {
    let mut inspector = prime_walk();
    assert!(shows(&inspector, "recognised"));
    let recording = inspector.state_mut().reference().entity;
    let choose = |name: &str| {
        Command::File(FileCommand::ChooseVariant {
            recording,
            label: "Game".to_owned(),
            name: Some(name.to_owned()),
        })
    };
    inspector.get_by_label("Echoes").click();
    inspector.run();
    assert_eq!(inspector.state_mut().take_commands(), [choose("Echoes")]);
    inspector.get_by_label("Prime").click();
    inspector.run();
    assert_eq!(inspector.state_mut().take_commands(), []);
}

#[test]
fn assumed_facts_can_be_changed_and_declared_ones_cannot() {
    let mut inspector = show(PanelFixture::with_clip(walk()), [300.0, 1200.0], panel);
    inspector.run();
    assert!(
        shows(&inspector, "1 unit = 1 cm") && !shows(&inspector, "Unit: "),
        "a declared unit has no menu"
    );
    assert!(!shows(&inspector, "Continuous"), "no rotation depends on the rule");
    inspector.get_by_label("Up: Y up").click();
    inspector.run();
    inspector.get_by_label("Z up").click();
    inspector.run();
    let chosen = Command::Convention(ConventionCommand::Assume(Assumption::Up(UpAxis::Z)));
    assert_eq!(inspector.state_mut().take_commands(), [chosen]);
    assert!(!shows(&inspector, "Format default"));
}

#[test]
fn chosen_facts_can_be_reset() {
    let mut clip = walk();
    clip.convention.up = Stated { value: UpAxis::Z, origin: FactOrigin::Chosen };
    let mut inspector = show(PanelFixture::with_clip(clip), [300.0, 1200.0], panel);
    inspector.run();
    assert!(shows(&inspector, "set by you"));
    inspector.get_by_label("Format default").click();
    inspector.run();
    assert_eq!(
        inspector.state_mut().take_commands(),
        [Command::Convention(ConventionCommand::Reset)]
    );
}

#[test]
fn skeleton_name_is_shown_and_another_can_be_attached() {
    let mut inspector = show(PanelFixture::with_clip(walk()), [300.0, 1200.0], panel);
    inspector.run();
    assert!(shows(&inspector, "As defined"));
    inspector.get_by_label("Attach another…").click();
    inspector.run();
    assert_eq!(inspector.state_mut().take_commands(), [Command::Skeleton(SkeletonCommand::Choose)]);

    let turned = b"animVersion 1.1;\nanim rotate.rotateX rotateX a 0 1 0;\n\
        animData { keys { 0 1 auto auto 1 1 0; } }\n\
        anim rotate.rotateX rotateX b 1 0 0;\nanimData { keys { 0 1 auto auto 1 1 0; } }\n";
    let clip = decode(turned, &ReadOptions::from(crate::registry())).unwrap();
    let inspector = show(PanelFixture::with_clip(clip), [300.0, 1200.0], panel);
    assert!(shows(&inspector, "Placeholder offsets for 1 of 2 joints"));
    let hands = self::inspector(None);
    assert!(
        shows(&hands, "A glTF, VRM or FBX character; or drop it here"),
        "hands are retargeted by bone"
    );
}

#[test]
fn held_items_are_shown_with_data() {
    let bytes = include_bytes!("../../../tests/data/mcmocap/full_v5.mcmocap_rec");
    let mut fixture: PanelFixture<()> =
        PanelFixture::with_clip(decode(bytes, &ReadOptions::from(crate::registry())).unwrap());
    fixture.view.selected = Some(fixture.node("player"));
    // An independent reader found the item in the player's hand at this time.
    fixture.apply(TimeCommand::Seek(2.25));
    let inspector = show(fixture, [300.0, 1600.0], panel);
    let texts =
        ["main hand", "diamond sword", "standing", "Main hand: diamond sword", "damage\": 7"];
    for text in texts {
        assert!(shows(&inspector, text), "{text}");
    }
    assert!(!shows(&inspector, "MAINHAND") && !shows(&inspector, "STANDING"));
}
