// Draws the ground around the recordings: slightly lighter than the background, and darker under
// objects that are near the ground.

#import bevy_pbr::forward_io::VertexOutput

struct Ground {
    // The centre of the light (x and z), its radius, and its opacity at the centre.
    light: vec4<f32>,
    // The number of shadows, their maximum opacity, and two unused components.
    shadow: vec4<f32>,
    // The colour of the ground in the light.
    color: vec4<f32>,
    // For each shadow: its centre (x and z), the inverse of its squared radius, and its density.
    shadows: array<vec4<f32>, 32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> ground: Ground;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let position = in.world_position.xz;
    let relative_radius = clamp(distance(position, ground.light.xy) / ground.light.z, 0.0, 1.0);
    let near_middle = (1.0 - relative_radius * relative_radius)
        * (1.0 - relative_radius * relative_radius);

    var light = 1.0;
    // There are no shadows outside of the light. The bound must differ between pixels, because with a
    // uniform bound Mesa's software driver (22.3) would recompile the shader in every frame and leak
    // each version.
    let count = select(0, i32(ground.shadow.x), relative_radius < 1.0);
    for (var index = 0; index < count; index++) {
        let caster = ground.shadows[index];
        let offset = position - caster.xy;
        let falloff = max(1.0 - dot(offset, offset) * caster.z, 0.0);
        light *= 1.0 - caster.w * falloff * falloff * falloff;
    }
    let shade = ground.shadow.y * (1.0 - light) * min(1.0, 4.0 * near_middle);
    let glow = ground.light.w * near_middle;

    // Blend the light over the background, then the shadow over both.
    let alpha = 1.0 - (1.0 - glow) * (1.0 - shade);
    return vec4(ground.color.rgb * glow * (1.0 - shade) / max(alpha, 0.0001), alpha);
}
