// The camera: orbits around a point, frameOrbit, and the matrices of a view.

import { add, affineMatrix, clamp, dot, subtract, multiplyMatrices4, scaleVector } from './math.js';

/** The vertical field of view, in radians. */
export const FOV = Math.PI / 4;

/** The share of the view that the framed object fills, from 0 to 1. */
const FRAMED_SHARE = 0.78;

/** The direction of the initial camera, in radians, the same as in the viewer. */
export const HOME_VIEW = { yaw: (150 * Math.PI) / 180, pitch: (20 * Math.PI) / 180 };

/** Returns the right, up and back axes of the camera. */
export function cameraAxes({ yaw, pitch }) {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return [
    [cy, 0, -sy],
    [-sy * sp, cp, -cy * sp],
    [sy * cp, sp, cy * cp],
  ];
}

/** Returns the position of the camera. */
export function eyePosition(orbit) {
  return add(orbit.target, scaleVector(cameraAxes(orbit)[2], orbit.distance));
}

/** Returns the matrix from world space to camera space. */
export function orbitViewMatrix(orbit) {
  const [right, up, back] = cameraAxes(orbit);
  const eye = eyePosition(orbit);
  const rows = [...right, ...up, ...back];
  return affineMatrix(rows, [-dot(right, eye), -dot(up, eye), -dot(back, eye)]);
}

/** Returns the view matrix of a node that looks along its −Z axis. `linear` must be a rotation. */
export function nodeViewMatrix(translation, linear) {
  const axes = [0, 1, 2].map((column) => [linear[column], linear[3 + column], linear[6 + column]]);
  const rows = axes.flat();
  return affineMatrix(rows, axes.map((axis) => -dot(axis, translation)));
}

/** Returns a perspective projection matrix. */
export function perspectiveMatrix(aspect, near, far, fov = FOV) {
  const focal = 1 / Math.tan(fov / 2);
  const depth = 1 / (near - far);
  return [focal / aspect, 0, 0, 0, 0, focal, 0, 0, 0, 0, (near + far) * depth, -1, 0, 0, 2 * near * far * depth, 0];
}

/** Returns the matrix from world space to clip space. The near plane scales with `distance`, so that close objects are not cut off. */
export function worldToClipMatrix(view, aspect, distance, fov = FOV) {
  const near = clamp(distance * 0.02, 0.005, 100);
  return multiplyMatrices4(perspectiveMatrix(aspect, near, near * 4e4, fov), view);
}

/** Returns an orbit in the direction of `from` that shows balls of this radius around all points. */
export function frameOrbit(points, radius, from, aspect) {
  if (points.length === 0) return { ...from, target: [0, 0.5, 0], distance: 2 };
  const [right, up, back] = cameraAxes(from);
  const halfHeight = Math.tan(FOV / 2) * FRAMED_SHARE;
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
  const target = add(add(scaleVector(right, (r - l) / 2), scaleVector(up, (t - b) / 2)), scaleVector(back, depth));
  return { ...from, target, distance: Math.max(distance - depth, radius > 0 ? 0.03 : 0.1) };
}

/** Interpolates interpolateOrbit two orbits, along the shorter rotation. `part` is from 0 to 1. */
export function interpolateOrbit(a, b, part) {
  const full = 2 * Math.PI;
  const turn = ((((b.yaw - a.yaw + Math.PI) % full) + full) % full) - Math.PI;
  return {
    target: add(a.target, scaleVector(subtract(b.target, a.target), part)),
    yaw: a.yaw + turn * part,
    pitch: a.pitch + (b.pitch - a.pitch) * part,
    distance: a.distance * (b.distance / a.distance) ** part,
  };
}

/** Rotates an orbit by a drag of `x` and `y`, as shares of the view's height. */
export function orbitBy(orbit, x, y) {
  const limit = Math.PI / 2 - 0.01;
  return { ...orbit, yaw: orbit.yaw - x * 3.2, pitch: clamp(orbit.pitch + y * 3.2, -limit, limit) };
}

/** Moves an orbit sideways by a drag of `x` and `y`, as shares of the view's height. */
export function panBy(orbit, x, y) {
  const [right, up] = cameraAxes(orbit);
  const by = 2 * Math.tan(FOV / 2) * orbit.distance;
  return { ...orbit, target: add(orbit.target, add(scaleVector(right, -x * by), scaleVector(up, y * by))) };
}

/** Multiplies the distance of an orbit by a factor. */
export function zoomBy(orbit, factor) {
  return { ...orbit, distance: clamp(orbit.distance * factor, 0.01, 1e5) };
}

/** Projects a point. Returns x and y as shares of the view's size from the upper left, and the depth; null behind the camera. */
export function projectPoint(matrix, point) {
  const [x, y, z] = point;
  const row = (index) => matrix[index] * x + matrix[4 + index] * y + matrix[8 + index] * z + matrix[12 + index];
  const w = row(3);
  if (w <= 1e-6) return null;
  return [0.5 + (0.5 * row(0)) / w, 0.5 - (0.5 * row(1)) / w, w];
}
