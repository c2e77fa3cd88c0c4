//! Images of the whole window with each panel, dialog, empty and error state.
//!
//! The images are in `tests/snapshots/window`. `tools/snapshots.py` shows what changed, and accepts
//! it.

mod rasterizer;

use std::{
    collections::{BTreeSet, HashSet},
    path::{Path, PathBuf},
};

use ab_glyph::{Font as _, FontRef};
use bevy::math::Vec2;
use bevy_egui::egui::{Color32, FontFamily, Shape, Theme};
use egui_kittest::Harness;

use super::{
    SampleCard, UiState, fonts, style,
    testing::{PanelFixture, a_day, show_in, two_hands},
    window_ui,
};
use crate::{
    footage::Media,
    session::{
        Command, Document, FileFailure, FileListing, FilePreview, FilePurpose, LabelCommand,
        LinkedFiles, Loading, OpenFootage, Panel, PanelCommand, Progress, RecordingPreview,
        SavedFootage, SavedView, Source, Thumbnail,
    },
};
use bevy_mutoscope::stage::ScreenPoint;
use mutoscope_core::{
    Fit, ReadOptions, SourceFile,
    clip::{Clip, KeyId, TrackId},
    decode,
    diagnostics::SourceLocation,
    formats::FormatId,
    io::bytes::{FolderSidecars, NoSidecars},
    measure::compare::Timing,
    playback::{TimeCommand, TimeRange},
};
use mutoscope_study::{
    Quality,
    verdict::{Outcome, Verdict},
};
use mutoscope_testing::snapshots::ImageSnapshots;
use rasterizer::Rasterizer;

type Fixture = PanelFixture<UiState>;

/// A state of the window.
struct Case {
    name: &'static str,
    /// `None` shows the state in dark at 1280×720 points and in light at 1920×1080 points.
    size: Option<[f32; 2]>,
    build: fn() -> Fixture,
}

const fn case(name: &'static str, build: fn() -> Fixture) -> Case {
    Case { name, size: None, build }
}

static CASES: &[Case] = &[
    case("empty", || {
        let samples = ["Two hands", "A walk", "A day in Minecraft"].map(|name| SampleCard {
            name: name.to_owned(),
            format: "MRTK input animation".to_owned(),
            description: "The format and what it shows".to_owned(),
            texture: None,
        });
        Fixture { samples: samples.into(), ..Fixture::default() }
    }),
    case("file-over-window", || Fixture { file_hovers: true, ..Fixture::default() }),
    case("opening", || {
        let progress = Progress::default();
        progress.set(1, 4);
        let mut fixture = Fixture::default();
        fixture.files.loading = Some(Loading { name: "walk.bin".to_owned(), progress });
        fixture
    }),
    case("unreadable-file", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.files.failure = Some(failure("at byte 0x1a4: expected a count, found -3"));
        fixture
    }),
    case("unwritten-file", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.files.write_failure = Some(failure("the disk is full"));
        fixture
    }),
    case("refused-link", || {
        let mut fixture = Fixture::with_two_hands();
        let reason = "file: expected a local file, found the network path \"//host/a.bin\"";
        fixture.files.refused_link = Some(reason.to_owned());
        fixture
    }),
    case("two-hands", Fixture::with_two_hands),
    Case { name: "narrow", size: Some([640.0, 480.0]), build: Fixture::with_two_hands },
    Case { name: "without-inspector", size: Some([900.0, 700.0]), build: Fixture::with_two_hands },
    case("selected-joint", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.apply(TimeCommand::Seek(1.205));
        select(&mut fixture, "left/IndexTip");
        fixture
    }),
    case("looped-range", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.apply(TimeCommand::SetRange(Some(TimeRange::new(1.0, 2.5))));
        fixture
    }),
    case("hidden-panels", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.panels.hidden = true;
        fixture
    }),
    case("curves", || {
        let mut fixture = Fixture::with_two_hands();
        select(&mut fixture, "left/IndexTip");
        fixture.panels.timeline.curves = true;
        fixture
    }),
    case("maya-curves", || {
        let mut fixture = open_file("tests/data/maya/infinities.anim");
        select(&mut fixture, "constant_cycle");
        (fixture.panels.timeline.curves, fixture.panels.timeline.frames) = (true, true);
        fixture
    }),
    case("velocity-curves", || {
        let mut fixture = open_file("assets/bvh/walk.bvh");
        select(&mut fixture, "Hips");
        (fixture.panels.timeline.curves, fixture.panels.timeline.velocity) = (true, true);
        fixture
    }),
    case("bytes", || {
        let mut fixture = Fixture::with_two_hands();
        let bytes: &'static [u8] = include_bytes!("../../../assets/mrtk/two-hands.bin");
        fixture.listed = FileListing::for_clip(fixture.clip(), &bytes.into());
        let key = KeyId { track: TrackId::new(3), index: 2 };
        fixture.view.selected_key = Some(fixture.recording_key(key));
        opened(fixture, Panel::BYTES)
    }),
    case("issues", || {
        let mut clip = two_hands();
        let code = super::testing::decoder_code();
        let diagnostics = &mut clip.diagnostics;
        diagnostics.error(code, SourceLocation::byte(0x1a4), "the file ends within a key");
        for key in 0..4 {
            let text = format!("key {key} is earlier than the previous key");
            diagnostics
                .warning(code, SourceLocation::byte(32 * key), text)
                .at_time(0.5 * key as f64);
        }
        opened(Fixture::with_clip(clip), Panel::ISSUES)
    }),
    case("node-mapping", || opened(walk_on_avatar(), Panel::NODE_MAPPING)),
    case("missing-skeleton", || {
        let bytes = include_bytes!("../../../assets/prime/walk.ANIM");
        Fixture::with_clip(decode(bytes, &ReadOptions::default()).unwrap())
    }),
    case("columns", || opened(open_table(TABLE), Panel::COLUMNS)),
    case("questions", || {
        open_table(
            "time,head_x,head_y,head_z,head_yaw,head_pitch,head_roll\n0,0,1.6,0,0,0,0\n\
             1,0,1.6,0,90,10,0\n",
        )
    }),
    case("animations", || opened(open_file("assets/gltf/walker.glb"), Panel::ANIMATIONS)),
    case("export", || opened(Fixture::with_two_hands(), Panel::EXPORT)),
    case("export-video", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.state.export.set_path("takes/first.mp4".to_owned());
        opened(fixture, Panel::EXPORT)
    }),
    case("save-scene", || opened(Fixture::with_scene(), Panel::SAVE_SCENE)),
    case("export-labels", || opened(labelled(), Panel::EXPORT_LABELS)),
    case("report", || opened(labelled(), Panel::REPORT)),
    case("help", || opened(Fixture::with_two_hands(), Panel::HELP)),
    case("palette", || opened(Fixture::with_two_hands(), Panel::PALETTE)),
    case("reference-video", || {
        let mut fixture = Fixture::with_two_hands();
        let saved = SavedFootage::from_path("takes/take 1.mp4".into());
        fixture.footage = OpenFootage::with_media(saved, Media::for_sound(2.0), None);
        opened(fixture, Panel::FOOTAGE)
    }),
    case("labels", labelled),
    case("scene", Fixture::with_scene),
    case("minecraft", || Fixture::with_clip(a_day())),
    case("resonite", || open_file("assets/animj/lantern-show.animj")),
    case("markers", || open_file("tests/data/c3d/intel_float.c3d")),
    case("areas-of-interest", || {
        let mut fixture = Fixture::with_two_hands();
        let areas = ["cup=sphere:0,1,-1,0.5", "screen=sphere:0.4,1.5,-2,0.3"];
        fixture.view.areas = areas.iter().map(|area| area.parse().unwrap()).collect();
        fixture
    }),
    case("comparison", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.compare_with(two_hands(), Timing { offset: 0.25, rate: 1.0 });
        fixture
    }),
    case("folder", folder),
    case("contact-sheet", || opened(folder(), Panel::CONTACT_SHEET)),
    case("searched-outline", || {
        let mut fixture = Fixture::with_clip(a_day());
        fixture.state.outline.set_search("zombie");
        fixture
    }),
    case("measured-distance", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.apply(TimeCommand::Seek(1.205));
        select(&mut fixture, "left/IndexTip");
        fixture.view.measured_from = vec![fixture.node("left/ThumbTip")];
        fixture.panels.timeline.curves = true;
        fixture
    }),
    case("typed-path", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.panels.path_dialog = Some(FilePurpose::Recordings);
        fixture
    }),
    case("linked-files", || {
        let mut fixture = Fixture::default();
        let file = PathBuf::from("/takes/a.bin");
        fixture.panels.pending_link = Some(LinkedFiles {
            files: vec![file.clone()],
            unknown: vec![file],
            view: SavedView::default(),
        });
        fixture
    }),
    case("unsaved-edits", || {
        let mut fixture = labelled();
        fixture.pending.discard = Some(Box::new(Command::CloseWindow));
        fixture.pending.lost = vec![Document::Labels(fixture.reference().entity), Document::Areas];
        fixture
    }),
    case("replaced-file", || {
        let mut fixture = labelled();
        let save = Command::Label(LabelCommand::Save { replaces: true });
        let question = "takes/first.labels.csv exists. Replace it?".to_owned();
        fixture.pending.replacement = Some((Box::new(save), question));
        fixture
    }),
    case("confirmation", || {
        let mut fixture = Fixture::with_two_hands();
        fixture.files.confirmation.number = 1;
        fixture.files.confirmation.text = "Saved first.labels.csv".to_owned();
        fixture
    }),
];

const TABLE: &str = "time,head_x,head_y,head_z,cup_x,pinch,event\n0,0,1.6,0,3,1,begin\n\
                     1,0,1.7,0,4,0,\n";

fn failure(message: &str) -> FileFailure {
    FileFailure { name: "walk.bin".to_owned(), message: message.to_owned() }
}

fn open_file(path: &str) -> Fixture {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let bytes = std::fs::read(&path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let sidecars = FolderSidecars::for_file(&path);
    let file = SourceFile::new(&name, &bytes).with_sidecars(&sidecars);
    let mut fixture =
        Fixture::with_clip(decode(file, &ReadOptions::from(crate::registry())).unwrap());
    fixture.reference().source = Source::File(Path::new("takes").join(name));
    fixture
}

fn open_table(text: &str) -> Fixture {
    Fixture::with_clip(decode(text.as_bytes(), &ReadOptions::from(crate::registry())).unwrap())
}

fn walk_on_avatar() -> Fixture {
    let walk = include_bytes!("../../../tests/data/characters/cmu_names.bvh");
    let avatar = include_bytes!("../../../tests/data/characters/boxes.vrm");
    let registry = crate::registry();
    let skeleton = registry.decode_skeleton(avatar, "boxes.vrm", &NoSidecars).unwrap();
    let options = ReadOptions { fit: Fit::ByBones, ..ReadOptions::from(registry) };
    let clip: Clip =
        decode(SourceFile::new("walk.bvh", walk), &options.with_skeleton(skeleton)).unwrap();
    Fixture::with_clip(clip)
}

fn folder() -> Fixture {
    let mut fixture = Fixture::with_two_hands();
    let files = ["first.bin", "second.bin", "a take with a long name.bin", "broken.bin"];
    let files = files.map(|name| PathBuf::from("takes").join(name));
    let readable = |duration, errors_and_warnings, outcome| {
        FilePreview::Recording(RecordingPreview {
            format: FormatId::MRTK,
            duration,
            tracks: 54,
            size: 1 << 20,
            modified: None,
            errors_and_warnings,
            quality: Quality { loss: Some(0.1), ..Quality::default() },
            verdict: Verdict { outcome, ..Verdict::default() },
            thumbnail: Thumbnail::default(),
        })
    };
    let previews = [
        readable(4.0, [0, 0], Outcome::Pass),
        readable(12.5, [0, 2], Outcome::Review),
        readable(75.0, [1, 0], Outcome::Fail),
        FilePreview::Unreadable(Some(FormatId::MRTK)),
    ];
    fixture.files.previews = files.iter().cloned().zip(previews).collect();
    fixture.files.listed = files.into();
    fixture
}

fn labelled() -> Fixture {
    let mut fixture = Fixture::with_two_hands();
    for (start, end, name) in [(0.5, 1.5, "reach"), (2.0, 2.75, "grasp")] {
        fixture.labels_mut().add(start, end, name);
    }
    fixture
}

fn opened(mut fixture: Fixture, panel: Panel) -> Fixture {
    fixture.panels.apply(&PanelCommand::Toggle(panel));
    fixture
}

fn select(fixture: &mut Fixture, name: &str) {
    let selected = fixture.node(name);
    fixture.view.selected = Some(selected);
    // The stage would project the joint. Put it where no panel is.
    let mut points = vec![None; fixture.clip().nodes.len()];
    points[selected.node.index()] =
        Some(ScreenPoint { position: Vec2::new(560.0, 240.0), distance: 1.0 });
    fixture.screen.points = [(selected.recording, points)].into();
}

fn show_case(case: &Case, theme: Theme, renderer: Rasterizer) -> Harness<'static, Fixture> {
    let size = if theme == Theme::Dark { [1280.0, 720.0] } else { [1920.0, 1080.0] };
    let builder = Harness::builder().with_size(case.size.unwrap_or(size)).renderer(renderer);
    let mut window = show_in(builder, (case.build)(), |ui, model, state| {
        window_ui(ui, model, state);
    });
    window.ctx.set_fonts(fonts::for_window());
    style::apply(&window.ctx);
    window.ctx.set_theme(theme);
    // The first frames measure the panels. The others end the animations.
    window.run_steps(12);
    window
}

#[test]
fn windows_look_as_before() {
    let mut images = ImageSnapshots::new("window", 0.0002);
    for case in CASES {
        for (theme, background) in [(Theme::Dark, 28), (Theme::Light, 210)] {
            let renderer = Rasterizer::default();
            let window = show_case(case, theme, renderer.clone());
            let background = Color32::from_gray(background);
            let image = renderer.draw(&window.ctx, window.output(), background);
            let name = format!("{}-{}", case.name, format!("{theme:?}").to_lowercase());
            images.compare(&name, &image);
        }
    }
    images.finish();
}

#[test]
fn snapshots_have_unique_names_and_show_every_panel() {
    let names: HashSet<_> = CASES.iter().map(|case| case.name).collect();
    assert_eq!(names.len(), CASES.len());
    for panel in Panel::ALL {
        assert!(CASES.iter().any(|case| (case.build)().panels.is_open(panel)), "{panel:?}");
    }
}

#[test]
fn fonts_have_every_character_of_the_window() {
    let mut shown = BTreeSet::new();
    for case in CASES {
        let window = show_case(case, Theme::Dark, Rasterizer::default());
        window
            .output()
            .shapes
            .iter()
            .for_each(|shape| collect_characters(&shape.shape, &mut shown));
    }
    for (target, fonts) in [("the window", fonts::for_window()), ("a page", fonts::for_page())] {
        let faces: Vec<_> = fonts.families[&FontFamily::Proportional]
            .iter()
            .map(|name| FontRef::try_from_slice(&fonts.font_data[name].font).unwrap())
            .collect();
        let has_glyph = |character: char| faces.iter().any(|face| face.glyph_id(character).0 != 0);
        let missing: String = shown
            .iter()
            .filter(|character| !character.is_control() && !has_glyph(**character))
            .collect();
        assert_eq!(missing, "", "in {target}");
    }
}

fn collect_characters(shape: &Shape, into: &mut BTreeSet<char>) {
    match shape {
        Shape::Text(text) => into.extend(text.galley.text().chars()),
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect_characters(shape, into)),
        _ => {}
    }
}
