// The shaders. The light moves with the camera, as in the viewer, so that no side is ever dark.

import { MAX_CASTERS } from './shadow.js';

const LIGHT = `
const vec3 KEY = vec3(-0.45, 0.68, 0.58);
const vec3 FILL = vec3(0.85, -0.1, 0.52);
vec3 encoded(vec3 color) {
  vec3 c = clamp(color, 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
vec3 inLight(vec3 color, vec3 normal, vec3 toEye, float gloss) {
  float key = pow(max(dot(normal, KEY) * 0.5 + 0.5, 0.0), 1.9);
  float fill = max(dot(normal, FILL), 0.0);
  float edge = pow(1.0 - max(dot(normal, toEye), 0.0), 3.0);
  float highlight = pow(max(dot(normal, normalize(KEY + toEye)), 0.0), 28.0);
  return color * (0.1 + 0.92 * key + 0.12 * fill + 0.22 * edge) + vec3(gloss * highlight);
}
`;

/** Draws balls, bones and octahedra as instances, each with a matrix and a colour. */
export const INSTANCED = {
  vertex: `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row0;
layout(location = 3) in vec4 row1;
layout(location = 4) in vec4 row2;
layout(location = 5) in vec4 color;
uniform mat4 world_to_clip;
uniform mat4 world_to_eye;
out vec3 v_normal;
out vec3 v_eye;
out vec4 v_color;
void main() {
  vec4 p = vec4(position, 1.0);
  vec3 at = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
  mat3 linear = mat3(row0.x, row1.x, row2.x, row0.y, row1.y, row2.y, row0.z, row1.z, row2.z);
  vec3 scale2 = vec3(dot(linear[0], linear[0]), dot(linear[1], linear[1]), dot(linear[2], linear[2]));
  v_normal = mat3(world_to_eye) * (linear * (normal / max(scale2, vec3(1e-12))));
  v_eye = (world_to_eye * vec4(at, 1.0)).xyz;
  v_color = color;
  gl_Position = world_to_clip * vec4(at, 1.0);
}`,
  fragment: `#version 300 es
precision highp float;
in vec3 v_normal;
in vec3 v_eye;
in vec4 v_color;
out vec4 fragment;
${LIGHT}
void main() {
  vec3 lit = inLight(v_color.rgb, normalize(v_normal), normalize(-v_eye), 0.06);
  fragment = vec4(encoded(mix(v_color.rgb, lit, v_color.a)), 1.0);
}`,
};

/** Draws meshes that are attached to one node or skinned to several. */
export const MESH = {
  vertex: `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;
uniform mat4 world_to_clip;
uniform mat4 world_to_eye;
uniform mat4 model;
uniform vec3 box_corner;
uniform vec3 box_step;
uniform bool skinned;
uniform highp sampler2D joint_matrices;
out vec3 v_normal;
out vec3 v_eye;
out vec2 v_uv;
out float v_along;
mat4 joint(uint index) {
  int at = int(index) * 4;
  int width = textureSize(joint_matrices, 0).x;
  mat4 m;
  for (int column = 0; column < 4; column++) {
    m[column] = texelFetch(joint_matrices, ivec2((at + column) % width, (at + column) / width), 0);
  }
  return m;
}
void main() {
  vec3 p = box_corner + position * box_step;
  mat4 world = model;
  if (skinned) {
    world = weights.x * joint(joints.x) + weights.y * joint(joints.y)
      + weights.z * joint(joints.z) + weights.w * joint(joints.w);
  }
  vec4 at = world * vec4(p, 1.0);
  v_normal = mat3(world_to_eye) * (mat3(world) * normal);
  v_eye = (world_to_eye * at).xyz;
  v_uv = uv;
  v_along = -p.z;
  gl_Position = world_to_clip * at;
}`,
  fragment: `#version 300 es
precision highp float;
in vec3 v_normal;
in vec3 v_eye;
in vec2 v_uv;
in float v_along;
uniform vec4 color;
uniform sampler2D image;
uniform float cutoff;
uniform float gloss;
uniform float lit;
uniform float fades_at;
out vec4 fragment;
${LIGHT}
void main() {
  vec4 c = color * texture(image, v_uv);
  if (c.a < cutoff) { discard; }
  vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
  vec3 bright = inLight(c.rgb, normal, normalize(-v_eye), gloss);
  if (fades_at > 0.0) { c.a *= 0.9 * pow(1.0 - clamp(v_along / fades_at, 0.0, 1.0), 2.0); }
  fragment = vec4(encoded(mix(c.rgb, bright, lit)), c.a);
}`,
};

/** Draws the grid on the floor, which fades out with distance. */
export const GRID = {
  vertex: `#version 300 es
layout(location = 0) in vec2 corner;
uniform mat4 world_to_clip;
uniform vec4 floor_at;
uniform float reach;
out vec2 v_place;
void main() {
  v_place = floor_at.xz + corner * reach;
  gl_Position = world_to_clip * vec4(v_place.x, floor_at.y, v_place.y, 1.0);
}`,
  fragment: `#version 300 es
precision highp float;
in vec2 v_place;
uniform vec4 floor_at;
uniform vec2 origin;
uniform float square;
uniform float reach;
uniform vec3 minor;
uniform vec3 major;
uniform vec3 x_axis;
uniform vec3 z_axis;
out vec4 fragment;
float line(vec2 place, vec2 width) {
  vec2 near = abs(fract(place - 0.5) - 0.5) / max(width, vec2(1e-6));
  return 1.0 - min(min(near.x, near.y), 1.0);
}
void main() {
  vec2 place = (v_place - origin) / square;
  vec2 width = fwidth(place);
  float fine = line(place, width) * (1.0 - smoothstep(0.15, 0.6, max(width.x, width.y)));
  float coarse = line(place / 10.0, width / 10.0);
  vec2 axis = 1.0 - min(abs(place) / max(width, vec2(1e-6)), 1.0);
  vec3 c = mix(minor, major, coarse);
  c = mix(c, x_axis, axis.y);
  c = mix(c, z_axis, axis.x);
  float far = 1.0 - smoothstep(0.25, 1.0, length(v_place - floor_at.xz) / reach);
  fragment = vec4(c, far * max(max(fine * 0.9, coarse), max(axis.x, axis.y)));
}`,
};

/** Draws a soft light on the floor, and the soft shadows of capsules, which are darkest where a capsule touches the floor. */
export const FLOOR = {
  vertex: `#version 300 es
layout(location = 0) in vec2 corner;
uniform mat4 world_to_clip;
uniform vec4 light;
out vec2 v_place;
void main() {
  v_place = light.xz + corner * light.w;
  gl_Position = world_to_clip * vec4(v_place.x, light.y, v_place.y, 1.0);
}`,
  fragment: `#version 300 es
precision highp float;
in vec2 v_place;
uniform vec4 light;
uniform vec3 color;
uniform int count;
uniform float spread;
uniform vec4 starts[${MAX_CASTERS}];
uniform vec4 axes[${MAX_CASTERS}];
out vec4 fragment;
float light_beside(vec4 start, vec4 axis, vec3 place) {
  float along = clamp(dot(place - start.xyz, axis.xyz) * axis.w, 0.0, 1.0);
  vec3 offset = start.xyz + along * axis.xyz - place;
  float height = max(offset.y, 0.0);
  float size = start.w + spread * height;
  float falloff = max(1.0 - dot(offset.xz, offset.xz) / (2.4 * size * size), 0.0);
  float thinning = start.w / size;
  float soft = thinning * sqrt(thinning) * falloff * falloff * falloff;
  float reach = 1.5 * start.w;
  float away = max(length(offset), reach);
  float contact = height * reach * reach / (away * away * away);
  return (1.0 - 0.7 * soft) * (1.0 - 0.9 * contact);
}
void main() {
  float far = min(length(v_place - light.xz) / light.w, 1.0);
  float near = (1.0 - far * far) * (1.0 - far * far);
  float left = 1.0;
  for (int index = 0; index < ${MAX_CASTERS}; index++) {
    if (index < count) { left *= light_beside(starts[index], axes[index], vec3(v_place.x, 0.0, v_place.y)); }
  }
  float shade = 0.85 * (1.0 - left) * min(1.0, 4.0 * near);
  float glow = 0.7 * near;
  float alpha = 1.0 - (1.0 - glow) * (1.0 - shade);
  fragment = vec4(color * glow * (1.0 - shade) / max(alpha, 1e-4), alpha);
}`,
};
