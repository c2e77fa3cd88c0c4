// The motion of a recording: decodes chunks of keys and samples poses.

import { add, lerp, multiplyMatrices, slerp, multiplyVector, rotationScaleMatrix, quatFromRotationVector, multiplyQuats, normalizeQuat } from './math.js';
import { Reader, yieldToBrowser } from './unpack.js';

/** The flags of `keyed`, one for each channel with keys. */
const TRANSLATION = 1;
const ROTATION = 2;
const SCALE = 4;
export const VISIBILITY = 8;
const OWN_SCALE = 16;

/** The number of components of each channel. */
const CHANNEL_WIDTHS = { [TRANSLATION]: 3, [ROTATION]: 4, [SCALE]: 3, [VISIBILITY]: 1, [OWN_SCALE]: 3 };

/** The kinds of curves: straight lines between keys, or a spline through knots. */
const SPLINE = 1;

/** A number is predicted from its slope only if the gap between keys is at most this multiple of the gap before. */
const MAX_GAP_RATIO = 4;

/** Predictions beyond this are not used, because differences from them would not be exact. */
const MAX_PREDICTION = 2 ** 51;

/** The time for which a chunk is decoded before control returns to the browser, in milliseconds. */
const SLICE_MS = 8;

/** The number of decoded chunks that are kept. */
const MAX_DECODED_CHUNKS = 4;

/** Returns the indices of all nodes, with parents before their children. */
function sortParentsFirst(nodes) {
  const order = [];
  const placed = new Uint8Array(nodes.length);
  for (let start = 0; start < nodes.length; start++) {
    const chain = [];
    for (let node = start; node !== undefined && !placed[node]; node = nodes[node].parent) {
      placed[node] = 1;
      chain.push(node);
    }
    order.push(...chain.reverse());
  }
  return order;
}

/** Decodes a chunk at once. `from` is the start of the chunk in seconds. */
export function decodeChunk(bytes, head, from) {
  const decoding = chunkDecoder(bytes, head, from);
  let step = decoding.next();
  while (!step.done) step = decoding.next();
  return step.value;
}

/** Decodes a chunk in time slices, because a dense chunk takes longer than a frame. Returns null as soon as `isWanted` returns false. */
async function decodeChunkInSlices(bytes, head, from, isWanted) {
  const decoding = chunkDecoder(bytes, head, from);
  let since = performance.now();
  for (let step = decoding.next(); isWanted(); step = decoding.next()) {
    if (step.done) return step.value;
    if (performance.now() - since < SLICE_MS) continue;
    await yieldToBrowser();
    since = performance.now();
  }
  return null;
}

/** Decodes a chunk and yields after each node and curve. */
function* chunkDecoder(bytes, head, from) {
  const reader = new Reader(bytes);
  const count = reader.readVarint();
  const isExact = head.tick === undefined;
  // The times are in ticks from the start of the chunk, or in seconds if there is no tick.
  const at = new Float64Array(Math.min(count, bytes.length));
  if (count > bytes.length) throw new Error(`A block of ${bytes.length} bytes cannot have ${count} times.`);
  let tick = 0;
  for (let index = 0; index < count; index++) at[index] = isExact ? reader.readDouble() : (tick += reader.readVarint());
  const curves = [];
  for (const [index, node] of head.nodes.entries()) {
    for (const channel of [TRANSLATION, ROTATION, SCALE, VISIBILITY, OWN_SCALE]) {
      if (node.keyed & channel) curves.push(readKeys(reader, at, index, channel));
    }
    yield;
  }
  for (const curve of curves) {
    readValues(reader, curve, isExact);
    if (!isExact) for (let key = 0; key < curve.times.length; key++) curve.times[key] = from + curve.times[key] * head.tick;
    if (curve.corners) curve.bends = computeBends(curve);
    yield;
  }
  return { curves };
}

/** Reads the key times of a curve, and which of its keys hold their value or are corners of a spline. */
function readKeys(reader, at, node, channel) {
  const count = reader.readVarint();
  if (count === 0 || count > reader.bytes.length) throw new Error(`A curve cannot have ${count} keys.`);
  const keyTimes = new Float64Array(count);
  let index = 0;
  for (let key = 0; key < count; key++) {
    index += reader.readVarint();
    if (index >= at.length) throw new Error(`A key refers to time ${index}, but the chunk has only ${at.length} times.`);
    keyTimes[key] = at[index];
  }
  const isSpline = reader.readByte() === SPLINE;
  const marks = reader.readVarint();
  if (marks > count) throw new Error(`${marks} keys are marked, but the curve has only ${count}.`);
  const marked = marks > 0 || isSpline ? new Uint8Array(count) : null;
  for (let mark = 0, last = 0; mark < marks; mark++) marked[(last += reader.readVarint())] = 1;
  if (isSpline) marked[0] = marked[count - 1] = 1;
  return { node, channel, times: keyTimes, holds: isSpline ? null : marked, corners: isSpline ? marked : null, bends: null, values: null, hint: 0 };
}

/** Predicts a number from those before it, by a polynomial of at most `degree`. The writer computes the same operations in the same order. */
function predict(numbers, axis, times, key, degree) {
  if (key === 0) return 0;
  const last = numbers[3 * (key - 1) + axis];
  if (degree === 0 || key < 2) return last;
  const gap = times[key] - times[key - 1];
  const gapBefore = times[key - 1] - times[key - 2];
  if (gapBefore <= 0 || gap > MAX_GAP_RATIO * gapBefore) return last;
  const before = numbers[3 * (key - 2) + axis];
  let slope = (last - before) / gapBefore;
  if (degree === 2 && key > 2) {
    const gapEarlier = times[key - 2] - times[key - 3];
    if (gapEarlier > 0 && gapBefore <= MAX_GAP_RATIO * gapEarlier) {
      const bend = (slope - (before - numbers[3 * (key - 3) + axis]) / gapEarlier) / (gapBefore + gapEarlier);
      slope += bend * (gap + gapBefore);
    }
  }
  const predicted = last + gap * slope + 0.5;
  return Math.abs(predicted) <= MAX_PREDICTION ? Math.floor(predicted) : last;
}

function readValues(reader, curve, isExact) {
  const count = curve.times.length;
  const width = CHANNEL_WIDTHS[curve.channel];
  const values = new Float64Array(count * width);
  curve.values = values;
  if (curve.channel === VISIBILITY) {
    for (let key = 0; key < count; key++) values[key] = reader.readByte();
    return;
  }
  if (isExact) {
    for (let index = 0; index < values.length; index++) values[index] = reader.readDouble();
    return;
  }
  const step = reader.readDouble();
  const degree = reader.readByte();
  const whole = new Float64Array(3 * count);
  for (let axis = 0; axis < 3; axis++) {
    for (let key = 0; key < count; key++) {
      whole[3 * key + axis] = predict(whole, axis, curve.times, key, degree) + reader.readSignedVarint();
    }
  }
  if (curve.channel !== ROTATION) {
    for (let index = 0; index < values.length; index++) values[index] = whole[index] * step;
    return;
  }
  // The numbers are the sums of rotation vectors, each relative to the rotation of the key before.
  let turn = [0, 0, 0, 1];
  const vector = [0, 0, 0];
  for (let key = 0; key < count; key++) {
    for (let axis = 0; axis < 3; axis++) vector[axis] = (whole[3 * key + axis] - (key > 0 ? whole[3 * (key - 1) + axis] : 0)) * step;
    turn = normalizeQuat(multiplyQuats(turn, quatFromRotationVector(...vector)));
    for (let part = 0; part < 4; part++) values[4 * key + part] = turn[part];
  }
}

/**
 * Returns the second derivatives of a spline: for each segment those at its start, then those at its end.
 *
 * Between two corners, slope and bend are the same on both sides of each key, and the bend of the first and of the last segment is
 * constant. This gives a tridiagonal system, which is solved by elimination.
 */
function computeBends({ times, values, corners, channel }) {
  const width = CHANNEL_WIDTHS[channel];
  const count = times.length;
  const bends = new Float64Array(2 * width * Math.max(0, count - 1));
  const slope = (segment, part) => (values[(segment + 1) * width + part] - values[segment * width + part]) / (times[segment + 1] - times[segment]);
  const factors = new Float64Array(count);
  const found = new Float64Array(count);
  for (let first = 0, last = 1; last < count; last++) {
    if (!corners[last]) continue;
    for (let part = 0; last > first + 1 && part < width; part++) {
      for (let key = first + 1; key < last; key++) {
        const before = times[key] - times[key - 1];
        const after = times[key + 1] - times[key];
        const isFirst = key === first + 1;
        const diagonal = 2 * (before + after) + (isFirst ? before : -before * factors[key - 1]) + (key === last - 1 ? after : 0);
        factors[key] = after / diagonal;
        found[key] = (6 * (slope(key, part) - slope(key - 1, part)) - (isFirst ? 0 : found[key - 1] * before)) / diagonal;
      }
      for (let key = last - 2; key > first; key--) found[key] -= found[key + 1] * factors[key];
      found[first] = found[first + 1];
      found[last] = found[last - 1];
      for (let segment = first; segment < last; segment++) {
        bends[2 * width * segment + part] = found[segment];
        bends[2 * width * segment + width + part] = found[segment + 1];
      }
    }
    first = last;
  }
  return bends;
}

/** Returns the index of the last key at or before `time`, or −1 if there is none. */
function findKey(curve, time) {
  const { times: keys } = curve;
  let low = curve.hint;
  if (!(keys[low] <= time)) low = -1;
  let high = low + 1;
  // Search forwards from the previous result, because playback usually stays at the same key or moves to the next.
  for (let step = 1; high < keys.length && keys[high] <= time; step *= 2) {
    low = high;
    high = Math.min(keys.length, high + step);
  }
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (keys[middle] <= time) low = middle;
    else high = middle;
  }
  curve.hint = Math.max(0, low);
  return low;
}

/** Evaluates a curve at a clip time. */
function evaluateCurve(curve, time) {
  const { times: keys, values, holds } = curve;
  const isRotation = curve.channel === ROTATION;
  const width = CHANNEL_WIDTHS[curve.channel];
  const key = findKey(curve, time);
  const value = (index) => {
    const at = Math.max(0, index) * width;
    if (width === 1) return [values[at]];
    return isRotation ? [values[at], values[at + 1], values[at + 2], values[at + 3]] : [values[at], values[at + 1], values[at + 2]];
  };
  if (key < 0 || key + 1 >= keys.length || curve.channel === VISIBILITY || (holds && holds[key])) return value(key);
  const part = (time - keys[key]) / (keys[key + 1] - keys[key]);
  if (part === 0) return value(key);
  const from = value(key);
  const to = value(key + 1);
  // Two corners next to each other are joined by a straight line.
  if (curve.bends && !(curve.corners[key] && curve.corners[key + 1])) {
    const rest = 1 - part;
    const sixth = (keys[key + 1] - keys[key]) ** 2 / 6;
    const startFactor = (rest * rest * rest - rest) * sixth;
    const endFactor = (part * part * part - part) * sixth;
    const at = 2 * width * key;
    const bent = from.map((start, axis) => rest * start + part * to[axis] + startFactor * curve.bends[at + axis] + endFactor * curve.bends[at + width + axis]);
    return isRotation ? normalizeQuat(bent) : bent;
  }
  return isRotation ? slerp(from, to, part) : lerp(from, to, part);
}

/** The motion of a recording, whose chunks are decoded on demand. */
export class Motion {
  constructor(head, pack) {
    this.head = head;
    this.pack = pack;
    this.order = sortParentsFirst(head.nodes);
    this.chunks = new Map();
    this.loading = new Map();
    /** The indices of the current and the preloaded chunk. Decoding of all others is cancelled, so that scrubbing stays responsive. */
    this.wantedChunks = [-1, -1];
  }

  /** Returns the index of the chunk at a clip time. */
  chunkIndex(time) {
    const { chunks } = this.head;
    let low = 0;
    let high = Math.max(0, chunks.length - 2);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Clamps a time to the span of the recording. */
  clampTime(time) {
    const [from, to] = this.head.span;
    return Math.min(to, Math.max(from, time));
  }

  /** Returns true if the chunk at a clip time is decoded. */
  isLoaded(time) {
    return this.chunks.has(this.chunkIndex(this.clampTime(time)));
  }

  /** Decodes the chunk at a clip time. Resolves to null if another chunk was requested before this one was ready. */
  load(time) {
    this.wantedChunks[0] = this.chunkIndex(this.clampTime(time));
    return this.#load(this.wantedChunks[0]);
  }

  /** Decodes the chunk at a clip time that will be needed soon. */
  preload(time) {
    this.wantedChunks[1] = this.chunkIndex(this.clampTime(time));
    return this.#load(this.wantedChunks[1]);
  }

  async #load(index) {
    const known = this.chunks.get(index);
    if (known) {
      // Move the chunk to the end of the map, because the least recently used chunk is removed first.
      this.chunks.delete(index);
      this.chunks.set(index, known);
      return known;
    }
    if (!this.loading.has(index)) {
      const load = this.pack.bytes(this.head.block + index).then(async (bytes) => {
        const chunk = await decodeChunkInSlices(bytes, this.head, this.head.chunks[index], () => this.wantedChunks.includes(index));
        if (chunk) this.chunks.set(index, chunk);
        for (const key of this.chunks.keys()) {
          if (this.chunks.size <= MAX_DECODED_CHUNKS) break;
          this.chunks.delete(key);
        }
        return chunk;
      });
      this.loading.set(index, load.finally(() => this.loading.delete(index)));
    }
    return this.loading.get(index);
  }

  /** Returns the pose at a clip time, in the viewer's space, or null if the chunk is not decoded yet. */
  sample(time) {
    const at = this.clampTime(time);
    this.wantedChunks[0] = this.chunkIndex(at);
    const chunk = this.chunks.get(this.wantedChunks[0]);
    return chunk ? this.computePose(chunk, at) : null;
  }

  computePose(chunk, time) {
    const nodes = this.head.nodes.map((node) => ({
      translation: node.t ?? [0, 0, 0],
      rotation: node.q ?? [0, 0, 0, 1],
      scale: node.s ?? [1, 1, 1],
      shown: !node.hidden,
      size: node.size ?? null,
      world: null,
    }));
    for (const curve of chunk.curves) {
      const node = nodes[curve.node];
      const value = evaluateCurve(curve, time);
      if (curve.channel === TRANSLATION) node.translation = value;
      else if (curve.channel === ROTATION) node.rotation = value;
      else if (curve.channel === SCALE) node.scale = value;
      else if (curve.channel === VISIBILITY) node.shown = value[0] === 1;
      else node.size = value;
    }
    for (const index of this.order) {
      const node = nodes[index];
      const own = rotationScaleMatrix(node.rotation, node.scale);
      const parent = this.head.nodes[index].parent;
      if (parent === undefined) {
        node.world = { translation: [...node.translation], rotation: [...node.rotation], linear: own };
        continue;
      }
      const { world, shown } = nodes[parent];
      const moved = multiplyVector(world.linear, node.translation);
      node.shown = node.shown && shown;
      node.world = {
        translation: add(world.translation, moved),
        rotation: normalizeQuat(multiplyQuats(world.rotation, node.rotation)),
        linear: multiplyMatrices(world.linear, own),
      };
    }
    return { time, nodes };
  }
}

/** Evaluates a signal at a clip time. Returns null if the signal has no value then. */
export function evaluateSignal(signal, time) {
  const { times: keys, values } = signal;
  if (keys.length === 0) return null;
  let low = -1;
  let high = keys.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (keys[middle] <= time) low = middle;
    else high = middle;
  }
  if (low < 0) return values[0];
  if (!signal.linear || low + 1 >= keys.length || values[low] === null || values[low + 1] === null) return values[low];
  const part = (time - keys[low]) / (keys[low + 1] - keys[low]);
  return values[low] + (values[low + 1] - values[low]) * part;
}
