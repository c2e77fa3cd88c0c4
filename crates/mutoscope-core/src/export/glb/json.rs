//! The glTF 2.0 objects that are written.

use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Root {
    pub(super) asset: Asset,
    pub(super) scene: usize,
    pub(super) scenes: Vec<Scene>,
    pub(super) nodes: Vec<Node>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) cameras: Vec<Camera>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) materials: Vec<Material>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) textures: Vec<Texture>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) samplers: Vec<TextureSampler>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) images: Vec<Image>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) skins: Vec<Skin>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) animations: Vec<Animation>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) buffers: Vec<Buffer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) extensions_used: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extensions: Option<Value>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Asset {
    pub(super) version: &'static str,
    pub(super) generator: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Scene {
    pub(super) name: String,
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Node {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) children: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) translation: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rotation: Option<[f32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scale: Option<[f32; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mesh: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skin: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) camera: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Value>,
}

#[derive(Debug, Serialize)]
pub(super) struct Camera {
    pub(super) name: String,
    pub(super) r#type: &'static str,
    pub(super) perspective: Perspective,
}

#[derive(Debug, Serialize)]
pub(super) struct Perspective {
    /// The vertical field of view, in radians.
    pub(super) yfov: f32,
    pub(super) znear: f32,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) primitives: Vec<Primitive>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) weights: Vec<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Value>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: usize,
    pub(super) material: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) targets: Vec<Displacements>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Displacements {
    pub(super) position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) normal: Option<usize>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) struct Attributes {
    pub(super) position: usize,
    pub(super) normal: usize,
    #[serde(rename = "TEXCOORD_0", skip_serializing_if = "Option::is_none")]
    pub(super) uvs: Option<usize>,
    #[serde(rename = "COLOR_0", skip_serializing_if = "Option::is_none")]
    pub(super) colors: Option<usize>,
    #[serde(rename = "JOINTS_0", skip_serializing_if = "Option::is_none")]
    pub(super) joints: Option<usize>,
    #[serde(rename = "WEIGHTS_0", skip_serializing_if = "Option::is_none")]
    pub(super) weights: Option<usize>,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) pbr_metallic_roughness: PbrMetallicRoughness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) alpha_cutoff: Option<f32>,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PbrMetallicRoughness {
    pub(super) base_color_factor: [f32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) base_color_texture: Option<TextureInfo>,
    pub(super) metallic_factor: f32,
    pub(super) roughness_factor: f32,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct TextureInfo {
    pub(super) index: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Texture {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) sampler: usize,
    pub(super) source: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureSampler {
    pub(super) mag_filter: u32,
    pub(super) min_filter: u32,
    pub(super) wrap_s: u32,
    pub(super) wrap_t: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) name: String,
    pub(super) mime_type: &'static str,
    pub(super) buffer_view: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) name: String,
    pub(super) inverse_bind_matrices: usize,
    pub(super) joints: Vec<usize>,
}

#[derive(Debug, Default, Serialize)]
pub(super) struct Animation {
    pub(super) name: String,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) extras: Option<Value>,
}

#[derive(Debug, Serialize)]
pub(super) struct Channel {
    pub(super) sampler: usize,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Serialize)]
pub(super) struct ChannelTarget {
    pub(super) node: usize,
    pub(super) path: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct Sampler {
    pub(super) input: usize,
    pub(super) output: usize,
    pub(super) interpolation: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    pub(super) r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) min: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) max: Option<Vec<f32>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) byte_length: usize,
}
