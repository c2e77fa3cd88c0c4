// Lines on the floor: squares, every tenth line brighter, and the two axes. They fade with the
// distance from the camera, and where the floor is seen edge on.

#import bevy_pbr::{forward_io::VertexOutput, mesh_view_bindings::view}

struct Grid {
    // Where the axes cross (x and z), how many squares a metre has, and how far lines are seen.
    lines: vec4<f32>,
    // The color of the axis along x, and of that along z.
    x_axis: vec4<f32>,
    z_axis: vec4<f32>,
    // The color of lines, and of every tenth.
    minor: vec4<f32>,
    major: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> grid: Grid;

// At most this steep, in radians, lines fade.
const EDGE_ON = 0.2;

// How much of a pixel the nearest line covers in each direction, if there is one at every whole number.
fn lines_at(place: vec2<f32>, pixel: vec2<f32>) -> vec2<f32> {
    return 1.0 - min(abs(fract(place - 0.5) - 0.5) / pixel, vec2(1.0));
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let place = (in.world_position.xz - grid.lines.xy) * grid.lines.z;
    let pixel = fwidth(place);

    let along = 1.0 - min(abs(place) / pixel, vec2(1.0));
    let tenth = lines_at(place * 0.1, pixel * 0.1);
    let every = lines_at(place, pixel);
    let axis = max(along.x, along.y);
    let major = max(tenth.x, tenth.y) * (1.0 - axis);
    let minor = max(every.x, every.y) * (1.0 - min(axis + major, 1.0));
    let there = axis + major + minor;

    let to_eye = view.world_position - in.world_position.xyz;
    let far = length(to_eye);
    let steep = abs(to_eye.y) / max(far, 0.0001);
    let near = mix(min(1.0 - far / grid.lines.w, 1.0), 1.0, steep);
    let alpha = max(there * near * min(steep / EDGE_ON, 1.0), 0.0);

    let axis_color = select(grid.x_axis, grid.z_axis, along.x > along.y).rgb;
    let color = axis_color * axis + grid.major.rgb * major + grid.minor.rgb * minor;
    return vec4(color / max(there, 0.0001), alpha);
}
