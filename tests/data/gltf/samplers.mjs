// Writes glTF files with every kind of animation sampler, and what three.js makes of them.
//
// Run with node and the npm packages three 0.187 and gltf-validator:  node samplers.mjs OUT
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { AnimationMixer, LoopOnce } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

const out = process.argv[2];
const { validateBytes } = createRequire(import.meta.url)('gltf-validator');
globalThis.self ??= globalThis;

/** Numbers from -1 to 1, the same in every run. */
let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2147483648 - 1;
};
const unit = (q) => q.map((x) => x / Math.hypot(...q));

class Builder {
  constructor() {
    this.bytes = [];
    this.json = { asset: { version: '2.0' }, accessors: [], bufferViews: [], animations: [] };
  }

  view(bytes, stride) {
    while (this.bytes.length % 4) this.bytes.push(0);
    const view = { buffer: 0, byteOffset: this.bytes.length, byteLength: bytes.length };
    if (stride) view.byteStride = stride;
    this.bytes.push(...bytes);
    return this.json.bufferViews.push(view) - 1;
  }

  accessor(type, numbers, Kind = Float32Array, options = {}) {
    const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    const typed = new Kind(numbers);
    const code = { Int8Array: 5120, Uint8Array: 5121, Int16Array: 5122, Uint16Array: 5123, Float32Array: 5126 };
    const accessor = { type, componentType: code[Kind.name], count: typed.length / size };
    if (Kind !== Float32Array) accessor.normalized = true;
    if (options.bounds) {
      const column = (c, f) => f(...Array.from(typed).filter((_, i) => i % size === c));
      accessor.min = [...Array(size).keys()].map((c) => column(c, Math.min));
      accessor.max = [...Array(size).keys()].map((c) => column(c, Math.max));
    }
    if (options.sparse) {
      const { indices, values, base } = options.sparse;
      if (base) accessor.bufferView = this.view(new Uint8Array(typed.buffer));
      accessor.sparse = {
        count: indices.length,
        indices: { bufferView: this.view(new Uint8Array(new Uint16Array(indices).buffer)), componentType: 5123 },
        values: { bufferView: this.view(new Uint8Array(new Float32Array(values).buffer)) },
      };
    } else {
      accessor.bufferView = this.view(new Uint8Array(typed.buffer));
    }
    return this.json.accessors.push(accessor) - 1;
  }

  times(times) {
    return this.accessor('SCALAR', times, Float32Array, { bounds: true });
  }

  animation(name, samplers) {
    const animation = { channels: [], samplers: [] };
    if (name) animation.name = name;
    for (const { node, path, input, output, interpolation } of samplers) {
      const sampler = animation.samplers.push({ input, output, interpolation }) - 1;
      animation.channels.push({ sampler, target: { node, path } });
    }
    this.json.animations.push(animation);
  }
}

const b = new Builder();
const json = b.json;
json.scene = 0;
json.scenes = [{ nodes: [0, 3] }];
json.nodes = [
  { name: 'hip', translation: [0, 1, 0], children: [1] },
  { name: 'knee', translation: [0, -0.5, 0.05], rotation: unit([0.1, 0, 0, 1]), children: [2] },
  { name: 'foot', matrix: [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 0.1, -0.4, 0, 1] },
  { name: 'face', mesh: 0, translation: [0, 1.7, 0] },
];
const positions = b.accessor('VEC3', [0, 0, 0, 0.2, 0, 0, 0, 0.2, 0], Float32Array, { bounds: true });
const target = (z) => b.accessor('VEC3', [0, 0, z, 0, 0, z, 0, 0, z], Float32Array, { bounds: true });
json.meshes = [{
  primitives: [{ attributes: { POSITION: positions }, targets: [{ POSITION: target(0.1) }, { POSITION: target(-0.1) }] }],
  weights: [0, 0.25],
  extras: { targetNames: ['smile', 'frown'] },
}];

const rotations = (count) => {
  const keys = [];
  for (let i = 0; i < count; i++) {
    const q = unit([random(), random(), random(), random()]);
    // Every third key has the other sign: the same rotation, and still the short way.
    keys.push(...(i % 3 === 2 ? q.map((x) => -x) : q));
  }
  return keys;
};
const numbers = (count) => [...Array(count)].map(() => 2 * random());
const positive = (count) => [...Array(count)].map(() => 0.25 + Math.abs(random()));
const uneven = [0.5, 0.625, 1.0, 1.75, 2.0, 3.25];
const even = [0, 0.5, 1, 1.5, 2];

for (const [name, interpolation] of [['Linear', 'LINEAR'], ['Step', 'STEP'], ['Cubic', 'CUBICSPLINE']]) {
  const many = interpolation === 'CUBICSPLINE' ? 3 : 1;
  const input = b.times(uneven);
  const other = b.times(even);
  b.animation(name, [
    { node: 0, path: 'translation', input, interpolation, output: b.accessor('VEC3', numbers(6 * 3 * many)) },
    { node: 0, path: 'rotation', input, interpolation, output: b.accessor('VEC4', rotations(6 * many)) },
    { node: 1, path: 'rotation', input: other, interpolation, output: b.accessor('VEC4', rotations(5 * many)) },
    { node: 1, path: 'scale', input: other, interpolation, output: b.accessor('VEC3', positive(5 * 3 * many)) },
    { node: 3, path: 'weights', input, interpolation, output: b.accessor('SCALAR', numbers(6 * 2 * many)) },
  ]);
}
const input = b.times(even);
const whole = (Kind, most, list) => Array.from(new Kind(list.map((x) => Math.round(x * most))));
b.animation('Packed', [
  { node: 0, path: 'rotation', input, interpolation: 'LINEAR', output: b.accessor('VEC4', whole(Int16Array, 32767, rotations(5)), Int16Array) },
  { node: 1, path: 'rotation', input, interpolation: 'LINEAR', output: b.accessor('VEC4', whole(Int8Array, 127, rotations(5)), Int8Array) },
  { node: 3, path: 'weights', input, interpolation: 'LINEAR', output: b.accessor('SCALAR', whole(Uint8Array, 255, positive(10).map((x) => Math.min(x, 1))), Uint8Array) },
]);
b.animation(undefined, [
  { node: 0, path: 'translation', input, interpolation: 'LINEAR',
    output: b.accessor('VEC3', numbers(15), Float32Array, { sparse: { base: true, indices: [1, 3], values: numbers(6) } }) },
  { node: 1, path: 'translation', input, interpolation: 'STEP',
    output: b.accessor('VEC3', Array(15).fill(0), Float32Array, { sparse: { indices: [0, 4], values: numbers(6) } }) },
  { node: 1, path: 'scale', input: b.times([1]), interpolation: 'LINEAR', output: b.accessor('VEC3', [1, 2, 3]) },
]);

const binary = Buffer.from(b.bytes);
const write = (name, bytes) => fs.writeFileSync(path.join(out, name), bytes);
const pad = (bytes, filler) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filler)]);
const text = (buffer) => Buffer.from(JSON.stringify({ ...json, buffers: [{ byteLength: binary.length, ...buffer }] }));
write('samplers.gltf', text({ uri: 'samplers%20of%20all.bin' }));
write('samplers of all.bin', binary);
write('samplers_embedded.gltf', text({ uri: 'data:application/octet-stream;base64,' + binary.toString('base64') }));
const chunk = (type, bytes) => {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(bytes.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, bytes]);
};
const chunks = Buffer.concat([chunk('JSON', pad(text({}), 0x20)), chunk('BIN\0', pad(binary, 0))]);
const head = Buffer.alloc(12);
head.write('glTF', 0, 'latin1');
head.writeUInt32LE(2, 4);
head.writeUInt32LE(12 + chunks.length, 8);
const glb = Buffer.concat([head, chunks]);
write('samplers.glb', glb);
const report = await validateBytes(new Uint8Array(glb));
console.log('validator:', report.issues.numErrors, 'errors', report.issues.numWarnings, 'warnings');
for (const message of report.issues.messages) if (message.severity < 2) console.log(message.code, message.pointer, message.message);

const loader = new GLTFLoader();
const loaded = await new Promise((done, fail) =>
  loader.parse(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), '', done, fail));
const moments = [-1, 0, 0.2, 0.5, 0.56, 0.625, 0.9, 1, 1.3, 1.5, 1.75, 1.9, 2, 2.7, 3.25, 9];
const names = ['hip', 'knee', 'foot', 'face'];
const expected = loaded.animations.map((clip) => {
  const rows = moments.map((time) => {
    // Every moment by itself, from the scene as it rests.
    const mixer = new AnimationMixer(loaded.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    action.time = Math.min(Math.max(time, 0), clip.duration);
    mixer.update(0);
    loaded.scene.updateMatrixWorld(true);
    const nodes = names.map((name) => {
      const node = loaded.scene.getObjectByName(name);
      const world = node.matrixWorld.elements.slice(12, 15);
      return { name, translation: node.position.toArray(), rotation: node.quaternion.toArray(), scale: node.scale.toArray(), world: Array.from(world) };
    });
    const weights = [...loaded.scene.getObjectByName('face').morphTargetInfluences];
    mixer.stopAllAction();
    mixer.uncacheRoot(loaded.scene);
    return { time, nodes, weights };
  });
  return { name: clip.name, duration: clip.duration, rows };
});
write('samplers.json', JSON.stringify(expected));
