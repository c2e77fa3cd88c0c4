//! Exports web pages with all visible recordings on one clock, with the viewer's camera, time and
//! selection.

use bevy::prelude::*;
use mutoscope_core::{
    export::{ExportOptions, Progress, Report, write_atomically},
    measure::compare::Placement,
};
use mutoscope_player::{Bounds, Page, PageCamera, PageRecording, PageView, SelectedNode};

use super::job::{ExportFailure, ExportRequest, ExportScene};
use bevy_mutoscope::stage::{RecordingSnapshot, Tint};

pub(super) fn write(
    request: &ExportRequest,
    bounds: Option<Bounds>,
    scene: &ExportScene,
    progress: &mut Progress<'_>,
) -> Result<Report, ExportFailure> {
    let title = request.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let visible = visible_recordings(request, scene)?;
    let page = Page { bounds, ..build_page(request, scene, &visible, &title) };
    let mut html = Vec::new();
    let mut report = page.write(&mut html, progress)?;
    write_atomically(&request.path, &html)?;
    let snapshots = || visible.iter().map(|recording| recording.snapshot);
    if snapshots().any(|snapshot| !snapshot.hidden.is_empty()) {
        report.warning("nodes that are hidden here are visible in the page");
    }
    let is_moved = |snapshot: &RecordingSnapshot| {
        snapshot
            .overlay
            .as_ref()
            .is_some_and(|(_, overlay)| overlay.placement != Placement::default())
    };
    if snapshots().any(is_moved) {
        report.warning("recordings are where they were recorded, not aligned or side by side");
    }
    Ok(report)
}

fn build_page<'a>(
    request: &ExportRequest,
    scene: &ExportScene,
    visible: &'a [VisibleRecording<'a>],
    title: &str,
) -> Page<'a> {
    let recordings =
        visible.iter().map(|VisibleRecording { snapshot, options, .. }| PageRecording {
            offset: snapshot.timing.offset,
            rate: snapshot.timing.rate,
            tint: tint_rgb(&snapshot.tint),
            ..PageRecording::new(&snapshot.asset.clip, options)
        });
    Page { view: build_view(request, scene, visible), ..Page::new(title, recordings.collect()) }
}

struct VisibleRecording<'a> {
    index: usize,
    snapshot: &'a RecordingSnapshot,
    options: ExportOptions,
}

fn visible_recordings<'a>(
    request: &ExportRequest,
    scene: &'a ExportScene,
) -> Result<Vec<VisibleRecording<'a>>, ExportFailure> {
    let visible = scene.snapshots.iter().enumerate().filter(|(_, snapshot)| snapshot.is_visible);
    let with_options = visible.filter_map(|(index, snapshot)| {
        let range = match request.range {
            None => None,
            Some((from, to)) => {
                Some(snapshot.timing.to_clip_range(&(from..=to), snapshot.asset.clip.span)?)
            }
        };
        let title = scene.names.get(index).cloned().unwrap_or_default();
        let options = request.export_options(title, range);
        Some(options.map(|options| VisibleRecording { index, snapshot, options }))
    });
    with_options.collect()
}

fn tint_rgb(tint: &Tint) -> Option<[u8; 3]> {
    let Srgba { red, green, blue, .. } = tint.0?.to_srgba();
    Some([red, green, blue].map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8))
}

fn build_view(
    request: &ExportRequest,
    scene: &ExportScene,
    visible: &[VisibleRecording<'_>],
) -> PageView {
    let is_within = |time: f64| request.range.is_none_or(|(from, to)| (from..=to).contains(&time));
    let selected = scene.view.selected.and_then(|selected| {
        let scene_index = scene.entities.iter().position(|entity| *entity == selected.recording)?;
        let recording = visible.iter().position(|recording| recording.index == scene_index)?;
        Some(SelectedNode { recording, node: selected.node.index() })
    });
    let pose = &scene.camera;
    let camera = pose.distance.zip(pose.middle).map(|(distance, middle)| PageCamera {
        target: middle.to_array(),
        yaw: pose.yaw.into(),
        pitch: pose.pitch.into(),
        distance: distance.into(),
    });
    PageView { at: Some(scene.time).filter(|now| is_within(*now)), selected, camera, ..default() }
}

#[cfg(test)]
mod tests {
    use bevy::math::DVec3;
    use mutoscope_core::{clip::NodeId, measure::compare::Timing};

    use super::*;
    use crate::session::export::job::tests::scene;
    use bevy_mutoscope::{RecordingNode, stage::CameraPose};

    fn request(range: Option<(f64, f64)>) -> ExportRequest {
        let target = crate::targets().target("html").unwrap();
        ExportRequest { range, ..ExportRequest::new(target, "take.html".into()) }
    }

    fn three_recordings() -> ExportScene {
        let mut scene = scene();
        let mut second = scene.snapshots[0].clone();
        (second.timing, second.tint) = (Timing { offset: 3.0, rate: 2.0 }, Tint::for_index(1));
        let hidden = RecordingSnapshot { is_visible: false, ..second.clone() };
        scene.snapshots.extend([hidden, second]);
        scene.names = ["two-hands", "hidden", "second"].map(ToOwned::to_owned).into();
        let mut world = World::new();
        scene.entities = (0..3).map(|_| world.spawn_empty().id()).collect();
        scene
    }

    #[test]
    fn page_contains_the_visible_recordings_and_the_view() {
        let mut scene = three_recordings();
        let node = RecordingNode { recording: scene.entities[2], node: NodeId::new(5) };
        (scene.view.selected, scene.time) = (Some(node), 1.25);
        scene.camera = CameraPose {
            yaw: 30.0,
            pitch: 10.0,
            distance: Some(2.0),
            middle: Some(DVec3::new(0.5, 1.0, 0.0)),
        };
        let request = request(None);
        let visible = visible_recordings(&request, &scene).unwrap();
        let page = build_page(&request, &scene, &visible, "take");
        assert_eq!(page.recordings.len(), 2, "the hidden recording is left out");
        let [first, second] = &page.recordings[..] else { unreachable!() };
        assert_eq!(
            [first, second].map(|recording| recording.options.title.as_str()),
            ["two-hands", "second"]
        );
        assert_eq!((first.offset, first.rate, first.tint), (0.0, 1.0, None));
        assert_eq!((second.offset, second.rate, second.tint), (3.0, 2.0, Some([0xb9, 0xd9, 0x57])));
        assert_eq!(page.view.at, Some(1.25));
        assert_eq!(page.view.selected, Some(SelectedNode { recording: 1, node: 5 }));
        let camera = page.view.camera.unwrap();
        assert_eq!((camera.yaw, camera.pitch, camera.distance), (30.0, 10.0, 2.0));
        assert_eq!(camera.target, [0.5, 1.0, 0.0]);
    }

    #[test]
    fn range_is_converted_to_clip_time() {
        let scene = three_recordings();
        let ranges = |from, to| -> Vec<_> {
            let request = request(Some((from, to)));
            visible_recordings(&request, &scene)
                .unwrap()
                .into_iter()
                .map(|recording| recording.options.range)
                .collect()
        };
        assert_eq!(ranges(3.5, 3.75), [Some(3.5..=3.75), Some(1.0..=1.5)]);
        assert_eq!(ranges(0.5, 1.0), [Some(0.5..=1.0)], "the second recording starts later");
    }

    #[test]
    fn page_reports_hidden_nodes() {
        let folder = tempfile::tempdir().unwrap();
        let mut scene = three_recordings();
        scene.snapshots[0].hidden.insert(NodeId::new(0));
        let path = folder.path().join("take.html");
        let request = ExportRequest { path: path.clone(), ..request(None) };
        let report =
            write(&request, Some(Bounds::DEFAULT), &scene, &mut Progress::default()).unwrap();
        let html = std::fs::read_to_string(path).unwrap();
        assert!(html.starts_with("<!doctype html>") && html.contains("<title>take</title>"));
        let messages: Vec<_> =
            report.remarks().iter().map(|remark| remark.message.as_str()).collect();
        assert!(messages.iter().any(|message| message.contains("hidden here")), "{messages:?}");
    }
}
