import assert from 'node:assert/strict';
import { test } from 'node:test';

import { frameOrbit, projectPoint, worldToClipMatrix, orbitViewMatrix, interpolateOrbit, HOME_VIEW } from '../camera.js';
import { cross, dot, subtract, slerp, quatFromRotationVector, rotationScaleMatrix, rotateVector, multiplyVector } from '../math.js';
import { palmTriangles, palmVertices } from '../palm.js';
import { ball, frustum, octahedron, ray, skull, torus } from '../shapes.js';

const corners = ({ vertices, triangles }) => {
  const point = (index) => [...vertices.subarray(6 * index, 6 * index + 3)];
  const normal = (index) => [...vertices.subarray(6 * index + 3, 6 * index + 6)];
  const all = [];
  for (let at = 0; at < triangles.length; at += 3) all.push([...triangles.subarray(at, at + 3)].map((i) => [point(i), normal(i)]));
  return all;
};

for (const [name, shape] of Object.entries({ ball: ball(16, 10), frustum: frustum(0.7, 12), octahedron: octahedron(), torus: torus(0.1, 8, 24), ray: ray(2, 0.01), skull: skull() })) {
  test(`triangles of a ${name} face outwards`, () => {
    let count = 0;
    for (const triangle of corners(shape)) {
      const [[a, n], [b], [c]] = triangle;
      const facing = cross(subtract(b, a), subtract(c, a));
      if (Math.hypot(...facing) < 1e-12) continue;
      count++;
      const normals = triangle.reduce((sum, [, normal]) => sum + dot(facing, normal), 0);
      assert.ok(normals > 0, `${name}: ${a} ${n}`);
    }
    assert.ok(count > 0);
  });
}

test('palm is a closed surface', () => {
  for (const fingers of [3, 4, 5]) {
    const triangles = palmTriangles(fingers);
    const edges = new Map();
    for (let at = 0; at < triangles.length; at += 3) {
      for (let corner = 0; corner < 3; corner++) {
        const [a, b] = [triangles[at + corner], triangles[at + ((corner + 1) % 3)]];
        const key = `${Math.min(a, b)}-${Math.max(a, b)}`;
        edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
      }
    }
    assert.ok([...edges.values()].every((sum) => sum === 0));
  }
});

test('palm encloses its joints', () => {
  const fingers = [-0.05, -0.03, -0.01, 0.01, 0.03].map((x, index) => ({ base: [x * 0.4, 0, -0.03], knuckle: [x, 0, -0.09], thumb: index === 0 }));
  const vertices = palmVertices([0, 0, 0], fingers, 0.006, palmTriangles(5));
  const ys = [...vertices].filter((_, index) => index % 6 === 1);
  assert.ok(Math.max(...ys) > 0.004 && Math.min(...ys) < -0.004 && Math.max(...ys) < 0.01);
  assert.ok([...vertices].every(Number.isFinite));
});

test('framed points are in view and fill most of it', () => {
  const points = [[-0.4, 0.2, 0.1], [0.5, 1.7, -0.3], [0, 0, 0.8]];
  for (const [yaw, pitch] of [[0, 0], [2.5, 0.4], [HOME_VIEW.yaw, HOME_VIEW.pitch]]) {
    const orbit = frameOrbit(points, 0.01, { yaw, pitch, target: [0, 0, 0], distance: 1 }, 1.6);
    const matrix = worldToClipMatrix(orbitViewMatrix(orbit), 1.6, orbit.distance);
    const projected = points.map((point) => projectPoint(matrix, point));
    assert.ok(projected.every(([x, y]) => x > 0.05 && x < 0.95 && y > 0.05 && y < 0.95), JSON.stringify(projected));
    const extent = Math.max(...projected.flatMap(([x, y]) => [Math.abs(x - 0.5), Math.abs(y - 0.5)]));
    assert.ok(extent > 0.34, `${extent}`);
  }
});

test('cameras turn the shorter way round', () => {
  const half = interpolateOrbit({ target: [0, 0, 0], yaw: 3, pitch: 0, distance: 1 }, { target: [0, 0, 0], yaw: -3, pitch: 0, distance: 4 }, 0.5);
  assert.ok(Math.abs(half.yaw - Math.PI) < 1e-9 && Math.abs(half.distance - 2) < 1e-9);
});

test('rotations and their matrices rotate vectors equally', () => {
  const turn = quatFromRotationVector(0.3, -1.2, 2.1);
  const vector = [0.4, -2, 1];
  const [a, b] = [rotateVector(turn, vector), multiplyVector(rotationScaleMatrix(turn, [1, 1, 1]), vector)];
  assert.ok(Math.hypot(...subtract(a, b)) < 1e-12);
  const half = slerp([0, 0, 0, 1], turn.map((part) => -part), 0.5);
  const twice = rotateVector(half, rotateVector(half, vector));
  const short = 2 * Math.acos(Math.abs(turn[3])) <= Math.PI;
  assert.ok(short && Math.hypot(...subtract(twice, a)) < 1e-9);
});
