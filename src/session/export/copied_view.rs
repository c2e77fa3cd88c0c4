//! The command or the link that restores the current view.

use std::{borrow::Cow, fmt::Write as _, path::PathBuf};

use bevy::prelude::*;

use super::ShownState;
use crate::session::{
    files::{Files, OpenRecordings, RecordingItem, Source},
    view::{Link, Page, SavedFootage, SavedView, WindowRequest, node_selector},
};
use bevy_mutoscope::stage::{CameraMode, StageScreen, View};
use mutoscope_core::{measure::compare::CompareOptions, playback::Clock};

/// Copies the current view. `footage` is the reference footage that is open.
pub(in crate::session) fn copy_view(
    In(footage): In<Option<SavedFootage>>,
    shown: ShownState,
    mut files: ResMut<Files>,
    page: Option<Res<Page>>,
    mut window: MessageWriter<WindowRequest>,
) {
    let ShownState { open, view, screen, .. } = &shown;
    let view = SavedView { footage, ..capture_view(open, view, screen) };
    match view_text(&view, open.reference_source(), &files, page.as_deref()) {
        Some((text, remark)) => {
            files.notify(remark);
            window.write(WindowRequest::CopyText(text));
        }
        None => files.notify("No command was copied: examples are not files".to_owned()),
    }
}

/// Returns the text that restores `view` of `source`, and the confirmation for the user. On a web
/// page the text is a link, otherwise a command. `None` for samples on the desktop, because they
/// are not files.
fn view_text(
    view: &SavedView,
    source: Option<&Source>,
    files: &Files,
    page: Option<&Page>,
) -> Option<(String, String)> {
    let Some(page) = page else {
        let line = command_line(view, source, files)?;
        let remark = format!("Copied: {line}");
        return Some((line, remark));
    };
    let (address, linked) = link_to(page, view, source, files);
    let remark = match linked {
        LinkCoverage::All => format!("Copied: {address}"),
        LinkCoverage::Partial => {
            format!("Copied: {address}, without local files. Drop them on that page")
        }
    };
    Some((address, remark))
}

/// Returns the current view, without reference footage.
fn capture_view(open: &OpenRecordings, view: &View, screen: &StageScreen) -> SavedView {
    let all = open.in_order();
    let clock = open.clock();
    let select = all.first().and_then(|reference| {
        let node = view.selected?.node_in(reference.entity)?;
        Some(node_selector(reference.clip(), node))
    });
    SavedView {
        at: clock.map(Clock::time),
        range: clock.and_then(Clock::range).map(|range| (range.start(), range.end())),
        select,
        camera: (view.camera == CameraMode::Free).then_some(screen.camera_pose),
        areas: view.areas.clone(),
        compared: all.iter().filter_map(compare_options).collect(),
        footage: None,
    }
}

/// Returns the command that opens `source` with this view. `None` if `source` is no file, or if a
/// path is not Unicode or cannot be quoted for a shell.
fn command_line(view: &SavedView, source: Option<&Source>, files: &Files) -> Option<String> {
    let Source::File(path) = source? else { return None };
    let mut line = format!("mutoscope {}", quote_for_shell(path.to_str()?)?);
    let mut options = view.options()?;
    if let Some(rig) = files.skeleton.as_ref().and_then(|rig| rig.path.as_ref()) {
        options.insert(0, ("rig", rig.to_str()?.to_owned()));
    }
    if let Some(columns) = &files.options.columns {
        options.insert(0, ("columns", columns.name.clone()));
    }
    for (name, value) in options {
        // Writing to a string cannot fail.
        let _ = write!(line, " --{name}={}", quote_for_shell(&value)?);
    }
    Some(line)
}

/// Returns the address that restores `view` of `source`, and whether the link contains all
/// files. Dropped files have no address.
fn link_to(
    page: &Page,
    view: &SavedView,
    source: Option<&Source>,
    files: &Files,
) -> (String, LinkCoverage) {
    let address_of = |path: &PathBuf| page.fetched.get(path).cloned();
    let mut link = Link {
        view: SavedView { compared: Vec::new(), footage: None, ..view.clone() },
        format: page.link.format,
        rotation: page.link.rotation,
        ..Link::default()
    };
    let mut all_there = true;
    match source {
        Some(Source::Sample(index)) => link.sample = Some(*index),
        Some(Source::File(path)) => match address_of(path) {
            Some(address) => link.files = page.with_sidecars(address),
            None => all_there = false,
        },
        Some(Source::Stdin) | None => all_there = false,
    }
    if let Some(path) = files.skeleton.as_ref().and_then(|rig| rig.path.as_ref()) {
        link.rig = address_of(path);
        all_there &= link.rig.is_some();
    }
    for (path, options) in &view.compared {
        match address_of(path) {
            Some(address) => link.view.compared.push((address.into(), *options)),
            None => all_there = false,
        }
    }
    let linked = if all_there { LinkCoverage::All } else { LinkCoverage::Partial };
    (format!("{}?{}", page.address, link.to_query()), linked)
}

/// Which of the open files a link contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinkCoverage {
    /// All open files.
    All,
    /// Only some files. The user of the link must drop the others on the page.
    Partial,
}

fn quote_for_shell(text: &str) -> Option<String> {
    // Leave numbers and simple paths unquoted, because quotes make them hard to read.
    let is_plain = |char: char| char.is_ascii_alphanumeric() || ".,-/".contains(char);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Some(text.to_owned()),
        false => shlex::try_quote(text).ok().map(Cow::into_owned),
    }
}

fn compare_options(recording: &RecordingItem<'_>) -> Option<(PathBuf, CompareOptions)> {
    let (overlay, Source::File(path)) = (recording.overlay?, recording.source) else { return None };
    let (timing, placement) = (recording.recording.timing(), overlay.placement);
    let options = CompareOptions { timing: Some(timing), placement: Some(placement), align: false };
    Some((path.clone(), options))
}

#[cfg(test)]
mod tests {
    use bevy::{ecs::system::RunSystemOnce as _, math::DVec3};

    use super::*;
    use crate::session::files::{RecordingDiagnostics, SessionClock};
    use bevy_mutoscope::{
        ClipAsset, FollowsClock, PlaybackClock, Recording, RecordingNode,
        stage::{CameraPose, Overlay},
    };
    use mutoscope_core::{
        ReadOptions, decode,
        measure::compare::{Placement, Timing},
        playback::{TimeCommand, TimeRange},
    };

    fn hands() -> Recording {
        let bytes = include_bytes!("../../../assets/mrtk/two-hands.bin");
        Recording::new(ClipAsset::new(decode(bytes, &ReadOptions::default()).unwrap()))
    }

    fn world() -> (World, Entity) {
        let mut world = World::new();
        world.init_resource::<SessionClock>();
        let clock = world.resource::<SessionClock>().0;
        let mut playback_clock = PlaybackClock::for_asset(hands().asset());
        playback_clock.0.apply(TimeCommand::SetRange(Some(TimeRange::new(0.5, 1.25))), &[]);
        playback_clock.0.apply(TimeCommand::Seek(0.75), &[]);
        world.entity_mut(clock).insert(playback_clock);
        let source = Source::File("my takes/it's.bin".into());
        let first = world
            .spawn((hands(), source, RecordingDiagnostics::default(), FollowsClock(clock)))
            .id();
        (world, first)
    }

    fn saved(world: &mut World, view: View, screen: StageScreen) -> SavedView {
        let capture = move |open: OpenRecordings| capture_view(&open, &view, &screen);
        world.run_system_once(capture).unwrap()
    }

    #[test]
    fn view_command_is_valid_shell() {
        let (mut world, first) = world();
        let index_tip = {
            let recording = hands();
            let mut nodes = recording.clip().nodes.with_ids();
            nodes.find(|(_, node)| node.name == "left/IndexTip").unwrap().0
        };
        let selected = Some(RecordingNode::new(first, index_tip));
        let areas = vec!["the cup=sphere:0,1,-1,0.25".parse().unwrap()];
        let view = View { selected, areas, ..View::default() };
        let camera_pose = CameraPose {
            yaw: 30.0,
            pitch: -5.5,
            distance: Some(1.5),
            middle: Some(DVec3::new(0.1, 1.2, -3.0)),
        };
        let screen = StageScreen { camera_pose, ..StageScreen::default() };
        let files = Files::default();
        let alone = saved(&mut world, view.clone(), screen.clone());
        assert_eq!(command_line(&alone, None, &files), None, "no file is open");
        let source = Source::File("my takes/it's.bin".into());
        let line = "mutoscope \"my takes/it's.bin\" --at=0.75 --range=0.5..1.25 \
                    --select=left/IndexTip --camera=30,-5.5,1.5,0.1,1.2,-3 \
                    --area='the cup=sphere:0,1,-1,0.25'";
        assert_eq!(command_line(&alone, Some(&source), &files).as_deref(), Some(line));
        let clock = world.resource::<SessionClock>().0;
        for (name, offset) in [("my takes/b.bin", -0.25), ("c.bin", 0.0)] {
            let mut other = hands();
            other.set_timing(Timing { offset, rate: 1.0 });
            let overlay = Overlay::new(first, Placement::SideBySide);
            let other_source = Source::File(name.into());
            world.spawn((
                other,
                overlay,
                other_source,
                RecordingDiagnostics::default(),
                FollowsClock(clock),
            ));
        }
        let compared = saved(&mut world, view, screen);
        let compared = command_line(&compared, Some(&source), &files);
        let expected = format!(
            "{line} --against='my takes/b.bin' --against=c.bin --offset=-0.25 --offset=0 \
             --place=side-by-side --place=side-by-side"
        );
        assert_eq!(compared.as_ref(), Some(&expected));
        let path = "my takes/a video.mp4".into();
        let footage = SavedFootage { path, offset: -1.25, rate: Some(24.0) };
        let with_footage = SavedView { footage: Some(footage), ..alone };
        let with_footage = command_line(&with_footage, Some(&source), &files);
        let expected = format!(
            "{line} --reference='my takes/a video.mp4' --reference-offset=-1.25 --reference-rate=24"
        );
        assert_eq!(with_footage, Some(expected));
    }

    fn page() -> Page {
        let (requested, _) = Link::parse("file=takes/a.bin&file=takes/a.png&as=mrtk");
        let fetched = ["takes/a.bin", "takes/a.png", "b.bin"];
        let fetched = fetched.map(|address| (format!("link/{address}").into(), address.to_owned()));
        Page {
            address: "https://example.org/".to_owned(),
            fetched: fetched.into(),
            link: requested,
        }
    }

    #[test]
    fn link_has_fetched_files_and_the_view() {
        let view = SavedView {
            at: Some(1.5),
            compared: vec![("link/b.bin".into(), CompareOptions::default())],
            ..SavedView::default()
        };
        let source = Source::File("link/takes/a.bin".into());
        let files = Files::default();
        let expected = "https://example.org/?file=takes/a.bin&file=takes/a.png&as=mrtk&at=1.5\
                        &against=b.bin";
        assert_eq!(
            link_to(&page(), &view, Some(&source), &files),
            (expected.to_owned(), LinkCoverage::All)
        );
    }

    #[test]
    fn link_has_samples_but_no_dropped_files() {
        let view = SavedView { at: Some(1.5), ..SavedView::default() };
        let files = Files::default();
        let page = Page { address: "https://example.org/".to_owned(), ..Page::default() };
        let expected = "https://example.org/?sample=two-hands-head-and-gaze&at=1.5";
        assert_eq!(
            link_to(&page, &view, Some(&Source::Sample(0)), &files),
            (expected.to_owned(), LinkCoverage::All)
        );
        let dropped = Source::File("1/a.bin".into());
        let expected = "https://example.org/?at=1.5";
        assert_eq!(
            link_to(&page, &view, Some(&dropped), &files),
            (expected.to_owned(), LinkCoverage::Partial)
        );
    }
}
