import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bodyPartMatrix } from '../body.js';

const node = (translation, rotation = [0, 0, 0, 1]) => ({ world: { translation, rotation } });
const transform = (m, [x, y, z]) => [0, 1, 2].map((axis) => m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis]);
const toLocal = (position) => position;
const assertNear = (found, expected) => found.forEach((part, axis) => assert.ok(Math.abs(part - expected[axis]) < 1e-9, `${found}`));

test('a forearm reaches the wrist, even if the arm is longer than at rest', () => {
  const forearm = { node: 0, along: { between: [0, 1] }, hint: { inNode: [0, 0, 1] }, end: [1, 0.25] };
  const nodes = [node([1, 1, 0]), node([1.3, 1, 0])];
  const matrix = bodyPartMatrix(forearm, nodes, toLocal);
  assertNear(transform(matrix, [0, 0.25, 0]), [1.3, 1, 0]);
  assertNear(transform(matrix, [0.1, 0, 0]), [1, 1, 0.1]);
});

test('a head turns with its joint', () => {
  const head = { node: 0, along: { inNode: [0, 1, 0] }, hint: { inNode: [1, 0, 0] } };
  const quarterTurn = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
  const matrix = bodyPartMatrix(head, [node([0, 1.6, 0], quarterTurn)], toLocal);
  assertNear(transform(matrix, [0, 0.1, 0]), [0, 1.7, 0]);
  assertNear(transform(matrix, [0, 0, -0.1]), [-0.1, 1.6, 0]);
});

test('a part without a direction is not drawn', () => {
  const part = { node: 0, along: { between: [0, 1] }, hint: { inNode: [1, 0, 0] } };
  assert.equal(bodyPartMatrix(part, [node([0, 1, 0]), node([0, 1, 0])], toLocal), null);
  assert.equal(bodyPartMatrix(part, [node([0, 1, 0]), node([NaN, 1, 0])], toLocal), null);
});

test('a hint along the bone does not matter', () => {
  const part = { node: 0, along: { between: [0, 1] }, hint: { between: [0, 1] } };
  const matrix = bodyPartMatrix(part, [node([0, 0, 0]), node([0, 2, 0])], toLocal);
  assertNear(transform(matrix, [0, 1, 0]), [0, 1, 0]);
  assert.ok(Math.abs(Math.hypot(...transform(matrix, [1, 0, 0])) - 1) < 1e-9);
});
