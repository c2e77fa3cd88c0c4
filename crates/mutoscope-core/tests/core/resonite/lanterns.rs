//! Writes the model that the Resonite animation of the gallery moves: lanterns, a lift, and a sign.

use std::f32::consts::TAU;

use glam::{Vec3, vec3};
use serde_json::{Value, json};

/// Returns the bytes of the GLB. glTF's z axis is the negative of Resonite's, so forward motion of
/// the animation is towards −z in the model.
pub(crate) fn glb() -> Vec<u8> {
    let mut model = Model::default();
    for (index, glass) in [GOLD, RED, GREEN, BLUE].into_iter().enumerate() {
        model.node(&format!("Lantern {}", index + 1), Vec3::ZERO, &lantern(glass));
    }
    model.node("Lift", Vec3::ZERO, &lift());
    model.node("Sign", vec3(0.0, 2.35, 0.0), &sign());
    model.node("Music", vec3(1.5, 0.0, 1.7), &speaker());
    model.node("Door", vec3(0.0, 0.0, 2.2), &door());
    model.finish()
}

const GOLD: [f32; 3] = [1.0, 0.62, 0.12];
const RED: [f32; 3] = [0.95, 0.22, 0.16];
const GREEN: [f32; 3] = [0.25, 0.8, 0.42];
const BLUE: [f32; 3] = [0.22, 0.5, 0.95];
const IRON: [f32; 3] = [0.16, 0.16, 0.18];
const WOOD: [f32; 3] = [0.42, 0.28, 0.16];
const PAPER: [f32; 3] = [0.9, 0.84, 0.7];

struct Part {
    color: [f32; 3],
    corners: Vec<[Vec3; 3]>,
}

/// Builds a paper lantern about half a metre high: two iron rims, and a ring to hang it by.
fn lantern(glass: [f32; 3]) -> Vec<Part> {
    let part = |color, outline: &[(f32, f32)]| revolve(color, outline, Vec3::ZERO);
    vec![
        part(glass, &[(0.09, -0.2), (0.16, -0.12), (0.18, 0.0), (0.16, 0.12), (0.09, 0.2)]),
        part(IRON, &[(0.0, -0.26), (0.07, -0.25), (0.1, -0.19), (0.0, -0.19)]),
        part(IRON, &[(0.0, 0.19), (0.11, 0.19), (0.05, 0.25), (0.015, 0.27), (0.0, 0.36)]),
        part(GOLD, &[(0.0, -0.38), (0.025, -0.34), (0.0, -0.26)]),
    ]
}

fn lift() -> Vec<Part> {
    vec![
        revolve(WOOD, &[(0.0, 0.0), (0.45, 0.0), (0.45, 0.06), (0.0, 0.06)], Vec3::ZERO),
        revolve(IRON, &[(0.0, -0.08), (0.32, -0.08), (0.36, 0.0), (0.0, 0.0)], Vec3::ZERO),
    ]
}

/// Builds a board in a frame that can be read from both sides.
fn sign() -> Vec<Part> {
    vec![
        cuboid(WOOD, Vec3::ZERO, vec3(0.5, 0.24, 0.02)),
        cuboid(PAPER, Vec3::ZERO, vec3(0.45, 0.19, 0.03)),
        cuboid(RED, vec3(-0.22, 0.0, 0.0), vec3(0.1, 0.1, 0.04)),
        cuboid(IRON, vec3(0.12, 0.07, 0.0), vec3(0.2, 0.025, 0.04)),
        cuboid(IRON, vec3(0.07, -0.05, 0.0), vec3(0.15, 0.025, 0.04)),
    ]
}

fn speaker() -> Vec<Part> {
    let cone = |height, radius| {
        let outline = [(0.0, 0.0), (radius, 0.0), (radius * 0.9, 0.03), (0.0, 0.01)];
        let mut part = revolve(IRON, &outline, Vec3::ZERO);
        for corner in part.corners.iter_mut().flatten() {
            // Turn the cone from upright to facing −z, and move it to the front of the box.
            *corner = vec3(corner.x, height + corner.z, -0.19 - corner.y);
        }
        part
    };
    vec![cuboid(WOOD, vec3(0.0, 0.4, 0.0), vec3(0.24, 0.4, 0.19)), cone(0.27, 0.17), cone(0.6, 0.1)]
}

/// Builds two posts with a beam, and a door leaf between them.
fn door() -> Vec<Part> {
    vec![
        cuboid(WOOD, vec3(-0.6, 1.0, 0.0), vec3(0.07, 1.0, 0.07)),
        cuboid(WOOD, vec3(0.6, 1.0, 0.0), vec3(0.07, 1.0, 0.07)),
        cuboid(WOOD, vec3(0.0, 2.06, 0.0), vec3(0.8, 0.07, 0.09)),
        cuboid(RED, vec3(0.0, 0.98, 0.0), vec3(0.52, 0.96, 0.03)),
        cuboid(GOLD, vec3(0.4, 0.95, 0.0), vec3(0.04, 0.04, 0.06)),
    ]
}

/// Builds the surface of revolution of an outline of (radius, height), from bottom to top.
fn revolve(color: [f32; 3], outline: &[(f32, f32)], center: Vec3) -> Part {
    const SIDES: u8 = 12;
    let corner = |(radius, height): (f32, f32), side: u8| {
        let (sin, cos) = (TAU * f32::from(side) / f32::from(SIDES)).sin_cos();
        center + vec3(radius * cos, height, -radius * sin)
    };
    let mut corners = Vec::new();
    for (side, pair) in (0..SIDES).flat_map(|side| outline.windows(2).map(move |pair| (side, pair)))
    {
        let [a, b] = [corner(pair[0], side), corner(pair[0], side + 1)];
        let [c, d] = [corner(pair[1], side + 1), corner(pair[1], side)];
        corners.extend([[a, b, c], [a, c, d]]);
    }
    // Triangles at the axis have two equal corners, so remove them.
    corners.retain(|[a, b, c]| (*b - *a).cross(*c - *a).length() > 1e-9);
    Part { color, corners }
}

fn cuboid(color: [f32; 3], center: Vec3, half: Vec3) -> Part {
    let mut corners = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (mut out, mut right, mut up) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
            out[axis] = sign * half[axis];
            right[(axis + 1) % 3] = half[(axis + 1) % 3];
            up[(axis + 2) % 3] = sign * half[(axis + 2) % 3];
            let corner = |x: f32, y: f32| center + out + x * right + y * up;
            let [a, b, c, d] =
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            corners.extend([[a, b, c], [a, c, d]]);
        }
    }
    Part { color, corners }
}

#[derive(Default)]
struct Model {
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    buffer: Vec<u8>,
}

impl Model {
    fn node(&mut self, name: &str, position: Vec3, parts: &[Part]) {
        let primitives: Vec<_> = parts.iter().map(|part| self.primitive(part)).collect();
        self.nodes.push(json!({
            "name": name, "mesh": self.meshes.len(), "translation": position.to_array(),
        }));
        self.meshes.push(json!({"name": name, "primitives": primitives}));
    }

    fn primitive(&mut self, part: &Part) -> Value {
        let positions: Vec<Vec3> = part.corners.iter().flatten().copied().collect();
        json!({
            // Without normals, glTF readers shade the faces flat.
            "attributes": {"POSITION": self.vectors(&positions)},
            "material": self.material(part.color),
        })
    }

    fn vectors(&mut self, vectors: &[Vec3]) -> usize {
        let min = vectors.iter().copied().reduce(Vec3::min).expect("every part has corners");
        let max = vectors.iter().copied().reduce(Vec3::max).expect("every part has corners");
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.buffer.len(), "byteLength": vectors.len() * 12,
            "target": 34962,
        }));
        self.accessors.push(json!({
            "bufferView": self.accessors.len(), "componentType": 5126, "type": "VEC3",
            "count": vectors.len(), "min": min.to_array(), "max": max.to_array(),
        }));
        let numbers = vectors.iter().flat_map(|vector| vector.to_array());
        self.buffer.extend(numbers.flat_map(f32::to_le_bytes));
        self.accessors.len() - 1
    }

    fn material(&mut self, [red, green, blue]: [f32; 3]) -> usize {
        let material = json!({"pbrMetallicRoughness": {
            "baseColorFactor": [red, green, blue, 1.0], "metallicFactor": 0.0,
        }});
        self.materials.iter().position(|known| *known == material).unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        })
    }

    fn finish(self) -> Vec<u8> {
        let nodes: Vec<_> = (0..self.nodes.len()).collect();
        let description = json!({
            "asset": {"version": "2.0", "generator": "Mutoscope"},
            "scene": 0, "scenes": [{"nodes": nodes}],
            "nodes": self.nodes, "meshes": self.meshes, "materials": self.materials,
            "accessors": self.accessors, "bufferViews": self.views,
            "buffers": [{"byteLength": self.buffer.len()}],
        });
        let mut text = description.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let total = 12 + 8 + text.len() + 8 + self.buffer.len();
        let mut glb = b"glTF".to_vec();
        let size = |length: usize| u32::try_from(length).expect("the model is small").to_le_bytes();
        glb.extend([2_u32.to_le_bytes(), size(total), size(text.len())].concat());
        glb.extend(b"JSON");
        glb.extend(&text);
        glb.extend(size(self.buffer.len()));
        glb.extend(b"BIN\0");
        glb.extend(&self.buffer);
        glb
    }
}
