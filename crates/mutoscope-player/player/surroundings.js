// Analyses the space that recordings move through, to choose the camera and the floor.

import { HOME_VIEW } from './camera.js';
import { toClipTime } from './clock.js';
import { add } from './math.js';
import { AXIS_LENGTH } from './stage.js';

/** The number of intervals at which the current chunk of a recording is sampled. */
const SAMPLE_INTERVALS = 24;

/**
 * Analyses recordings at a clock time. Returns:
 *
 * - `points` that all of them pass through, and the points of the current pose (`now`),
 * - the radius of a `joint`, and the `radius` within which a node is drawn,
 * - the height of the `floor`, the length of a `square` of its grid, and the `light` on it: its middle, or null if it follows the
 *   camera, and its radius,
 * - `far`: true if the camera should follow, because the whole path would be too small to see,
 * - the direction of the `home` view, from which faces are visible.
 */
export function analyseSurroundings(recordings, time) {
  const [points, now, roots] = [[], [], []];
  let [heading, joint, radius] = [[0, 0, 0], 0.009, 0.009];
  for (const one of recordings) {
    const clipTime = toClipTime(one.head, time);
    const { chunks } = one.head;
    const index = one.motion.chunkIndex(one.motion.clampTime(clipTime));
    const [from, to] = [chunks[index], chunks[index + 1]];
    const size = one.head.size ?? 1;
    joint = Math.max(joint, 0.009 * size);
    // Nodes without bones are drawn with axes, which reach farther than the radius of a joint.
    radius = Math.max(radius, (one.head.loose ? AXIS_LENGTH : 0.009) * size);
    for (let step = 0; step <= SAMPLE_INTERVALS; step++) {
      const pose = one.motion.sample(from + ((to - from) * step) / SAMPLE_INTERVALS - (step === SAMPLE_INTERVALS ? 1e-9 : 0));
      if (!pose) continue;
      const around = one.figure.framingPoints(pose).map((point) => one.figure.toLocal(point));
      around.forEach((point) => points.push(point));
      const root = pose.nodes[one.head.root];
      if (root?.shown) roots.push(one.figure.toLocal(root.world.translation));
      else if (around.length > 0) roots.push(around.reduce(add).map((part) => part / around.length));
      one.head.nodes.forEach((node, nodeIndex) => {
        if (node.kind !== 'head' || !pose.nodes[nodeIndex].shown) return;
        const { linear } = pose.nodes[nodeIndex].world;
        heading = add(heading, [-linear[2], 0, -linear[8]]);
      });
    }
    const pose = one.motion.sample(clipTime);
    if (pose) now.push(...one.figure.framingPoints(pose, one.head.root).map((point) => one.figure.toLocal(point)));
  }
  const pathSize = roots.length > 0 ? boxDiagonal(roots) : 0;
  const size = now.length > 0 ? boxDiagonal(now) : 1;
  const extent = points.length > 0 ? boxDiagonal(points) : 1;
  // Framing a long path would make the figure tiny.
  const far = pathSize > 2.5 * size && now.length > 0 && recordings.some((one) => one.head.root !== undefined);
  const headingYaw = Math.hypot(...heading) > 1e-6 ? Math.atan2(-heading[0], -heading[2]) : 0;
  return {
    points,
    now,
    joint,
    radius,
    floor: findFloor(points),
    square: extent < 8 ? 0.1 : extent < 80 ? 1 : 10,
    light: lightOver(far ? now : points, far),
    far,
    home: { yaw: HOME_VIEW.yaw + headingYaw, pitch: HOME_VIEW.pitch },
  };
}

/** Returns the least and the largest coordinate of points on each axis. */
function boundingBox(points) {
  return [0, 1, 2].map((axis) => [
    points.reduce((least, point) => Math.min(least, point[axis]), Number.POSITIVE_INFINITY),
    points.reduce((most, point) => Math.max(most, point[axis]), Number.NEGATIVE_INFINITY),
  ]);
}

/** Returns the diagonal of the bounding box of points. */
function boxDiagonal(points) {
  return Math.hypot(...boundingBox(points).map(([least, most]) => most - least));
}

/** Returns the light on the floor around points. Its radius is relative to the longest edge of their bounding box. */
function lightOver(points, follows) {
  const box = points.length > 0 ? boundingBox(points) : [0, 1, 2].map(() => [0, 0]);
  const radius = 1.1 * Math.max(0.1, ...box.map(([least, most]) => most - least));
  return { middle: follows ? null : [(box[0][0] + box[0][1]) / 2, (box[2][0] + box[2][1]) / 2], radius };
}

/** Returns the height of a floor below all points. It is 0 if the lowest point is near 0. */
function findFloor(points) {
  let floor = Number.POSITIVE_INFINITY;
  for (const point of points) floor = Math.min(floor, point[1]);
  if (!Number.isFinite(floor)) floor = 0;
  return floor >= -0.05 && floor < 0.3 ? 0 : Math.floor((floor - 0.05) * 10) / 10;
}
