// The surface of a palm: two sheets between the wrist and the knuckles, and the rim that joins them.

import { add, cross, dot, lerp, minus, scaled, unit } from './math.js';

const ROWS = 4;
/** How far along each finger's way in the palm the rows are: before 0 it is on the way from the wrist. */
const ROW_PLACES = [-0.55, 0.05, 0.55, 1];
/** Half the thickness of each row, over the radius of the bones. */
const ROW_THICKNESS = [0.9, 1.12, 1.1, 0.86];
/** How much of the way to its knuckle a thumb is in the palm. */
const THUMB_PART = 0.72;
/** How much of the way from the wrist a finger without a base begins. */
const WITHOUT_BASE = 0.3;
/** The distance of the rim from the middle, over half the thickness. */
const RIM = 0.55;

/** The points of a sheet along its boundary, round and round. */
function boundary(edges) {
  const around = [];
  for (let edge = 0; edge < edges; edge++) around.push((ROWS - 1) * edges + edge);
  for (let row = ROWS - 2; row >= 0; row--) around.push(row * edges + edges - 1);
  for (let edge = edges - 2; edge >= 0; edge--) around.push(edge);
  for (let row = 1; row < ROWS - 1; row++) around.push(row * edges);
  return around;
}

/** The triangles of a palm with this many fingers. */
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
  const around = boundary(edges);
  around.forEach((top, index) => {
    const after = (index + 1) % around.length;
    const nextTop = around[after];
    const [bottom, nextBottom] = [top + sheet, nextTop + sheet];
    const [rim, nextRim] = [2 * sheet + index, 2 * sheet + after];
    triangles.push(top, rim, nextRim, top, nextRim, nextTop, rim, bottom, nextBottom, rim, nextBottom, nextRim);
  });
  return triangles;
}

/** The vertices of a palm, position and normal, between a wrist and fingers `{base, knuckle, thumb}`. */
export function palmVertices(wrist, fingers, radius, triangles) {
  const edges = fingers.map(({ base, knuckle, thumb }) => {
    const from = base ?? lerp(wrist, knuckle, WITHOUT_BASE);
    return [from, thumb ? lerp(from, knuckle, THUMB_PART) : knuckle];
  });
  const count = edges.length;
  const along = ([base, knuckle], place) => (place < 0 ? lerp(base, wrist, -place) : lerp(base, knuckle, place));
  const middles = ROW_PLACES.flatMap((place) => edges.map((edge) => along(edge, place)));
  const facing = middles.map((_, point) => {
    const [row, edge] = [Math.floor(point / count), point % count];
    const [before, after] = [Math.max(0, edge - 1), Math.min(edge + 1, count - 1)];
    const [below, above] = [Math.max(0, row - 1), Math.min(row + 1, ROWS - 1)];
    const across = minus(middles[row * count + after], middles[row * count + before]);
    return unit(cross(minus(middles[above * count + edge], middles[below * count + edge]), across));
  });
  const half = (point) => ROW_THICKNESS[Math.floor(point / count)] * radius;
  const points = [1, -1].flatMap((side) =>
    middles.map((middle, point) => add(middle, scaled(facing[point], side * half(point)))),
  );
  const centre = scaled(middles.reduce(add), 1 / middles.length);
  for (const point of boundary(count)) {
    const out = minus(middles[point], centre);
    const flat = unit(minus(out, scaled(facing[point], dot(out, facing[point]))));
    points.push(add(middles[point], scaled(flat, RIM * half(point))));
  }
  const normals = points.map(() => [0, 0, 0]);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
    const normal = cross(minus(points[b], points[a]), minus(points[c], points[a]));
    for (const corner of [a, b, c]) normals[corner] = add(normals[corner], normal);
  }
  const vertices = new Float32Array(6 * points.length);
  points.forEach((point, index) => {
    vertices.set(point, 6 * index);
    vertices.set(unit(normals[index], [0, 1, 0]), 6 * index + 3);
  });
  return vertices;
}
