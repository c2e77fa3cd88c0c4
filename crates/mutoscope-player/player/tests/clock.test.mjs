import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Clock } from '../clock.js';

const playing = (loop, range) => {
  const clock = new Clock(1, 5);
  if (range) clock.setRange(...range);
  clock.loop = loop;
  clock.play();
  return clock;
};

test('clock stops at the end unless it loops', () => {
  const clock = playing('off');
  clock.advance(3.5);
  assert.deepEqual([clock.time, clock.paused, clock.ended], [4.5, false, false]);
  assert.equal(clock.advance(1), true);
  assert.deepEqual([clock.time, clock.paused, clock.ended], [5, true, true]);
  clock.play();
  assert.deepEqual([clock.time, clock.ended], [1, false]);
});

test('looping clock starts over, however long a step is', () => {
  const clock = playing('all');
  clock.advance(4.5);
  assert.ok(Math.abs(clock.time - 1.5) < 1e-9);
  clock.advance(4e6);
  assert.ok(clock.time >= 1 && clock.time < 5);
});

test('ping-pong reverses at both ends', () => {
  const clock = playing('ping-pong');
  const times = [];
  for (let step = 0; step < 9; step++) {
    clock.advance(1);
    times.push(clock.time);
  }
  assert.deepEqual(times, [2, 3, 4, 5, 4, 3, 2, 1, 2]);
});

test('range is limited to the recording, and turns looping on', () => {
  const clock = new Clock(1, 5);
  clock.setRange(4, 2);
  assert.deepEqual([clock.range, clock.loop, clock.span], [[2, 4], 'range', [2, 4]]);
  clock.play();
  assert.equal(clock.time, 2);
  clock.advance(2.5);
  assert.ok(Math.abs(clock.time - 2.5) < 1e-9);
  clock.setRange(0, 0);
  assert.deepEqual([clock.range, clock.loop], [null, 'all']);
});

test('speed scales steps, and a paused clock does not advance', () => {
  const clock = playing('all');
  clock.speed = 0.5;
  clock.advance(1);
  assert.equal(clock.time, 1.5);
  clock.pause();
  assert.equal(clock.advance(1), false);
  clock.seek(NaN);
  assert.equal(clock.time, 1);
});

test('clock of a recording without duration stays at its time', () => {
  const clock = new Clock(2, 2);
  clock.play();
  clock.advance(1);
  assert.equal(clock.time, 2);
});
