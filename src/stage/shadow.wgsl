// The ground around what is on the stage: a little lighter than the space behind it, and darker under
// what is near it.

#import bevy_pbr::forward_io::VertexOutput

struct Ground {
    // The middle of the light (x and z), its radius, and how strong it is there.
    light: vec4<f32>,
    // How many shadows there are, how dark they get, nothing, nothing.
    shadow: vec4<f32>,
    // The color of the ground in the light.
    color: vec4<f32>,
    // The middles of shadows (x and z), one over the square of their radius, and how dense they are.
    shadows: array<vec4<f32>, 32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> ground: Ground;

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let place = in.world_position.xz;
    let out = clamp(distance(place, ground.light.xy) / ground.light.z, 0.0, 1.0);
    let near_middle = (1.0 - out * out) * (1.0 - out * out);

    var light = 1.0;
    // None outside of the light. A bound that differs from place to place also keeps Mesa's driver in software
    // (22.3) from recompiling the shader, and keeping each, in every frame.
    let count = select(0, i32(ground.shadow.x), out < 1.0);
    for (var index = 0; index < count; index++) {
        let one = ground.shadows[index];
        let away = place - one.xy;
        let within = max(1.0 - dot(away, away) * one.z, 0.0);
        light *= 1.0 - one.w * within * within * within;
    }
    let shade = ground.shadow.y * (1.0 - light) * min(1.0, 4.0 * near_middle);
    let glow = ground.light.w * near_middle;

    // First the light over what is there, then the shadow over both.
    let alpha = 1.0 - (1.0 - glow) * (1.0 - shade);
    return vec4(ground.color.rgb * glow * (1.0 - shade) / max(alpha, 0.0001), alpha);
}
