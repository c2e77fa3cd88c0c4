// The motion of a recording: chunks of keys, and the pose at a time.

import { add, lerp, product, slerp, times, turnAndScale, turnAbout, turnedBy, unitQuat } from './math.js';
import { Reader, nextTurn } from './unpack.js';

/** The bits of a node's `keyed`. */
const TRANSLATION = 1;
const ROTATION = 2;
const SCALE = 4;
export const SHOWN = 8;
const SIZE = 16;

/** How many components a channel has. */
const WIDTH = { [TRANSLATION]: 3, [ROTATION]: 4, [SCALE]: 3, [SHOWN]: 1, [SIZE]: 3 };

/** For how long a chunk is decoded before the browser has its turn, in milliseconds. */
const SLICE = 8;

/** How many chunks are kept unpacked. */
const KEPT = 4;

/** The nodes of a recording in an order in which parents come before their children. */
function parentsFirst(nodes) {
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

/** The keys of a chunk. */
export function chunkOf(bytes, head, from) {
  const decoding = chunkDecoding(bytes, head, from);
  let step = decoding.next();
  while (!step.done) step = decoding.next();
  return step.value;
}

/** The keys of a chunk, decoded piece by piece: a dense one takes longer than a frame. Null as soon as it is not wanted. */
async function chunkInSlices(bytes, head, from, isWanted) {
  const decoding = chunkDecoding(bytes, head, from);
  let since = performance.now();
  for (let step = decoding.next(); isWanted(); step = decoding.next()) {
    if (step.done) return step.value;
    if (performance.now() - since < SLICE) continue;
    await nextTurn();
    since = performance.now();
  }
  return null;
}

/** Decodes a chunk, with a stop after each curve. */
function* chunkDecoding(bytes, head, from) {
  const reader = new Reader(bytes);
  const count = reader.count();
  const at = new Float64Array(Math.min(count, bytes.length));
  if (count > bytes.length) throw new Error(`A block of ${bytes.length} bytes cannot have ${count} times.`);
  let tick = 0;
  for (let index = 0; index < count; index++) {
    if (head.tick === undefined) at[index] = reader.double();
    else at[index] = from + (tick += reader.count()) * head.tick;
  }
  const curves = [];
  for (const [index, node] of head.nodes.entries()) {
    for (const channel of [TRANSLATION, ROTATION, SCALE, SHOWN, SIZE]) {
      if (node.keyed & channel) curves.push(keysOf(reader, at, index, channel));
    }
    yield;
  }
  for (const curve of curves) {
    valuesOf(reader, curve, head.tick === undefined);
    yield;
  }
  return { curves };
}

/** When a curve has keys, and which of them hold. */
function keysOf(reader, at, node, channel) {
  const count = reader.count();
  if (count === 0 || count > reader.bytes.length) throw new Error(`A curve cannot have ${count} keys.`);
  const timesOfKeys = new Float64Array(count);
  let index = 0;
  for (let key = 0; key < count; key++) {
    index += reader.count();
    if (index >= at.length) throw new Error(`There is no time ${index} among ${at.length}.`);
    timesOfKeys[key] = at[index];
  }
  let holds = null;
  const held = reader.count();
  if (held > 0) {
    if (held > count) throw new Error(`Of ${count} keys ${held} cannot hold.`);
    holds = new Uint8Array(count);
    for (let key = 0, last = 0; key < held; key++) holds[(last += reader.count())] = 1;
  }
  return { node, channel, times: timesOfKeys, holds, values: null, hint: 0 };
}

function valuesOf(reader, curve, isExact) {
  const count = curve.times.length;
  const width = WIDTH[curve.channel];
  const values = new Float64Array(count * width);
  curve.values = values;
  if (curve.channel === SHOWN) {
    for (let key = 0; key < count; key++) values[key] = reader.byte();
    return;
  }
  if (isExact) {
    for (let index = 0; index < values.length; index++) values[index] = reader.double();
    return;
  }
  const step = reader.double();
  const isFromTwo = reader.byte() === 1;
  const whole = new Float64Array(3 * count);
  for (let axis = 0; axis < 3; axis++) {
    let before = 0;
    let beforeThat = 0;
    for (let key = 0; key < count; key++) {
      const number = reader.signed() + (isFromTwo ? 2 * before - beforeThat : before);
      whole[3 * key + axis] = number;
      beforeThat = before;
      before = number;
    }
  }
  if (curve.channel !== ROTATION) {
    for (let index = 0; index < values.length; index++) values[index] = whole[index] * step;
    return;
  }
  let turn = [0, 0, 0, 1];
  for (let key = 0; key < count; key++) {
    const at = 3 * key;
    turn = unitQuat(turnedBy(turn, turnAbout(whole[at] * step, whole[at + 1] * step, whole[at + 2] * step)));
    for (let part = 0; part < 4; part++) values[4 * key + part] = turn[part];
  }
}

/** The key that a time is at or after: the last of those at the same time; −1 before the first. */
function keyAt(curve, time) {
  const { times: keys } = curve;
  let low = curve.hint;
  if (!(keys[low] <= time)) low = -1;
  let high = low + 1;
  // Most often it is the same as before, or the next.
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

/** The value of a curve at a time. */
function valueAt(curve, time) {
  const { times: keys, values, holds } = curve;
  const isTurn = curve.channel === ROTATION;
  const width = WIDTH[curve.channel];
  const key = keyAt(curve, time);
  const value = (index) => {
    const at = Math.max(0, index) * width;
    if (width === 1) return [values[at]];
    return isTurn ? [values[at], values[at + 1], values[at + 2], values[at + 3]] : [values[at], values[at + 1], values[at + 2]];
  };
  if (key < 0 || key + 1 >= keys.length || curve.channel === SHOWN || (holds && holds[key])) return value(key);
  const part = (time - keys[key]) / (keys[key + 1] - keys[key]);
  if (part === 0) return value(key);
  const from = value(key);
  const to = value(key + 1);
  return isTurn ? slerp(from, to, part) : lerp(from, to, part);
}

/** A recording whose chunks are unpacked as they are needed. */
export class Motion {
  constructor(head, pack) {
    this.head = head;
    this.pack = pack;
    this.order = parentsFirst(head.nodes);
    this.chunks = new Map();
    this.loading = new Map();
    /** The chunk that was asked for last, and the one after it: while the time is dragged, others are given up. */
    this.wanted = [-1, -1];
  }

  /** The index of the chunk at a time. */
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

  /** The time within the recording that is nearest. */
  within(time) {
    const [from, to] = this.head.span;
    return Math.min(to, Math.max(from, time));
  }

  /** Whether a pose can be had at a time without waiting. */
  has(time) {
    return this.chunks.has(this.chunkIndex(this.within(time)));
  }

  /** Unpacks the chunk at a time; null if another was asked for meanwhile. */
  load(time) {
    this.wanted[0] = this.chunkIndex(this.within(time));
    return this.#load(this.wanted[0]);
  }

  /** Unpacks the chunk at a time that will be asked for. */
  prepare(time) {
    this.wanted[1] = this.chunkIndex(this.within(time));
    return this.#load(this.wanted[1]);
  }

  async #load(index) {
    const known = this.chunks.get(index);
    if (known) {
      // The least recently used goes first.
      this.chunks.delete(index);
      this.chunks.set(index, known);
      return known;
    }
    if (!this.loading.has(index)) {
      const load = this.pack.bytes(this.head.block + index).then(async (bytes) => {
        const chunk = await chunkInSlices(bytes, this.head, this.head.chunks[index], () => this.wanted.includes(index));
        if (chunk) this.chunks.set(index, chunk);
        for (const key of this.chunks.keys()) {
          if (this.chunks.size <= KEPT) break;
          this.chunks.delete(key);
        }
        return chunk;
      });
      this.loading.set(index, load.finally(() => this.loading.delete(index)));
    }
    return this.loading.get(index);
  }

  /** The pose at a time of the recording, in the viewer's space; null while its chunk is not unpacked. */
  sample(time) {
    const at = this.within(time);
    this.wanted[0] = this.chunkIndex(at);
    const chunk = this.chunks.get(this.wanted[0]);
    return chunk ? this.pose(chunk, at) : null;
  }

  pose(chunk, time) {
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
      const value = valueAt(curve, time);
      if (curve.channel === TRANSLATION) node.translation = value;
      else if (curve.channel === ROTATION) node.rotation = value;
      else if (curve.channel === SCALE) node.scale = value;
      else if (curve.channel === SHOWN) node.shown = value[0] === 1;
      else node.size = value;
    }
    for (const index of this.order) {
      const node = nodes[index];
      const own = turnAndScale(node.rotation, node.scale);
      const parent = this.head.nodes[index].parent;
      if (parent === undefined) {
        node.world = { translation: [...node.translation], rotation: [...node.rotation], linear: own };
        continue;
      }
      const { world, shown } = nodes[parent];
      const moved = times(world.linear, node.translation);
      node.shown = node.shown && shown;
      node.world = {
        translation: add(world.translation, moved),
        rotation: unitQuat(turnedBy(world.rotation, node.rotation)),
        linear: product(world.linear, own),
      };
    }
    return { time, nodes };
  }
}

/** The value of a signal at a time of the recording. */
export function signalAt(signal, time) {
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
  if (!signal.linear || low + 1 >= keys.length || keys[low + 1] === keys[low]) return values[low];
  const part = (time - keys[low]) / (keys[low + 1] - keys[low]);
  return values[low] + (values[low + 1] - values[low]) * part;
}
