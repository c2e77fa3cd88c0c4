//! Web pages of all open recordings, as they are shown: on one clock, from here, from now.

use bevy::prelude::*;
use mutoscope_core::{
    export::{ExportOptions, Report, write_whole},
    measure::compare::Placement,
};
use mutoscope_player::{Bounds, Page, PageCamera, PageRecording, PageView, Selected};

use super::{ExportOrder, Failed, Scene, tell};
use crate::{
    recording::{RecordingSnapshot, Tint},
    session::Progress,
};

/// Writes the recordings of `scene` that are visible as one page.
pub(super) fn write(
    order: &ExportOrder,
    bounds: Option<Bounds>,
    scene: &Scene,
    progress: &Progress,
) -> Result<Report, Failed> {
    let title = order.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let shown = shown(order, scene);
    let page = Page { bounds, ..page(order, scene, &shown, &title) };
    let mut html = Vec::new();
    let mut report = page.write(&mut html, &mut |part| tell(progress, part))?;
    write_whole(&order.path, &html)?;
    let snapshots = || shown.iter().map(|(_, snapshot, _)| snapshot);
    if snapshots().any(|one| !one.hidden.is_empty()) {
        report.warning("nodes that are hidden here are visible in the page");
    }
    let is_moved = |one: &RecordingSnapshot| {
        one.overlay.as_ref().is_some_and(|(_, overlay)| overlay.placement != Placement::default())
    };
    if snapshots().any(|one| is_moved(one)) {
        report.warning("recordings are where they were recorded, not aligned or side by side");
    }
    Ok(report)
}

fn page<'a>(order: &ExportOrder, scene: &Scene, shown: &'a [Shown<'a>], title: &str) -> Page<'a> {
    let recordings = shown.iter().map(|(_, snapshot, options)| PageRecording {
        offset: snapshot.timing.offset,
        rate: snapshot.timing.rate,
        tint: tint(&snapshot.tint),
        ..PageRecording::new(&snapshot.asset.clip, options)
    });
    Page { view: view(order, scene, shown), ..Page::new(title, recordings.collect()) }
}

/// A visible recording: its index in the scene, what is seen of it, and its options.
type Shown<'a> = (usize, &'a RecordingSnapshot, ExportOptions);

/// The recordings that are visible and play within the range of the order.
fn shown<'a>(order: &ExportOrder, scene: &'a Scene) -> Vec<Shown<'a>> {
    let visible = scene.seen.iter().enumerate().filter(|(_, snapshot)| snapshot.is_visible);
    let with_options = visible.filter_map(|(index, snapshot)| {
        let range = match order.range {
            None => None,
            Some((from, to)) => {
                Some(snapshot.timing.within(&(from..=to), snapshot.asset.clip.span)?)
            }
        };
        let title = scene.names.get(index).cloned().unwrap_or_default();
        let options = ExportOptions { title, range, rate: order.rate };
        Some((index, snapshot, options))
    });
    with_options.collect()
}

fn tint(tint: &Tint) -> Option<[u8; 3]> {
    let Srgba { red, green, blue, .. } = tint.0?.to_srgba();
    Some([red, green, blue].map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8))
}

/// The time, the selection and the camera of now. Without a known distance, the page shows all that moves.
fn view(order: &ExportOrder, scene: &Scene, shown: &[Shown<'_>]) -> PageView {
    let is_within = |time: f64| order.range.is_none_or(|(from, to)| (from..=to).contains(&time));
    let selected = scene.view.selected.and_then(|selected| {
        let entity = scene.entities.iter().position(|one| *one == selected.recording)?;
        let recording = shown.iter().position(|(index, ..)| *index == entity)?;
        Some(Selected { recording, node: selected.node.index() })
    });
    let from = &scene.from;
    let camera = from.distance.zip(from.middle).map(|(distance, middle)| PageCamera {
        target: middle.to_array(),
        yaw: from.yaw.into(),
        pitch: from.pitch.into(),
        distance: distance.into(),
    });
    PageView { at: Some(scene.now).filter(|now| is_within(*now)), selected, camera, ..default() }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use mutoscope_core::{clip::NodeId, export::ExportTarget, measure::compare::Timing};

    use super::*;
    use crate::{
        capture::BurnIn, recording::RecordingNode, session::jobs::exporting::tests::scene,
        stage::CameraPose,
    };

    fn order(range: Option<(f64, f64)>) -> ExportOrder {
        let target = ExportTarget::of_id("html").unwrap();
        ExportOrder {
            target,
            path: "take.html".into(),
            range,
            rate: None,
            size: [64, 36],
            burn_in: BurnIn::default(),
            sound: false,
        }
    }

    /// Three recordings: the reference, one that begins 3 s later at twice the speed, and a hidden one.
    fn three() -> Scene {
        let mut scene = scene();
        let mut second = scene.seen[0].clone();
        (second.timing, second.tint) = (Timing { offset: 3.0, rate: 2.0 }, Tint::in_turn(1));
        let hidden = RecordingSnapshot { is_visible: false, ..second.clone() };
        scene.seen.extend([hidden, second]);
        scene.names = ["two-hands", "hidden", "second"].map(ToOwned::to_owned).into();
        let mut world = World::new();
        scene.entities = (0..3).map(|_| world.spawn_empty().id()).collect();
        scene
    }

    #[test]
    fn page_has_what_is_seen() {
        let mut scene = three();
        let node = RecordingNode { recording: scene.entities[2], node: NodeId::new(5) };
        (scene.view.selected, scene.now) = (Some(node), 1.25);
        scene.from = CameraPose {
            yaw: 30.0,
            pitch: 10.0,
            distance: Some(2.0),
            middle: Some(DVec3::new(0.5, 1.0, 0.0)),
        };
        let order = order(None);
        let shown = shown(&order, &scene);
        let page = page(&order, &scene, &shown, "take");
        assert_eq!(page.recordings.len(), 2, "without the hidden one");
        let [first, second] = &page.recordings[..] else { unreachable!() };
        assert_eq!([first, second].map(|one| one.options.title.as_str()), ["two-hands", "second"]);
        assert_eq!((first.offset, first.rate, first.tint), (0.0, 1.0, None));
        assert_eq!((second.offset, second.rate, second.tint), (3.0, 2.0, Some([0xb9, 0xd9, 0x57])));
        assert_eq!(page.view.at, Some(1.25));
        assert_eq!(page.view.selected, Some(Selected { recording: 1, node: 5 }));
        let camera = page.view.camera.unwrap();
        assert_eq!((camera.yaw, camera.pitch, camera.distance), (30.0, 10.0, 2.0));
        assert_eq!(camera.target, [0.5, 1.0, 0.0]);
    }

    #[test]
    fn range_is_that_of_the_clock() {
        let scene = three();
        let ranges = |from, to| -> Vec<_> {
            let order = order(Some((from, to)));
            shown(&order, &scene).into_iter().map(|(.., options)| options.range).collect()
        };
        assert_eq!(ranges(3.5, 3.75), [Some(3.5..=3.75), Some(1.0..=1.5)]);
        assert_eq!(ranges(0.5, 1.0), [Some(0.5..=1.0)], "the other has not begun");
    }

    #[test]
    fn page_is_written_and_says_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let mut scene = three();
        scene.seen[0].hidden.insert(NodeId::new(0));
        let path = folder.path().join("take.html");
        let order = ExportOrder { path: path.clone(), ..order(None) };
        let report = write(&order, Some(Bounds::DEFAULT), &scene, &Progress::default()).unwrap();
        let html = std::fs::read_to_string(path).unwrap();
        assert!(html.starts_with("<!doctype html>") && html.contains("<title>take</title>"));
        let said: Vec<_> = report.remarks().iter().map(|one| one.message.as_str()).collect();
        assert!(said.iter().any(|one| one.contains("hidden here")), "{said:?}");
    }
}
