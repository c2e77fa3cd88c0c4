// The motion of a recording: chunks of keys, and the pose at a time.

import { product, slerp, times, turnAndScale, turnAbout, turnedBy, unitQuat } from './math.js';
import { Reader } from './unpack.js';

/** The bits of a node's `keyed`. */
const TRANSLATION = 1;
const ROTATION = 2;
const SCALE = 4;
const SHOWN = 8;
const SIZE = 16;

/** How many components a channel has. */
const WIDTH = { [TRANSLATION]: 3, [ROTATION]: 4, [SCALE]: 3, [SHOWN]: 1, [SIZE]: 3 };

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
  head.nodes.forEach((node, index) => {
    for (const channel of [TRANSLATION, ROTATION, SCALE, SHOWN, SIZE]) {
      if (node.keyed & channel) curves.push(keysOf(reader, at, index, channel));
    }
  });
  for (const curve of curves) valuesOf(reader, curve, head.tick === undefined);
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
    let [before, beforeThat] = [0, 0];
    for (let key = 0; key < count; key++) {
      const number = reader.signed() + (isFromTwo ? 2 * before - beforeThat : before);
      whole[3 * key + axis] = number;
      [before, beforeThat] = [number, before];
    }
  }
  if (curve.channel !== ROTATION) {
    for (let index = 0; index < values.length; index++) values[index] = whole[index] * step;
    return;
  }
  let turn = [0, 0, 0, 1];
  for (let key = 0; key < count; key++) {
    const about = whole.subarray(3 * key, 3 * key + 3);
    turn = unitQuat(turnedBy(turn, turnAbout(about[0] * step, about[1] * step, about[2] * step)));
    values.set(turn, 4 * key);
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
  const width = WIDTH[curve.channel];
  const key = keyAt(curve, time);
  const value = (index) => values.subarray(index * width, (index + 1) * width);
  if (key < 0) return value(0);
  if (key + 1 >= keys.length || curve.channel === SHOWN || (holds && holds[key])) return value(key);
  const part = (time - keys[key]) / (keys[key + 1] - keys[key]);
  if (part === 0) return value(key);
  const [from, to] = [value(key), value(key + 1)];
  if (curve.channel === ROTATION) return slerp(from, to, part);
  return [0, 1, 2].map((axis) => from[axis] + (to[axis] - from[axis]) * part);
}

/** A recording whose chunks are unpacked as they are needed. */
export class Motion {
  constructor(head, pack) {
    this.head = head;
    this.pack = pack;
    this.order = parentsFirst(head.nodes);
    this.chunks = new Map();
    this.loading = new Map();
  }

  /** The index of the chunk at a time. */
  chunkIndex(time) {
    const { chunks } = this.head;
    let index = 0;
    while (index + 2 < chunks.length && chunks[index + 1] <= time) index++;
    return index;
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

  /** Unpacks the chunk at a time. */
  async load(time) {
    const index = this.chunkIndex(this.within(time));
    const known = this.chunks.get(index);
    if (known) {
      // The least recently used goes first.
      this.chunks.delete(index);
      this.chunks.set(index, known);
      return known;
    }
    if (!this.loading.has(index)) {
      const load = this.pack.bytes(this.head.block + index).then((bytes) => {
        const chunk = chunkOf(bytes, this.head, this.head.chunks[index]);
        this.chunks.set(index, chunk);
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
    const chunk = this.chunks.get(this.chunkIndex(at));
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
        translation: [0, 1, 2].map((axis) => world.translation[axis] + moved[axis]),
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
