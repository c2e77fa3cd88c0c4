// Approximates recordings by a few capsules that cast soft shadows on the floor, as the viewer does.

import { bodyPartMatrix } from './body.js';
import { add, affineMatrix, multiplyMatrices4, rotateVector, scaleVector, subtract } from './math.js';

/** The largest number of capsules. The shader has an array of this length. */
export const MAX_CASTERS = 32;

/** If a capsule is a metre higher, the radius of its shadow grows by this length, in metres. */
export const SHADOW_SPREAD = 0.3;

/** Capsules are thicker than the drawn joints and bones, because their shadows would be too faint otherwise. */
const RADIUS_FACTOR = 1.5;

const HEAD_RADIUS = 0.1;

/** Returns the capsules of all visible recordings: both ends, whose heights are relative to the floor, and the radius. */
export function findCasters(figures, poses, { floor, showModel }) {
  const casters = figures.flatMap((figure, which) => (poses[which] ? castersOf(figure, poses[which], showModel) : []));
  const onFloor = casters.map(({ from, to, radius }) => ({ from: [from[0], from[1] - floor, from[2]], to: [to[0], to[1] - floor, to[2]], radius }));
  const near = onFloor.filter(({ from, to, radius }) => [...from, ...to, radius].every(Number.isFinite) && Math.max(from[1], to[1]) > -2 * radius);
  const strength = ({ from, to, radius }) => radius / (radius + SHADOW_SPREAD * Math.max(0, Math.min(from[1], to[1])));
  return near.sort((a, b) => strength(b) - strength(a)).slice(0, MAX_CASTERS);
}

function castersOf(figure, pose, showModel) {
  const boxes = boxCasters(figure, pose, showModel);
  if (boxes.length > 0) return boxes;
  const { head } = figure;
  const casters = [];
  const position = (index) => figure.toLocal(pose.nodes[index].world.translation);
  const body = showModel ? head.body ?? [] : [];
  for (const part of body) {
    const matrix = pose.nodes[part.node].shown && bodyPartMatrix(part, pose.nodes, (at) => figure.toLocal(at));
    if (!matrix) continue;
    const [from, to] = part.capsule.map(([x, y, z]) => [0, 1, 2].map((row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row]));
    casters.push({ from, to, radius: (part.capsule[0][3] + part.capsule[1][3]) / 2 });
  }
  head.nodes.forEach((node, index) => {
    const { shown, world } = pose.nodes[index];
    if (!shown || (node.covered && body.length > 0)) return;
    if (node.kind === 'head') {
      const middle = figure.toLocal(add(world.translation, rotateVector(world.rotation, [0, 0, HEAD_RADIUS])));
      casters.push({ from: middle, to: middle, radius: HEAD_RADIUS });
    }
    if (!node.radii) return;
    const hasBone = node.from !== undefined && pose.nodes[node.from].shown;
    casters.push({ from: position(hasBone ? node.from : index), to: position(index), radius: RADIUS_FACTOR * node.radii[hasBone ? 1 : 0] });
  });
  for (const { wrist, fingers } of figure.palms) {
    const { knuckle } = fingers[Math.floor(fingers.length / 2)];
    if (![wrist, knuckle].every((index) => pose.nodes[index].shown)) continue;
    const [from, to] = [position(wrist), position(knuckle)];
    const middle = scaleVector(add(from, to), 0.5);
    casters.push({ from: middle, to: middle, radius: 0.45 * Math.hypot(...subtract(to, from)) });
  }
  return casters;
}

/** Returns a sphere at the lower end of each box of a figure that consists of boxes, such as a player of Minecraft. */
function boxCasters(figure, pose, showModel) {
  const casters = [];
  if (!showModel) return casters;
  figure.forEachVisibleSurface(pose, (surface, index) => {
    if (figure.head.nodes[index].kind !== 'part' || !surface.box) return;
    const half = surface.step.map((step) => (65535 * step) / 2);
    const inside = affineMatrix([half[0], 0, 0, 0, half[1], 0, 0, 0, half[2]], add(surface.corner, half));
    const whole = multiplyMatrices4(figure.nodeMatrix(pose, index), inside);
    const reach = [0, 1, 2].map((row) => Math.abs(whole[row]) + Math.abs(whole[4 + row]) + Math.abs(whole[8 + row]));
    const radius = (reach[0] + reach[2]) / 2;
    const middle = [whole[12], whole[13] - (reach[1] - Math.min(reach[1], radius)), whole[14]];
    casters.push({ from: middle, to: middle, radius });
  });
  return casters;
}
