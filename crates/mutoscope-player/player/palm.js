// Builds the surface of a palm: two sheets between the wrist and the knuckles, joined by a rim.

import { add, cross, dot, lerp, subtract, scaleVector, normalize } from './math.js';

const ROWS = 4;
/** The positions of the rows along each finger, from 0 at its base to 1 at its knuckle. Negative values are towards the wrist. */
const ROW_POSITIONS = [-0.55, 0.05, 0.55, 1];
/** Half the thickness of each row, divided by the radius of the bones. */
const ROW_THICKNESS = [0.9, 1.12, 1.1, 0.86];
/** The share of the thumb's first bone that is part of the palm. */
const THUMB_SHARE = 0.72;
/** The position of a missing finger base between wrist and knuckle, from 0 to 1. */
const MISSING_BASE_POSITION = 0.3;
/** The distance of the rim from the edge of the palm, divided by half the thickness. */
const RIM_DISTANCE = 0.55;

/** Returns the indices of the points along the boundary of a sheet, in order. */
function sheetBoundary(edges) {
  const around = [];
  for (let edge = 0; edge < edges; edge++) around.push((ROWS - 1) * edges + edge);
  for (let row = ROWS - 2; row >= 0; row--) around.push(row * edges + edges - 1);
  for (let edge = edges - 2; edge >= 0; edge--) around.push(edge);
  for (let row = 1; row < ROWS - 1; row++) around.push(row * edges);
  return around;
}

/** Returns the triangles of a palm with this number of fingers. */
export function palmTriangles(edges) {
  const sheet = edges * ROWS;
  const triangles = [];
  const at = (row, edge) => row * edges + edge;
  for (let row = 0; row < ROWS - 1; row++) {
    for (let edge = 0; edge < edges - 1; edge++) {
      const [a, b, c, d] = [at(row, edge), at(row + 1, edge), at(row + 1, edge + 1), at(row, edge + 1)];
      triangles.push(a, b, c, a, c, d);
      triangles.push(...[a, c, b, a, d, c].map((point) => point + sheet));
    }
  }
  const around = sheetBoundary(edges);
  around.forEach((top, index) => {
    const after = (index + 1) % around.length;
    const nextTop = around[after];
    const [bottom, nextBottom] = [top + sheet, nextTop + sheet];
    const [rim, nextRim] = [2 * sheet + index, 2 * sheet + after];
    triangles.push(top, rim, nextRim, top, nextRim, nextTop, rim, bottom, nextBottom, rim, nextBottom, nextRim);
  });
  return triangles;
}

/** Computes the vertices of a palm, position and normal, between a wrist and fingers `{ base, knuckle, thumb }`. */
export function palmVertices(wrist, fingers, radius, triangles) {
  const edges = fingers.map(({ base, knuckle, thumb }) => {
    const from = base ?? lerp(wrist, knuckle, MISSING_BASE_POSITION);
    return [from, thumb ? lerp(from, knuckle, THUMB_SHARE) : knuckle];
  });
  const count = edges.length;
  const along = ([base, knuckle], position) => (position < 0 ? lerp(base, wrist, -position) : lerp(base, knuckle, position));
  const middles = ROW_POSITIONS.flatMap((position) => edges.map((edge) => along(edge, position)));
  const facing = middles.map((_, point) => {
    const [row, edge] = [Math.floor(point / count), point % count];
    const [before, after] = [Math.max(0, edge - 1), Math.min(edge + 1, count - 1)];
    const [below, above] = [Math.max(0, row - 1), Math.min(row + 1, ROWS - 1)];
    const across = subtract(middles[row * count + after], middles[row * count + before]);
    return normalize(cross(subtract(middles[above * count + edge], middles[below * count + edge]), across));
  });
  const half = (point) => ROW_THICKNESS[Math.floor(point / count)] * radius;
  const points = [1, -1].flatMap((side) =>
    middles.map((middle, point) => add(middle, scaleVector(facing[point], side * half(point)))),
  );
  const centre = scaleVector(middles.reduce(add), 1 / middles.length);
  for (const point of sheetBoundary(count)) {
    const out = subtract(middles[point], centre);
    const flat = normalize(subtract(out, scaleVector(facing[point], dot(out, facing[point]))));
    points.push(add(middles[point], scaleVector(flat, RIM_DISTANCE * half(point))));
  }
  const normals = points.map(() => [0, 0, 0]);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
    const normal = cross(subtract(points[b], points[a]), subtract(points[c], points[a]));
    for (const corner of [a, b, c]) normals[corner] = add(normals[corner], normal);
  }
  const vertices = new Float32Array(6 * points.length);
  points.forEach((point, index) => {
    vertices.set(point, 6 * index);
    vertices.set(normalize(normals[index], [0, 1, 0]), 6 * index + 3);
  });
  return vertices;
}
