//! Draws the output of egui on the processor.
//!
//! The renderer of `egui_kittest` needs another version of wgpu than the engine. Drawing on the
//! processor also makes the images independent of graphics drivers.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use bevy_egui::egui::{
    Color32, ColorImage, Context, FullOutput, Pos2, Rect, TextureFilter, TextureId, TextureOptions,
    TexturesDelta,
    epaint::{ClippedPrimitive, ImageData, Mesh, Primitive, Vertex},
};
use egui_kittest::TestRenderer;
use image::RgbaImage;

/// The number of subpixels along each side of a pixel, for the positions of vertices.
const SUBPIXELS: f32 = 256.0;

/// The textures that egui has sent so far. A clone shares them, because the harness owns its
/// renderer.
#[derive(Clone, Default)]
pub(super) struct Rasterizer {
    textures: Rc<RefCell<HashMap<TextureId, Texture>>>,
}

struct Texture {
    image: ColorImage,
    filter: TextureFilter,
}

impl TestRenderer for Rasterizer {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut textures = self.textures.borrow_mut();
        for (id, parts) in delta.set.drain() {
            for part in parts {
                let ImageData::Color(pixels) = part.image;
                match (part.pos, textures.get_mut(&id)) {
                    (Some(corner), Some(texture)) => texture.replace_part(&pixels, corner),
                    _ => {
                        textures.insert(id, Texture::new(&pixels, part.options));
                    }
                }
            }
        }
        for id in delta.free.drain() {
            textures.remove(&id);
        }
    }
}

impl Rasterizer {
    /// Draws `output` over an opaque background.
    pub(super) fn draw(
        &self,
        ctx: &Context,
        output: &FullOutput,
        background: Color32,
    ) -> RgbaImage {
        let textures = self.textures.borrow();
        let scale = output.pixels_per_point;
        let size = ctx.content_rect().size() * scale;
        let size = [size.x.round() as usize, size.y.round() as usize];
        let mut canvas = Canvas { size, pixels: vec![background; size[0] * size[1]] };
        for ClippedPrimitive { clip_rect, primitive } in
            ctx.tessellate(output.shapes.clone(), scale)
        {
            let Primitive::Mesh(mesh) = primitive else {
                panic!("a paint callback needs a GPU");
            };
            let texture = textures.get(&mesh.texture_id);
            canvas.draw_mesh(&mesh, texture, clip_rect * scale, scale);
        }
        let bytes = canvas.pixels.iter().flat_map(Color32::to_array).collect();
        RgbaImage::from_raw(size[0] as u32, size[1] as u32, bytes).unwrap()
    }
}

impl Texture {
    fn new(image: &ColorImage, options: TextureOptions) -> Self {
        Self { image: image.clone(), filter: options.magnification }
    }

    fn replace_part(&mut self, part: &ColorImage, [left, top]: [usize; 2]) {
        let width = self.image.width();
        for (row, pixels) in part.pixels.chunks_exact(part.width()).enumerate() {
            let start = (top + row) * width + left;
            self.image.pixels[start..start + pixels.len()].copy_from_slice(pixels);
        }
    }

    fn sample(&self, uv: Pos2) -> [f32; 4] {
        let [width, height] = self.image.size;
        let texel = |x: f32, y: f32| {
            let x = (x.max(0.0) as usize).min(width - 1);
            let y = (y.max(0.0) as usize).min(height - 1);
            self.image.pixels[y * width + x].to_array().map(f32::from)
        };
        let (x, y) = (uv.x * width as f32, uv.y * height as f32);
        if self.filter == TextureFilter::Nearest {
            return texel(x, y);
        }
        let (x, y) = (x - 0.5, y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (right_part, bottom_part) = (x - left, y - top);
        let row = |y| mix(texel(left, y), texel(left + 1.0, y), right_part);
        mix(row(top), row(top + 1.0), bottom_part)
    }
}

fn mix(from: [f32; 4], to: [f32; 4], part: f32) -> [f32; 4] {
    std::array::from_fn(|channel| from[channel] + part * (to[channel] - from[channel]))
}

struct Canvas {
    size: [usize; 2],
    pixels: Vec<Color32>,
}

impl Canvas {
    fn draw_mesh(&mut self, mesh: &Mesh, texture: Option<&Texture>, clip: Rect, scale: f32) {
        let limit = |value: f32, axis: usize| value.round().clamp(0.0, self.size[axis] as f32);
        let columns = limit(clip.left(), 0) as i64..limit(clip.right(), 0) as i64;
        let rows = limit(clip.top(), 1) as i64..limit(clip.bottom(), 1) as i64;
        for corners in mesh.indices.chunks_exact(3) {
            let corners: [Vertex; 3] = std::array::from_fn(|corner| {
                let vertex = mesh.vertices[corners[corner] as usize];
                Vertex { pos: vertex.pos * scale, ..vertex }
            });
            self.draw_triangle(corners, texture, &columns, &rows);
        }
    }

    fn draw_triangle(
        &mut self,
        mut corners: [Vertex; 3],
        texture: Option<&Texture>,
        columns: &std::ops::Range<i64>,
        rows: &std::ops::Range<i64>,
    ) {
        // Compare edges in integers, so that a pixel on an edge belongs to one triangle only.
        let mut points = corners.map(|corner| {
            [corner.pos.x, corner.pos.y].map(|value| (value * SUBPIXELS).round() as i64)
        });
        let mut doubled_area = edge(points[0], points[1], points[2]);
        if doubled_area < 0 {
            points.swap(1, 2);
            corners.swap(1, 2);
            doubled_area = -doubled_area;
        }
        if doubled_area == 0 {
            return;
        }
        let pixel = SUBPIXELS as i64;
        let bounds = |axis: usize, limits: &std::ops::Range<i64>| {
            let values = points.map(|point| point[axis]);
            let [least, greatest] = [values.iter().min(), values.iter().max()].map(Option::unwrap);
            (least.div_euclid(pixel)).max(limits.start)
                ..(greatest.div_euclid(pixel) + 1).min(limits.end)
        };
        let sides = [[1, 2], [2, 0], [0, 1]].map(|side| side.map(|corner| points[corner]));
        for y in bounds(1, rows) {
            for x in bounds(0, columns) {
                let centre = [x * pixel + pixel / 2, y * pixel + pixel / 2];
                let distances = sides.map(|[from, to]| edge(from, to, centre));
                let is_inside = std::iter::zip(distances, sides).all(|(distance, [from, to])| {
                    distance > 0 || (distance == 0 && is_top_or_left(from, to))
                });
                if is_inside {
                    let weights = distances.map(|part| part as f32 / doubled_area as f32);
                    self.blend([x, y], shade(corners, weights, texture));
                }
            }
        }
    }

    /// Blends a colour with premultiplied alpha in gamma space, as egui's own shaders do.
    fn blend(&mut self, [x, y]: [i64; 2], color: [f32; 4]) {
        let pixel = &mut self.pixels[y as usize * self.size[0] + x as usize];
        let below = pixel.to_array();
        let visible = 1.0 - color[3] / 255.0;
        let [r, g, b, a] = std::array::from_fn(|channel| {
            (color[channel] + f32::from(below[channel]) * visible).round() as u8
        });
        *pixel = Color32::from_rgba_premultiplied(r, g, b, a);
    }
}

fn shade(corners: [Vertex; 3], weights: [f32; 3], texture: Option<&Texture>) -> [f32; 4] {
    let mut uv = Pos2::ZERO;
    let mut color = [0.0; 4];
    for (corner, weight) in std::iter::zip(corners, weights) {
        uv += weight * corner.uv.to_vec2();
        let part = corner.color.to_array().map(|value| weight * f32::from(value));
        color = std::array::from_fn(|channel| color[channel] + part[channel]);
    }
    let texel = texture.map_or([255.0; 4], |texture| texture.sample(uv));
    std::array::from_fn(|channel| color[channel] * texel[channel] / 255.0)
}

/// Returns twice the signed area of a triangle. The area is positive if the corners are clockwise
/// on the screen.
fn edge(from: [i64; 2], to: [i64; 2], point: [i64; 2]) -> i64 {
    (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])
}

fn is_top_or_left(from: [i64; 2], to: [i64; 2]) -> bool {
    let (right, down) = (to[0] - from[0], to[1] - from[1]);
    down < 0 || (down == 0 && right > 0)
}
