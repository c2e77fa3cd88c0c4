// Draws the lines of the grid on the floor: squares, every tenth line brighter, and the two axes.
// Lines fade with the distance from the camera, and where the floor is seen edge-on.

#import bevy_pbr::{forward_io::VertexOutput, mesh_view_bindings::view}

struct Grid {
    // The crossing of the axes (x and z), the number of squares per metre, and the distance in metres
    // at which lines have faded out.
    lines: vec4<f32>,
    // The colours of the x axis and the z axis.
    x_axis: vec4<f32>,
    z_axis: vec4<f32>,
    // The colours of ordinary lines and of every tenth line.
    minor: vec4<f32>,
    major: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> grid: Grid;

// Lines fade if the sine of the viewing angle to the floor is below this.
const MIN_STEEPNESS = 0.2;

// Returns the share of a pixel that the nearest line covers in each direction, with a line at every
// integer. `pixel` is the size of the pixel.
fn line_coverage(position: vec2<f32>, pixel: vec2<f32>) -> vec2<f32> {
    return 1.0 - min(abs(fract(position - 0.5) - 0.5) / pixel, vec2(1.0));
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let position = (in.world_position.xz - grid.lines.xy) * grid.lines.z;
    let pixel = fwidth(position);

    let along = 1.0 - min(abs(position) / pixel, vec2(1.0));
    let tenth = line_coverage(position * 0.1, pixel * 0.1);
    let every = line_coverage(position, pixel);
    let axis = max(along.x, along.y);
    let major = max(tenth.x, tenth.y) * (1.0 - axis);
    let minor = max(every.x, every.y) * (1.0 - min(axis + major, 1.0));
    let coverage = axis + major + minor;

    let to_eye = view.world_position - in.world_position.xyz;
    let eye_distance = length(to_eye);
    let steep = abs(to_eye.y) / max(eye_distance, 0.0001);
    let near = mix(min(1.0 - eye_distance / grid.lines.w, 1.0), 1.0, steep);
    let alpha = max(coverage * near * min(steep / MIN_STEEPNESS, 1.0), 0.0);

    let axis_color = select(grid.x_axis, grid.z_axis, along.x > along.y).rgb;
    let color = axis_color * axis + grid.major.rgb * major + grid.minor.rgb * minor;
    return vec4(color / max(coverage, 0.0001), alpha);
}
