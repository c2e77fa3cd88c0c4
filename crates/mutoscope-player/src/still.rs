//! Draws the still image: an SVG of one pose, for readers without scripts and for previews.

use std::fmt::Write as _;

use glam::{DQuat, DVec3, EulerRot};
use mutoscope_core::clip::{
    Clip, Model, NodeKind, PartParent, Piece, Pose, Side, Texture, TextureImage, Transform,
};
use mutoscope_view::figure::{BoneLengths, Proportions};

use crate::{Page, PageRecording, html::escape_html};

const SIZE: [f64; 2] = [960.0, 540.0];

/// The direction of view in degrees, the same as the viewer's initial camera.
const VIEW_YAW_DEG: f64 = 150.0;
const VIEW_PITCH_DEG: f64 = 20.0;

const FILL_SHARE: f64 = 0.78;

const MAX_TRIANGLES: usize = 6000;

/// The largest coordinate of a drawn shape, in metres. Shapes beyond it are left out, because f32
/// is too coarse there.
const MAX_COORDINATE_M: f64 = 1e7;

/// The direction towards the light, in view space.
const LIGHT: DVec3 = DVec3::new(-0.45, 0.68, 0.58);

enum Shape {
    Line { ends: [DVec3; 2], width: f64, color: [u8; 3] },
    Ball { middle: DVec3, radius: f64, color: [u8; 3] },
    Triangle { corners: [DVec3; 3], color: [u8; 3] },
}

pub(crate) fn render_svg(page: &Page<'_>) -> String {
    let shapes: Vec<Shape> =
        page.recordings.iter().flat_map(|recording| recording_shapes(page, recording)).collect();
    let camera = DQuat::from_euler(
        EulerRot::YXZ,
        VIEW_YAW_DEG.to_radians(),
        -VIEW_PITCH_DEG.to_radians(),
        0.0,
    );
    let to_view = |position: DVec3| camera.conjugate() * position;
    let shapes: Vec<Shape> = shapes.into_iter().map(|shape| shape.map_points(&to_view)).collect();
    let points = || shapes.iter().flat_map(Shape::extreme_points);
    let min = points().fold(DVec3::INFINITY, DVec3::min);
    let max = points().fold(DVec3::NEG_INFINITY, DVec3::max);
    let [width, height] = SIZE;
    let name = if page.title.is_empty() { "the recording" } else { &page.title };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{}, an image of one moment</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#1b1d21\"/>\n",
        escape_html(name)
    );
    if shapes.is_empty() || !(max - min).is_finite() {
        svg += "<text x=\"480\" y=\"276\" fill=\"#8b93a1\" text-anchor=\"middle\" font-size=\"18\" \
                font-family=\"sans-serif\">Nothing is visible at this moment.</text>\n</svg>\n";
        return svg;
    }
    let extent = (max - min).max(DVec3::splat(1e-3));
    let scale = (FILL_SHARE * width / extent.x).min(FILL_SHARE * height / extent.y);
    let middle = (min + max) / 2.0;
    let to_svg = |position: DVec3| {
        let position = (position - middle) * scale;
        [width / 2.0 + position.x, height / 2.0 - position.y]
    };
    let mut order: Vec<&Shape> = shapes.iter().collect();
    order.sort_by(|a, b| a.depth().total_cmp(&b.depth()));
    order.into_iter().for_each(|shape| shape.draw(&to_svg, scale, &mut svg));
    svg + "</svg>\n"
}

impl Shape {
    fn map_points(self, map: &impl Fn(DVec3) -> DVec3) -> Self {
        match self {
            Self::Line { ends, width, color } => Self::Line { ends: ends.map(map), width, color },
            Self::Ball { middle, radius, color } => {
                Self::Ball { middle: map(middle), radius, color }
            }
            Self::Triangle { corners, color } => {
                Self::Triangle { corners: corners.map(map), color }
            }
        }
    }

    fn extreme_points(&self) -> Vec<DVec3> {
        match self {
            Self::Line { ends, .. } => ends.to_vec(),
            Self::Ball { middle, radius, .. } => {
                vec![*middle - DVec3::splat(*radius), *middle + DVec3::splat(*radius)]
            }
            Self::Triangle { corners, .. } => corners.to_vec(),
        }
    }

    fn depth(&self) -> f64 {
        let points = self.extreme_points();
        points.iter().map(|point| point.z).sum::<f64>() / points.len() as f64
    }

    fn draw(&self, to_svg: &impl Fn(DVec3) -> [f64; 2], scale: f64, svg: &mut String) {
        let _ = match self {
            Self::Line { ends, width, color } => {
                let [[ax, ay], [bx, by]] = ends.map(to_svg);
                let width = (width * scale).clamp(1.0, 40.0);
                writeln!(
                    svg,
                    "<path d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}\" stroke=\"{}\" stroke-width=\"{width:.1}\" \
                     stroke-linecap=\"round\"/>",
                    hex(*color)
                )
            }
            Self::Ball { middle, radius, color } => {
                let [x, y] = to_svg(*middle);
                let radius = (radius * scale).clamp(1.0, 60.0);
                writeln!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{}\"/>",
                    hex(*color)
                )
            }
            Self::Triangle { corners, color } => {
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                let Some(normal) = normal.try_normalize().filter(|normal| normal.z > 0.0) else {
                    return;
                };
                let light = 0.25 + 0.75 * (normal.dot(LIGHT) * 0.5 + 0.5).max(0.0).powf(1.5);
                let color = color.map(|part| (f64::from(part) * light).min(255.0) as u8);
                let [[ax, ay], [bx, by], [cx, cy]] = corners.map(to_svg);
                writeln!(
                    svg,
                    "<path d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}L{cx:.1} {cy:.1}Z\" fill=\"{0}\" stroke=\"{0}\" \
                     stroke-width=\".6\"/>",
                    hex(color)
                )
            }
        };
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn recording_shapes(page: &Page<'_>, recording: &PageRecording<'_>) -> Vec<Shape> {
    let clip = recording.clip;
    let whole = clip.span.start..=clip.span.end();
    let (from, to) = recording.options.range.clone().unwrap_or(whole).into_inner();
    let time = page.view.at.map(|time| (time - recording.offset) * recording.rate);
    let time = time.unwrap_or(from + 0.5 * (to - from)).clamp(from, to.max(from));
    let mut pose = Pose::default();
    clip.sample(time, &mut pose);
    let tinted = |color: [u8; 3]| recording.tint.unwrap_or(color);
    let shapes = match model_triangles(clip, &pose, time) {
        Some(triangles) => triangles,
        None => bone_shapes(clip, &pose),
    };
    let is_near = |shape: &Shape| {
        shape
            .extreme_points()
            .iter()
            .all(|point| point.is_finite() && point.abs().max_element() < MAX_COORDINATE_M)
    };
    let tint = |shape: Shape| match shape {
        Shape::Line { ends, width, color } => Shape::Line { ends, width, color: tinted(color) },
        Shape::Ball { middle, radius, color } => {
            Shape::Ball { middle, radius, color: tinted(color) }
        }
        Shape::Triangle { corners, color } => Shape::Triangle { corners, color: tinted(color) },
    };
    shapes.into_iter().filter(is_near).map(tint).collect()
}

fn bone_shapes(clip: &Clip, pose: &Pose) -> Vec<Shape> {
    let lengths = BoneLengths::from_clip(clip);
    let size = lengths.scale().unwrap_or(1.0);
    let proportions = Proportions::new(clip, &lengths, size);
    let mut shapes = Vec::new();
    for (id, node) in clip.nodes.with_ids() {
        let state = &pose[id];
        if !state.is_visible {
            continue;
        }
        let position = state.world.translation;
        match node.kind {
            NodeKind::Joint | NodeKind::Tip | NodeKind::Locator => {
                let color = side_color(node.side);
                let radius = f64::from(proportions.joint_radius(id));
                shapes.push(Shape::Ball { middle: position, radius, color: lighten(color) });
                if let Some(from) = node.bone_from.map(|from| &pose[from])
                    && from.is_visible
                {
                    let width = 1.7 * f64::from(proportions.bone_radius(id));
                    shapes.push(Shape::Line {
                        ends: [from.world.translation, position],
                        width,
                        color,
                    });
                }
            }
            NodeKind::Head => {
                let middle = state.world.transform_point(DVec3::new(0.0, 0.01, 0.1));
                shapes.push(Shape::Ball { middle, radius: 0.095, color: [0x9a, 0xa3, 0xb1] });
            }
            NodeKind::Ray => {
                let end = state.world.transform_point(DVec3::new(0.0, 0.0, -0.6));
                shapes.push(Shape::Line {
                    ends: [position, end],
                    width: 0.003,
                    color: [0x7f, 0xe3, 0xc4],
                });
            }
            NodeKind::Shape | NodeKind::Effector | NodeKind::Helper => {}
        }
    }
    shapes
}

fn side_color(side: Option<Side>) -> [u8; 3] {
    match side {
        Some(Side::Left) => [0x5a, 0xa9, 0xff],
        Some(Side::Right) => [0xff, 0x7a, 0x90],
        None => [0xd7, 0xdb, 0xe2],
    }
}

fn lighten(color: [u8; 3]) -> [u8; 3] {
    color.map(|part| part + ((255 - part) as f32 * 0.35) as u8)
}

fn model_triangles(clip: &Clip, pose: &Pose, time: f64) -> Option<Vec<Shape>> {
    let mut shapes = Vec::new();
    if let Some(model) = clip.model() {
        push_model_triangles(model, pose, &mut shapes);
    } else {
        let export_model = clip.export_model()?;
        push_model_triangles(&export_model.model, pose, &mut shapes);
        let viewer_from_source = clip.convention.viewer_from_source();
        for figure in &export_model.figures {
            if !figure.motion.is_visible(time) {
                continue;
            }
            let rest = figure
                .parts
                .iter()
                .map(|part| (viewer_from_source.convert_transform(&part.rest), true));
            let mut states: Vec<(Transform, bool)> = rest.collect();
            figure.motion.pose_parts(time, &mut |part, local, shown| {
                states[part] = (viewer_from_source.convert_transform(&local), shown);
            });
            for index in 0..figure.parts.len() {
                let (parent, is_parent_shown) = match figure.parts[index].parent {
                    PartParent::Node(node) => {
                        let node = &pose[node];
                        (node.world, node.is_visible)
                    }
                    PartParent::Part(part) => states[part],
                };
                let (local, shown) = states[index];
                states[index] = (parent.compose(&local), shown && is_parent_shown);
                let (world, shown) = states[index];
                let Some(mesh) = figure.parts[index].mesh.filter(|_| shown) else { continue };
                for surface in &export_model.meshes[mesh].surfaces {
                    let points: Vec<DVec3> =
                        surface.positions.iter().map(|point| to_world(&world, point)).collect();
                    push_triangles(
                        &points,
                        &surface.triangles,
                        |_| Some(to_srgb(surface.color)),
                        &mut shapes,
                    );
                }
            }
        }
    }
    (!shapes.is_empty() && shapes.len() <= MAX_TRIANGLES).then_some(shapes)
}

fn to_world(world: &Transform, point: &[f32; 3]) -> DVec3 {
    world.transform_point(glam::Vec3::from_array(*point).as_dvec3())
}

fn push_model_triangles(model: &Model, pose: &Pose, shapes: &mut Vec<Shape>) {
    for piece in &model.pieces {
        let piece = &*piece.simplified();
        if shapes.len() > MAX_TRIANGLES {
            return;
        }
        let shown = |node: usize| pose.nodes.get(node).is_some_and(|node| node.is_visible);
        let points: Vec<DVec3> = match &piece.skin {
            None if !shown(piece.node) => continue,
            None => {
                let world = &pose.nodes[piece.node].world;
                piece.positions.iter().map(|point| to_world(world, point)).collect()
            }
            Some(skin) if !skin.joints.iter().any(|joint| shown(*joint)) => continue,
            Some(_) => {
                (0..piece.positions.len()).map(|vertex| skin_vertex(piece, vertex, pose)).collect()
            }
        };
        let texture = piece.texture.and_then(|texture| model.textures.get(texture));
        let color = |corners: [usize; 3]| {
            let own = to_srgb(piece.color);
            let Some(texture) = texture else { return Some(own) };
            let uvs = corners.map(|corner| piece.uvs.get(corner).copied());
            let [Some(a), Some(b), Some(c)] = uvs else { return Some(own) };
            let middle = [0, 1].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            match sample_texture(texture, middle) {
                Texel::Unknown => Some(own),
                Texel::Clear => None,
                Texel::Color(texel) => Some(
                    [0, 1, 2]
                        .map(|part| (u16::from(own[part]) * u16::from(texel[part]) / 255) as u8),
                ),
            }
        };
        push_triangles(&points, &piece.triangles, color, shapes);
    }
}

fn skin_vertex(piece: &Piece, vertex: usize, pose: &Pose) -> DVec3 {
    let Some(skin) = &piece.skin else { return DVec3::NAN };
    let point = glam::Vec3::from_array(piece.positions[vertex]);
    let (Some(joints), Some(weights)) = (skin.influences.get(vertex), skin.weights.get(vertex))
    else {
        return DVec3::NAN;
    };
    let pairs = joints.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
    pairs
        .map(|(&joint, &weight)| {
            let joint = usize::from(joint);
            let (Some(bind), Some(&node)) = (skin.inverse_bind.get(joint), skin.joints.get(joint))
            else {
                return DVec3::NAN;
            };
            let Some(node) = pose.nodes.get(node) else { return DVec3::NAN };
            node.world.transform_point(bind.transform_point3(point).as_dvec3()) * f64::from(weight)
        })
        .sum()
}

fn push_triangles(
    points: &[DVec3],
    triangles: &[u32],
    color: impl Fn([usize; 3]) -> Option<[u8; 3]>,
    shapes: &mut Vec<Shape>,
) {
    for corners in triangles.chunks_exact(3) {
        let corner = |index: usize| points.get(corners[index] as usize).copied();
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
        if shapes.len() > MAX_TRIANGLES {
            return;
        }
        let indices = [0, 1, 2].map(|index| corners[index] as usize);
        if let Some(color) = color(indices) {
            shapes.push(Shape::Triangle { corners: [a, b, c], color });
        }
    }
}

enum Texel {
    /// The colour is unknown, because the texture is an encoded image file that we do not decode
    /// here.
    Unknown,
    Clear,
    Color([u8; 3]),
}

fn sample_texture(texture: &Texture, [u, v]: [f32; 2]) -> Texel {
    let TextureImage::Rgba8 { width, height, pixels } = &texture.image else {
        return Texel::Unknown;
    };
    let at = |part: f32, size: u32| {
        ((part * size as f32).floor() as i64).rem_euclid(i64::from(size).max(1)) as usize
    };
    let index = 4 * (at(v, *height) * *width as usize + at(u, *width));
    match pixels.get(index..index + 4) {
        None => Texel::Unknown,
        Some(texel) if texel[3] < 128 => Texel::Clear,
        Some(texel) => Texel::Color([texel[0], texel[1], texel[2]]),
    }
}

fn to_srgb(linear: [f32; 4]) -> [u8; 3] {
    let part = |value: f32| {
        let value = f64::from(value).clamp(0.0, 1.0);
        let encoded = if value <= 0.003_130_8 {
            12.92 * value
        } else {
            1.055 * value.powf(1.0 / 2.4) - 0.055
        };
        (255.0 * encoded).round() as u8
    };
    [part(linear[0]), part(linear[1]), part(linear[2])]
}
