// Builds shapes in code, so that no files are needed. A shape has vertices (position and normal) and triangles.

import { cross, subtract, normalize } from './math.js';

/** Interleaves points and normals. */
function buildShape(points, normals, triangles) {
  const vertices = new Float32Array(points.length * 6);
  points.forEach((point, index) => {
    vertices.set(point, 6 * index);
    vertices.set(normals[index], 6 * index + 3);
  });
  return { vertices, triangles: new Uint16Array(triangles) };
}

/** Returns the triangles of `rings` rings with `around` ringTriangles each. */
function ringTriangles(around, rings, flips = false) {
  const triangles = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let step = 0; step < around; step++) {
      const at = (r, s) => r * around + (s % around);
      const [a, b, c, d] = [at(ring, step), at(ring, step + 1), at(ring + 1, step + 1), at(ring + 1, step)];
      triangles.push(...(flips ? [a, c, b, a, d, c] : [a, b, c, a, c, d]));
    }
  }
  return triangles;
}

/** Builds a ball of radius 1. */
export function ball(around, rings) {
  const points = [];
  for (let ring = 0; ring <= rings; ring++) {
    const polar = (Math.PI * ring) / rings;
    for (let step = 0; step < around; step++) {
      const turn = (2 * Math.PI * step) / around;
      points.push([Math.sin(polar) * Math.cos(turn), Math.cos(polar), Math.sin(polar) * Math.sin(turn)]);
    }
  }
  return buildShape(points, points, ringTriangles(around, rings));
}

/** Builds a bone along Y from −½ to ½, with radius 1 at its start and `top` at its end. Both ends are open. */
export function frustum(top, around) {
  const points = [];
  const normals = [];
  for (const [y, radius] of [[0.5, top], [-0.5, 1]]) {
    for (let step = 0; step < around; step++) {
      const turn = (2 * Math.PI * step) / around;
      points.push([radius * Math.cos(turn), y, radius * Math.sin(turn)]);
      normals.push(normalize([Math.cos(turn), 0, Math.sin(turn)]));
    }
  }
  return buildShape(points, normals, ringTriangles(around, 1));
}

/** Builds a shape with flat shading. */
function flatShaded(points, triangles) {
  const corners = triangles.map((index) => points[index]);
  const normals = corners.map((_, index) => {
    const [a, b, c] = [0, 1, 2].map((corner) => corners[index - (index % 3) + corner]);
    return normalize(cross(subtract(b, a), subtract(c, a)), [0, 1, 0]);
  });
  return buildShape(corners, normals, corners.map((_, index) => index));
}

/** Builds an octahedron whose corners are at distance 1. */
export function octahedron() {
  const points = [[0, 1, 0], [1, 0, 0], [0, 0, 1], [-1, 0, 0], [0, 0, -1], [0, -1, 0]];
  const triangles = [];
  for (let side = 0; side < 4; side++) {
    const next = (side + 1) % 4;
    triangles.push(0, 1 + next, 1 + side, 5, 1 + side, 1 + next);
  }
  return flatShaded(points, triangles);
}

/** Builds a torus around Y, with major radius 1. */
export function torus(minor, around, rings) {
  const points = [];
  const normals = [];
  const triangles = [];
  for (let ring = 0; ring < rings; ring++) {
    const turn = (2 * Math.PI * ring) / rings;
    for (let step = 0; step < around; step++) {
      const tube = (2 * Math.PI * step) / around;
      const out = 1 + minor * Math.cos(tube);
      points.push([out * Math.cos(turn), minor * Math.sin(tube), out * Math.sin(turn)]);
      normals.push([Math.cos(tube) * Math.cos(turn), Math.sin(tube), Math.cos(tube) * Math.sin(turn)]);
      const at = (r, s) => (r % rings) * around + (s % around);
      const [a, b, c, d] = [at(ring, step), at(ring, step + 1), at(ring + 1, step + 1), at(ring + 1, step)];
      triangles.push(a, b, c, a, c, d);
    }
  }
  return buildShape(points, normals, triangles);
}

/** Builds a thin open cylinder along −Z. */
export function ray(length, radius) {
  const [points, normals] = [[], []];
  const around = 6;
  for (let ring = 0; ring <= 8; ring++) {
    for (let step = 0; step < around; step++) {
      const turn = (2 * Math.PI * step) / around;
      points.push([radius * Math.cos(turn), radius * Math.sin(turn), (-length * ring) / 8]);
      normals.push([Math.cos(turn), Math.sin(turn), 0]);
    }
  }
  return buildShape(points, normals, ringTriangles(around, 8, true));
}

const smoothstep = (from, to, value) => {
  const part = Math.max(0, Math.min(1, (value - from) / (to - from)));
  return part * part * (3 - 2 * part);
};

/** Builds a skull with jaw and chin around the eyes, in metres. +Y is up, and the eyes look along −Z. */
export function skull() {
  const [around, rings] = [36, 24];
  const middle = [0, 0.012, 0.1];
  const surface = ([x, y, z]) => {
    const over = (Math.abs(x) ** 2.5 + Math.abs(y) ** 2.5 + Math.abs(z) ** 2.5) ** (-1 / 2.5);
    [x, y, z] = [x * over, y * over, z * over];
    const low = smoothstep(0.25, -0.95, y);
    const width = 0.076 * (1 - 0.27 * low) * (1 + 0.05 * smoothstep(0, 0.6, y));
    const height = y > 0 ? 0.108 : 0.114;
    const depth = z < 0 ? 0.094 * (1 - 0.08 * low) : 0.1 * (1 - 0.5 * low);
    return [middle[0] + x * width, middle[1] + y * height, middle[2] + z * depth];
  };
  const points = [];
  for (let ring = 0; ring <= rings; ring++) {
    const polar = (Math.PI * ring) / rings;
    for (let step = 0; step < around; step++) {
      const turn = (2 * Math.PI * step) / around;
      points.push(surface([Math.sin(polar) * Math.cos(turn), Math.cos(polar), Math.sin(polar) * Math.sin(turn)]));
    }
  }
  const triangles = ringTriangles(around, rings);
  const normals = points.map(() => [0, 0, 0]);
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = triangles.slice(at, at + 3);
    const [a, b, c] = corners.map((index) => points[index]);
    const normal = cross(subtract(b, a), subtract(c, a));
    for (const corner of corners) normals[corner] = normals[corner].map((part, axis) => part + normal[axis]);
  }
  return buildShape(points, normals.map((normal) => normalize(normal, [0, 1, 0])), triangles);
}
