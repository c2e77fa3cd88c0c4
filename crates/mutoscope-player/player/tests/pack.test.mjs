import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { Motion, decodeChunk, evaluateSignal } from '../motion.js';
import { tickStep } from '../timeline.js';
import { Pack, Reader } from '../unpack.js';
import { findCaption, formatClock, formatSize, formatSpokenTime } from '../format.js';

const file = (blocks) => {
  const packed = blocks.map((block) => deflateRawSync(Buffer.from(block)));
  const head = Buffer.alloc(12 + 4 * packed.length);
  head.write('MUTOPLAY');
  head.writeUInt32LE(packed.length, 8);
  packed.forEach((block, index) => head.writeUInt32LE(block.length, 12 + 4 * index));
  return Buffer.concat([head, ...packed]);
};
const head = (nodes) => ({ tick: 0.5, chunks: [0, 2], span: [0, 2], block: 1, nodes });

test('varints are decoded', () => {
  const reader = new Reader(new Uint8Array([0, 1, 2, 3, 0x80, 1, 0xac, 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f]));
  assert.deepEqual([0, 1, 2, 3].map(() => reader.readSignedVarint()), [0, -1, 1, -2]);
  assert.deepEqual([reader.readSignedVarint(), reader.readVarint(), reader.readVarint()], [64, 300, 2 ** 53 - 1]);
  assert.throws(() => reader.readVarint(), /ends at byte 16/);
});

test('curve of a decoded chunk interpolates, holds and jumps', () => {
  // The keys are at 0, 1, 1 and 2 s, in ticks of half a second. The third key holds, and x is in steps of 0.25.
  const step = Buffer.alloc(8);
  step.writeDoubleLE(0.25);
  const keys = [3, 0, 2, 2, 4, 0, 1, 0, 1, 0, 1, 2];
  const axis = (values) => values.map((value) => (value < 0 ? -2 * value - 1 : 2 * value));
  const bytes = new Uint8Array([...keys, ...step, 0, ...axis([0, 4, 8, 0]), ...axis([0, 0, 0, 0]), ...axis([0, 0, 0, 0])]);
  const nodes = [{ name: 'a', keyed: 1 }, { name: 'b', parent: 0, keyed: 0, t: [0, 1, 0], s: [2, 2, 2] }];
  const motion = new Motion(head(nodes), null);
  motion.chunks.set(0, decodeChunk(bytes, head(nodes), 0));
  const x = (time) => motion.sample(time).nodes[0].world.translation[0];
  assert.deepEqual([-1, 0, 0.5, 0.999, 1, 1.9, 2, 3].map((time) => Math.round(x(time) * 100) / 100), [0, 0, 0.5, 1, 3, 3, 3, 3]);
  assert.deepEqual(motion.sample(0.5).nodes[1].world.translation, [0.5, 1, 0]);
});

test('spline passes through its knots without a kink, and has corners', () => {
  // The knots are at 0, 1, 2, 3 and 4 s, and the fourth is a corner. The rotations are about z.
  const axis = (values) => values.flatMap((value) => (value < 0 ? -2 * value - 1 : 2 * value));
  const zeros = [0, 0, 0, 0, 0];
  const step = Buffer.alloc(8);
  step.writeDoubleLE(0.25);
  const times = [5, 0, 1, 1, 1, 1];
  const keys = [5, 0, 1, 1, 1, 1, 1, 1, 3];
  const x = [...step, 0, ...axis([0, 4, 4, -4, -8]), ...axis(zeros), ...axis(zeros)];
  const turns = [...step, 0, ...axis(zeros), ...axis(zeros), ...axis([0, 1, 2, 1, 0])];
  const nodes = [{ name: 'a', keyed: 3 }];
  const own = { ...head(nodes), tick: 1, chunks: [0, 4], span: [0, 4] };
  const motion = new Motion(own, null);
  motion.chunks.set(0, decodeChunk(new Uint8Array([...times, ...keys, ...keys, ...x, ...turns]), own, 0));
  const at = (time) => motion.sample(time).nodes[0];
  const near = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-12, `${found} instead of ${expected}`);
  [0, 1, 2, 1, -1].forEach((value, time) => near(at(time).translation[0], value));
  // The bends m₁ and m₂ of the second and third knot follow from 5 m₁ + m₂ = 0 and m₁ + 5 m₂ = −12: 0.5 and −2.5.
  near(at(0.5).translation[0], 0.5 - (0.375 * (0.5 + 0.5)) / 6);
  near(at(1.5).translation[0], 1.5 - (0.375 * (0.5 - 2.5)) / 6);
  near(at(3.5).translation[0], 0);
  const slope = (time) => (at(time + 1e-6).translation[0] - at(time).translation[0]) / 1e-6;
  assert.ok(Math.abs(slope(1) - slope(1 - 1e-6)) < 1e-5);
  assert.ok(Math.abs(slope(3) - slope(3 - 1e-6) - 0.25) < 1e-5);
  const turn = (time) => 2 * Math.atan2(at(time).rotation[2], at(time).rotation[3]);
  [0, 0.25, 0.75, 1, 1].forEach((angle, time) => near(turn(time), angle));
});

test('blocks that are shorter than their counts are refused', () => {
  const nodes = [{ name: 'a', keyed: 1 }];
  for (const bytes of [[], [0xff, 0xff, 0xff, 0x7f], [1, 0, 9], [1, 0, 1, 5], [1, 0, 1, 0, 0, 7], [1, 0, 1, 0, 1, 7], [1, 0, 1, 0, 0, 0, 1, 2, 3]]) {
    assert.throws(() => decodeChunk(new Uint8Array(bytes), head(nodes), 0), /block|curve|keys|time/i, bytes.join());
  }
});

test('invalid packs are refused with the reason', async () => {
  const whole = file(['{"version":2}', 'abc']);
  assert.deepEqual(await Pack.fromFile(whole).head(), { version: 2 });
  for (const length of [9, 15, 22, whole.length - 1]) assert.throws(() => Pack.fromFile(whole.subarray(0, length)), /ends within/, `${length}`);
  assert.throws(() => Pack.fromFile(Buffer.from('<html></html>')), /not a page or pack/);
  await assert.rejects(Pack.fromFile(file(['{"version":1}'])).head(), /version 1/);
  await assert.rejects(Pack.fromFile(whole).bytes(7), /no block 7/);
});

test('children that are listed before their parents follow them and are hidden with them', () => {
  const nodes = [{ name: 'child', parent: 1, keyed: 0, t: [1, 0, 0] }, { name: 'root', keyed: 0, t: [0, 2, 0], hidden: true }];
  const motion = new Motion(head(nodes), null);
  motion.chunks.set(0, { curves: [] });
  const pose = motion.sample(0);
  assert.deepEqual(pose.nodes[0].world.translation, [1, 2, 0]);
  assert.equal(pose.nodes[0].shown, false);
});

test('signals hold, are interpolated between numbers, or have no value', () => {
  const states = { times: [0, 1, 2], values: [false, true, false] };
  assert.deepEqual([-1, 0.9, 1, 1.5, 2, 9].map((time) => evaluateSignal(states, time)), [false, false, true, true, false, false]);
  const numbers = { times: [0, 1, 1, 2], values: [0, 1, 5, 6], linear: true };
  assert.deepEqual([0.5, 1, 1.5, 3].map((time) => evaluateSignal(numbers, time)), [0.5, 5, 5.5, 6]);
  assert.equal(evaluateSignal({ times: [], values: [] }, 0), null);
  const interrupted = { times: [0, 1, 1, 2, 3], values: [0, 4, null, 8, 9], linear: true };
  assert.deepEqual([0.5, 1, 1.5, 2, 2.5].map((time) => evaluateSignal(interrupted, time)), [2, null, null, 8, 8.5]);
  const held = { times: [0, 1, 2], values: [3, null, 5], linear: true };
  assert.deepEqual([0.5, 1.5, 2].map((time) => evaluateSignal(held, time)), [3, null, 5]);
});

test('times, sizes and captions are formatted', () => {
  assert.deepEqual([0, 3.217, 61.5, -1.25, 3599.9996].map(formatClock), ['00:00.000', '00:03.217', '01:01.500', '−00:01.250', '60:00.000']);
  assert.deepEqual([3.2, 75.04].map(formatSpokenTime), ['3.2 s', '1 min 15.0 s']);
  assert.deepEqual([900, 1.44e6].map(formatSize), ['1 kB', '1.4 MB']);
  assert.deepEqual([0.01, 0.002, 500].map((per) => tickStep(per, 80)), [1, 0.2, 43200]);
  const take = { events: [{ time: 1, words: 'one', name: '' }, { time: 2, words: '', name: 'two' }] };
  assert.deepEqual([0.9, 1, 1.9, 2.5, 3.6].map((time) => findCaption(take, time, evaluateSignal)), ['', 'one', 'one', 'two', '']);
});
