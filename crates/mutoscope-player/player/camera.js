// A camera that orbits a point, and from where everything is in view.

import { add, affine, clamp, dot, minus, product4, scaled } from './math.js';

/** The angle from the lower edge of the view to the upper one, in radians. */
export const FOV = Math.PI / 4;

/** The part of the view that what is framed fills. */
const FILL = 0.78;

/** From where everything is seen at first, in radians: as in the viewer. */
export const HOME = { yaw: (150 * Math.PI) / 180, pitch: (20 * Math.PI) / 180 };

/** The camera's right, up and back. */
export function axesOf({ yaw, pitch }) {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return [
    [cy, 0, -sy],
    [-sy * sp, cp, -cy * sp],
    [sy * cp, sp, cy * cp],
  ];
}

/** Where the camera is. */
export function eyeOf(orbit) {
  return add(orbit.target, scaled(axesOf(orbit)[2], orbit.distance));
}

/** The matrix from the world to the camera, less an origin. */
export function viewOf(orbit) {
  const [right, up, back] = axesOf(orbit);
  const eye = eyeOf(orbit);
  const rows = [...right, ...up, ...back];
  return affine(rows, [-dot(right, eye), -dot(up, eye), -dot(back, eye)]);
}

/** The matrix of a view from somewhere that looks along its −Z. */
export function viewFrom(translation, linear) {
  const axes = [0, 1, 2].map((column) => [linear[column], linear[3 + column], linear[6 + column]]);
  const rows = axes.flat();
  return affine(rows, axes.map((axis) => -dot(axis, translation)));
}

/** The matrix of a lens. */
export function lensOf(aspect, near, far, fov = FOV) {
  const focal = 1 / Math.tan(fov / 2);
  const depth = 1 / (near - far);
  return [focal / aspect, 0, 0, 0, 0, focal, 0, 0, 0, 0, (near + far) * depth, -1, 0, 0, 2 * near * far * depth, 0];
}

/** The matrix from the world to the view, and how near and far it sees. */
export function projectionOf(view, aspect, distance, fov = FOV) {
  const near = clamp(distance * 0.02, 0.005, 100);
  return product4(lensOf(aspect, near, near * 4e4, fov), view);
}

/** An orbit from the direction of `from` that has balls of this radius at all points in view. */
export function framing(points, radius, from, aspect) {
  if (points.length === 0) return { ...from, target: [0, 0.5, 0], distance: 2 };
  const [right, up, back] = axesOf(from);
  const halfHeight = Math.tan(FOV / 2) * FILL;
  const halfWidth = halfHeight * aspect;
  const outermost = (half, side) => {
    const reach = radius * Math.sqrt(1 + half * half);
    return points.reduce((most, point) => Math.max(most, side(point) + dot(back, point) * half + reach), Number.NEGATIVE_INFINITY);
  };
  const r = outermost(halfWidth, (point) => dot(right, point));
  const l = outermost(halfWidth, (point) => -dot(right, point));
  const t = outermost(halfHeight, (point) => dot(up, point));
  const b = outermost(halfHeight, (point) => -dot(up, point));
  const distance = Math.max((r + l) / (2 * halfWidth), (t + b) / (2 * halfHeight));
  const depth = points.reduce((sum, point) => sum + dot(back, point), 0) / points.length;
  const target = add(add(scaled(right, (r - l) / 2), scaled(up, (t - b) / 2)), scaled(back, depth));
  return { ...from, target, distance: Math.max(distance - depth, radius > 0 ? 0.03 : 0.1) };
}

/** `part` of the way from one orbit to another, turning the shorter way round. */
export function between(a, b, part) {
  const full = 2 * Math.PI;
  const turn = ((((b.yaw - a.yaw + Math.PI) % full) + full) % full) - Math.PI;
  return {
    target: add(a.target, scaled(minus(b.target, a.target), part)),
    yaw: a.yaw + turn * part,
    pitch: a.pitch + (b.pitch - a.pitch) * part,
    distance: a.distance * (b.distance / a.distance) ** part,
  };
}

/** The orbit after a drag by some part of the view's height. */
export function orbited(orbit, x, y) {
  const limit = Math.PI / 2 - 0.01;
  return { ...orbit, yaw: orbit.yaw - x * 3.2, pitch: clamp(orbit.pitch + y * 3.2, -limit, limit) };
}

/** The orbit moved sideways by some part of the view's height. */
export function panned(orbit, x, y) {
  const [right, up] = axesOf(orbit);
  const by = 2 * Math.tan(FOV / 2) * orbit.distance;
  return { ...orbit, target: add(orbit.target, add(scaled(right, -x * by), scaled(up, y * by))) };
}

/** The orbit nearer or farther by a factor. */
export function zoomed(orbit, factor) {
  return { ...orbit, distance: clamp(orbit.distance * factor, 0.01, 1e5) };
}

/** Where a point is in the view, in units of its size from the upper left; null behind the camera. */
export function projected(matrix, point) {
  const [x, y, z] = point;
  const row = (index) => matrix[index] * x + matrix[4 + index] * y + matrix[8 + index] * z + matrix[12 + index];
  const w = row(3);
  if (w <= 1e-6) return null;
  return [0.5 + (0.5 * row(0)) / w, 0.5 - (0.5 * row(1)) / w, w];
}
