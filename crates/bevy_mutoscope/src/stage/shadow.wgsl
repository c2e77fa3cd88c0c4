// Draws the ground around the recordings: slightly lighter than the background, and darker under
// objects that are near the ground.

#import bevy_pbr::forward_io::VertexOutput

struct Caster {
    // One end of the capsule (its height is relative to the ground), and the radius.
    start: vec4<f32>,
    // The vector to the other end, and the inverse of its squared length.
    axis: vec4<f32>,
}

struct Ground {
    // The centre of the light (x and z), its radius, and its opacity at the centre.
    light: vec4<f32>,
    // The number of casters, the maximum opacity of shadows, the growth of a shadow per metre of
    // height, and the opacity of the shadow at a contact.
    shadow: vec4<f32>,
    // The colour of the ground in the light.
    color: vec4<f32>,
    casters: array<Caster, 32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> ground: Ground;

// A soft shadow ends at a radius of √2.4 times its size.
const CUTOFF_FACTOR = 2.4;

// The density of soft shadows, so that the darker contacts stand out.
const SOFT_DENSITY = 0.7;
// The radius for contacts, relative to the radius of the caster.
const CONTACT_REACH = 1.5;

// Returns the share of the light that a capsule leaves at a point of the ground.
fn light_beside(caster: Caster, position: vec3<f32>) -> f32 {
    // Use the sphere at the point of the axis that is nearest to the ground point (Inigo Quilez,
    // "capsule ambient occlusion").
    let along = clamp(dot(position - caster.start.xyz, caster.axis.xyz) * caster.axis.w, 0.0, 1.0);
    let to_caster = caster.start.xyz + along * caster.axis.xyz - position;
    let radius = caster.start.w;
    let height = max(to_caster.y, 0.0);

    // As a soft shadow grows, its darkness decreases with the power 1.5 of its radius. For uniform
    // ambient light, the exponent would be 2.
    let size = radius + ground.shadow.z * height;
    let offset = to_caster.xz;
    let falloff = max(1.0 - dot(offset, offset) / (CUTOFF_FACTOR * size * size), 0.0);
    let thinning = radius / size;
    let soft = thinning * sqrt(thinning) * falloff * falloff * falloff;

    // A sphere of radius r, whose centre is at distance d and height h, hides the share h r² / d³ of
    // the ambient light. A larger radius makes contacts visible next to the sphere, too.
    let reach = CONTACT_REACH * radius;
    let away = max(length(to_caster), reach);
    let contact = height * reach * reach / (away * away * away);
    return (1.0 - SOFT_DENSITY * soft) * (1.0 - ground.shadow.w * contact);
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let position = vec3(in.world_position.x, 0.0, in.world_position.z);
    let relative_radius =
        clamp(distance(position.xz, ground.light.xy) / ground.light.z, 0.0, 1.0);
    let near_middle = (1.0 - relative_radius * relative_radius)
        * (1.0 - relative_radius * relative_radius);

    var light = 1.0;
    // There are no shadows outside of the light. The bound must differ between pixels, because with a
    // uniform bound Mesa's software driver (22.3) would recompile the shader in every frame and leak
    // each version.
    let count = select(0, i32(ground.shadow.x), relative_radius < 1.0);
    for (var index = 0; index < count; index++) {
        light *= light_beside(ground.casters[index], position);
    }
    let shade = ground.shadow.y * (1.0 - light) * min(1.0, 4.0 * near_middle);
    let glow = ground.light.w * near_middle;

    // Blend the light over the background, then the shadow over both.
    let alpha = 1.0 - (1.0 - glow) * (1.0 - shade);
    return vec4(ground.color.rgb * glow * (1.0 - shade) / max(alpha, 0.0001), alpha);
}
