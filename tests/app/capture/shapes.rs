//! Tests of morph targets and vertex colours in images.

use std::{fs, path::Path};

use serde_json::json;

use super::{errors, open, render};

/// Writes a square of 1 m whose left half is red and whose right half is blue. At 1 s, a morph
/// target makes the square 2 m wide. Returns the path of the file.
fn write_square(folder: &Path) -> String {
    let mut bytes: Vec<u8> = Vec::new();
    let mut views = Vec::new();
    let mut view = |numbers: &[f32]| {
        let offset = bytes.len();
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len() - offset}));
    };
    let corners = [[-0.5, 0.0], [0.0, 0.0], [0.5, 0.0], [-0.5, 1.0], [0.0, 1.0], [0.5, 1.0]];
    // The halves do not share vertices, because a vertex has only one colour.
    let quads = [[0, 1, 4, 3], [1, 2, 5, 4]];
    let for_all_corners = |attribute: &dyn Fn(usize, [f32; 2]) -> [f32; 3]| -> Vec<f32> {
        let halves = quads.iter().enumerate();
        let all =
            halves.flat_map(|(half, quad)| quad.map(|corner| attribute(half, corners[corner])));
        all.flatten().collect()
    };
    view(&for_all_corners(&|_, [x, y]| [x, y, 0.0]));
    view(&for_all_corners(&|half, _| if half == 0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] }));
    view(&for_all_corners(&|_, [x, _]| [x, 0.0, 0.0]));
    view(&[0.0, 1.0]);
    view(&[0.0, 1.0]);
    // Add each triangle with both windings, so that the square is visible from both sides.
    let triangles = [0, 1, 2, 0, 2, 3].map(|corner| [corner, corner + 4]).into_iter().flatten();
    let front: Vec<u32> = {
        let (left, right): (Vec<u32>, Vec<u32>) =
            triangles.collect::<Vec<_>>().chunks(2).map(|pair| (pair[0], pair[1])).unzip();
        [left, right].concat()
    };
    let indices: Vec<u32> = front.iter().chain(front.iter().rev()).copied().collect();
    let offset = bytes.len();
    bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
    views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len() - offset}));
    let accessor = |view: usize, count: usize, kind: &str, component: u32| json!({"bufferView": view, "count": count, "type": kind, "componentType": component});
    let root = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "square", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 5,
            "targets": [{"POSITION": 2}]}]}],
        "animations": [{"samplers": [{"input": 3, "output": 4}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}],
        "accessors": [accessor(0, 8, "VEC3", 5126), accessor(1, 8, "VEC3", 5126),
            accessor(2, 8, "VEC3", 5126), accessor(3, 2, "SCALAR", 5126),
            accessor(4, 2, "SCALAR", 5126), accessor(5, indices.len(), "SCALAR", 5125)],
        "bufferViews": views,
        "buffers": [{"byteLength": bytes.len(), "uri": "square.bin"}],
    });
    fs::write(folder.join("square.bin"), bytes).unwrap();
    let path = folder.join("square.gltf");
    fs::write(&path, root.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn mesh_has_morphed_width_and_vertex_colours() {
    let folder = tempfile::tempdir().unwrap();
    let (take, out) = (write_square(folder.path()), folder.path().join("out.png"));
    let is_red: fn([u8; 3]) -> bool =
        |[r, g, b]| r > 90 && r > g.saturating_add(60) && r > b.saturating_add(60);
    let is_blue: fn([u8; 3]) -> bool =
        |[r, g, b]| b > 90 && b > g.saturating_add(60) && b > r.saturating_add(60);
    let mut widths = Vec::new();
    for time in ["0", "0.5", "1"] {
        let ended = render(&[
            "-o",
            out.to_str().unwrap(),
            "--size",
            "320x180",
            "--at",
            time,
            "--camera=0,0",
            &take,
        ]);
        assert!(ended.status.success(), "{}", errors(&ended));
        let picture = open(&out);
        let width = |is_match| {
            let columns = super::matching_columns(&picture, is_match);
            let ends = (columns.iter().min(), columns.iter().max());
            ends.0.zip(ends.1).map_or(0, |(first, last)| last - first + 1)
        };
        widths.push([width(is_red), width(is_blue)]);
    }
    // The square is 1.5 times as wide at half the weight and twice as wide at the full weight. The
    // tolerance is large, because the axes add red pixels in the middle.
    let [rest, half, full] = widths[..] else { panic!("three images") };
    for side in 0..2 {
        let times = |width: u32| f64::from(width) / f64::from(rest[side]);
        assert!(rest[side] > 5, "{widths:?}");
        assert!((times(half[side]) - 1.5).abs() < 0.12, "{widths:?}");
        assert!((times(full[side]) - 2.0).abs() < 0.2, "{widths:?}");
    }
}
