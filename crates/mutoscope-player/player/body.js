// Places the parts of mannequins, which replace the joints and bones of human bodies.

import { add, affineMatrix, cross, dot, normalize, rotateVector, scaleVector, subtract } from './math.js';

/** Returns a unit vector at a right angle to the unit vector `v`. */
function anyPerpendicular(v) {
  return normalize(cross(v, Math.abs(v[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0]));
}

/**
 * Returns the matrix of a part, which turns Y into the direction of the bone and X as far as possible into the part's hint.
 * Returns null if the part has no direction. `toLocal` subtracts the origin from a position.
 */
export function bodyPartMatrix(part, nodes, toLocal) {
  const position = (index) => nodes[index].world.translation;
  const start = position(part.node);
  const resolve = ({ between, inNode }) =>
    between ? subtract(position(between[1]), position(between[0])) : rotateVector(nodes[part.node].world.rotation, inNode);
  const y = normalize(resolve(part.along), null);
  if (!y) return null;
  const hint = resolve(part.hint);
  const x = normalize(add(hint, scaleVector(y, -dot(hint, y))), null) ?? anyPerpendicular(y);
  const z = cross(x, y);
  const stretch = part.end ? Math.hypot(...subtract(position(part.end[0]), start)) / part.end[1] : 1;
  const rows = [0, 1, 2].flatMap((axis) => [x[axis], y[axis] * stretch, z[axis]]);
  const matrix = affineMatrix(rows, toLocal(start));
  return matrix.every(Number.isFinite) ? matrix : null;
}
