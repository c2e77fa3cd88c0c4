// Shades a colour in soft light: a key light from over the shoulder, a fill light and a bright edge.
// The lights move with the camera, so that no visible side of a hand is ever dark.

#import bevy_pbr::{forward_io::VertexOutput, mesh_view_bindings::view}

struct Paint {
    color: vec4<f32>,
    // 1 for a shaded colour, 0 for a colour that is not shaded.
    lit: f32,
    // The strength of the highlight.
    gloss: f32,
    // Pixels with a lower opacity are not drawn. 0 draws all of them.
    cutoff: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> paint: Paint;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var paint_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var paint_sampler: sampler;

const KEY = vec3<f32>(-0.45, 0.68, 0.58);
const FILL = vec3<f32>(0.85, -0.1, 0.52);

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    var color = paint.color;
#ifdef VERTEX_COLORS
    color *= in.color;
#endif
#ifdef VERTEX_UVS_A
    // A material without a texture gets a white one. If this depended on a uniform, Mesa's software
    // driver (22.3) would recompile the shader in every frame and leak each version.
    color *= textureSample(paint_texture, paint_sampler, in.uv);
#endif
    if color.a < paint.cutoff {
        discard;
    }
    let normal = normalize((view.view_from_world * vec4(in.world_normal, 0.0)).xyz);
    let to_eye = normalize(-(view.view_from_world * in.world_position).xyz);

    // The key light wraps around, so that surfaces facing away from it are partly lit.
    let key = pow(max(dot(normal, KEY) * 0.5 + 0.5, 0.0), 1.9);
    let fill = max(dot(normal, FILL), 0.0);
    let edge = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    let highlight = pow(max(dot(normal, normalize(KEY + to_eye)), 0.0), 28.0);

    let lit = color.rgb * (0.1 + 0.92 * key + 0.12 * fill + 0.22 * edge)
        + vec3(paint.gloss * highlight);
    return vec4(mix(color.rgb, lit, paint.lit), color.a);
}
