import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MAX_CASTERS, findCasters } from '../shadow.js';
import { affineMatrix } from '../math.js';

const world = (translation) => ({ translation, rotation: [0, 0, 0, 1], linear: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
const figure = (nodes, more = {}) => ({
  head: { nodes },
  palms: [],
  toLocal: (at) => at,
  nodeMatrix: (pose, index) => affineMatrix(pose.nodes[index].world.linear, pose.nodes[index].world.translation),
  forEachVisibleSurface: () => {},
  ...more,
});
const pose = (positions) => ({ nodes: positions.map((at) => ({ shown: true, world: world(at) })) });

test('bones cast as capsules, and heights are relative to the floor', () => {
  const walker = figure([{ radii: [0.02, 0.01] }, { radii: [0.02, 0.01], from: 0 }]);
  const [bone, joint] = findCasters([walker], [pose([[0, 1, 0], [0, 0.5, 0]])], { floor: 0.5, showModel: true });
  assert.deepEqual([bone.from, bone.to, bone.radius], [[0, 0.5, 0], [0, 0, 0], 0.015]);
  assert.deepEqual([joint.from, joint.to, joint.radius], [[0, 0.5, 0], [0, 0.5, 0], 0.03]);
});

test('the casters nearest to the floor are kept, and those below it are left out', () => {
  const nodes = Array.from({ length: 100 }, () => ({ radii: [0.1, 0.1] }));
  const heights = nodes.map((_, index) => [0, index * 0.1 - 1, 0]);
  const casters = findCasters([figure(nodes)], [pose(heights)], { floor: 0, showModel: true });
  assert.equal(casters.length, MAX_CASTERS);
  assert.ok(casters.every(({ from }) => from[1] > -0.31 && from[1] < 3), JSON.stringify(casters.at(-1)));
  assert.deepEqual(findCasters([figure(nodes)], [null], { floor: 0, showModel: true }), []);
});

test('boxes cast from their lower end', () => {
  const surface = { box: true, corner: [-0.1, -1, -0.2], step: [0.2 / 65535, 2 / 65535, 0.4 / 65535] };
  const player = figure([{ kind: 'part' }], { forEachVisibleSurface: (_, use) => use(surface, 0) });
  const [{ from, to, radius }] = findCasters([player], [pose([[1, 1, 0]])], { floor: 0, showModel: true });
  const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-9, `${found} instead of ${expected}`);
  near(radius, 0.15);
  [1, 0.15, 0].forEach((part, axis) => near(from[axis], part));
  assert.deepEqual(from, to);
});

test('the parts of a mannequin replace the bones that they cover', () => {
  const part = { node: 0, along: { between: [0, 1] }, hint: { inNode: [1, 0, 0] }, capsule: [[0, 0, 0, 0.06], [0, 0.4, 0, 0.04]] };
  const nodes = [{ radii: [0.02, 0.01], covered: true }, { radii: [0.02, 0.01], from: 0, covered: true }];
  const body = figure(nodes);
  body.head.body = [part];
  const [caster, ...others] = findCasters([body], [pose([[0, 1, 0], [0, 0.5, 0]])], { floor: 0, showModel: true });
  assert.deepEqual(others, []);
  assert.ok(Math.abs(caster.to[1] - 0.6) < 1e-9 && Math.abs(caster.radius - 0.05) < 1e-9, JSON.stringify(caster));
  assert.equal(findCasters([body], [pose([[0, 1, 0], [0, 0.5, 0]])], { floor: 0, showModel: false }).length, 2);
});
