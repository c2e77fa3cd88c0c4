// A color in soft light that comes from over the shoulder: a key light, a fill light, a bright
// edge. It goes with the camera, so that no side of a hand is ever dark.

#import bevy_pbr::{forward_io::VertexOutput, mesh_view_bindings::view}

struct Paint {
    color: vec4<f32>,
    // 1 in the light, 0 if the color is its own light.
    lit: f32,
    // How strong the highlight is.
    gloss: f32,
    // The opacity below which nothing is drawn; 0 where all is.
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
    // White where there is none: Mesa's driver in software (22.3) would recompile the shader in every frame, and keep
    // each, if this depended on a uniform.
    color *= textureSample(paint_texture, paint_sampler, in.uv);
#endif
    if color.a < paint.cutoff {
        discard;
    }
    let normal = normalize((view.view_from_world * vec4(in.world_normal, 0.0)).xyz);
    let to_eye = normalize(-(view.view_from_world * in.world_position).xyz);

    // Light wraps round: half of what faces away from it is lit as well.
    let key = pow(max(dot(normal, KEY) * 0.5 + 0.5, 0.0), 1.9);
    let fill = max(dot(normal, FILL), 0.0);
    let edge = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    let highlight = pow(max(dot(normal, normalize(KEY + to_eye)), 0.0), 28.0);

    let lit = color.rgb * (0.1 + 0.92 * key + 0.12 * fill + 0.22 * edge)
        + vec3(paint.gloss * highlight);
    return vec4(mix(color.rgb, lit, paint.lit), color.a);
}
