// Where recordings go: what a camera should see, the floor, and whether to go along.

import { HOME } from './camera.js';
import { ownTime } from './clock.js';
import { add } from './math.js';
import { AXIS_LENGTH } from './stage.js';

/** At how many times a recording is looked at for where it goes. */
const LOOKS = 24;

/**
 * What is found about recordings at a time of the clock: the `points` that all of them go through and those of `now`,
 * the radius of a `joint` and the `radius` within which it is drawn, the height of the `floor`, the length of a `square` of its grid, whether they go so
 * `far` that a camera has to go along, and the direction of `home`, from where faces are seen.
 */
export function surroundingsOf(recordings, time) {
  const [points, now, roots] = [[], [], []];
  let [heading, joint, radius] = [[0, 0, 0], 0.009, 0.009];
  for (const one of recordings) {
    const own = ownTime(one.head, time);
    const { chunks } = one.head;
    const index = one.motion.chunkIndex(one.motion.within(own));
    const [from, to] = [chunks[index], chunks[index + 1]];
    const size = one.head.size ?? 1;
    joint = Math.max(joint, 0.009 * size);
    // Nodes without bones have axes, which are longer than a joint is thick.
    radius = Math.max(radius, (one.head.loose ? AXIS_LENGTH : 0.009) * size);
    for (let look = 0; look <= LOOKS; look++) {
      const pose = one.motion.sample(from + ((to - from) * look) / LOOKS - (look === LOOKS ? 1e-9 : 0));
      if (!pose) continue;
      const around = one.figure.points(pose).map((point) => one.figure.local(point));
      around.forEach((point) => points.push(point));
      const root = pose.nodes[one.head.root];
      if (root?.shown) roots.push(one.figure.local(root.world.translation));
      else if (around.length > 0) roots.push(around.reduce(add).map((part) => part / around.length));
      one.head.nodes.forEach((node, nodeIndex) => {
        if (node.kind !== 'head' || !pose.nodes[nodeIndex].shown) return;
        const { linear } = pose.nodes[nodeIndex].world;
        heading = add(heading, [-linear[2], 0, -linear[8]]);
      });
    }
    const pose = one.motion.sample(own);
    if (pose) now.push(...one.figure.points(pose, one.head.root).map((point) => one.figure.local(point)));
  }
  const way = roots.length > 0 ? sizeOf(roots) : 0;
  const size = now.length > 0 ? sizeOf(now) : 1;
  const whole = points.length > 0 ? sizeOf(points) : 1;
  const turned = Math.hypot(...heading) > 1e-6 ? Math.atan2(-heading[0], -heading[2]) : 0;
  return {
    points,
    now,
    joint,
    radius,
    floor: floorOf(points),
    square: whole < 8 ? 0.1 : whole < 80 ? 1 : 10,
    // All of the way of what goes far would show little of it.
    far: way > 2.5 * size && now.length > 0 && recordings.some((one) => one.head.root !== undefined),
    home: { yaw: HOME.yaw + turned, pitch: HOME.pitch },
  };
}

/** The diagonal of the box around points. */
function sizeOf(points) {
  const extent = [0, 1, 2].map((axis) => {
    const most = points.reduce((most, point) => Math.max(most, point[axis]), Number.NEGATIVE_INFINITY);
    return most - points.reduce((least, point) => Math.min(least, point[axis]), Number.POSITIVE_INFINITY);
  });
  return Math.hypot(...extent);
}

/** The height of a floor below points: 0, if that is near. */
function floorOf(points) {
  let floor = Number.POSITIVE_INFINITY;
  for (const point of points) floor = Math.min(floor, point[1]);
  if (!Number.isFinite(floor)) floor = 0;
  return floor >= -0.05 && floor < 0.3 ? 0 : Math.floor((floor - 0.05) * 10) / 10;
}
