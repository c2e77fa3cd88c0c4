// Compares the poses of the pages in a folder with those of `mutoscope sample`, in the .poses.json next to each page.
//
//     node against.mjs FOLDER

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { Motion, evaluateSignal } from '../motion.js';
import { Pack } from '../unpack.js';

const folder = process.argv[2];
// The documented tolerance in metres and radians. It applies to pages with every key, too, if something moves too
// suddenly to follow.
const TOLERANCE = [1e-4, (0.05 * Math.PI) / 180];

const angle = (a, b) => {
  const near = [0, 1, 2, 3].map((axis) => a[axis] - b[axis]);
  const far = [0, 1, 2, 3].map((axis) => a[axis] + b[axis]);
  return 4 * Math.asin(Math.min(1, 0.5 * Math.min(Math.hypot(...near), Math.hypot(...far))));
};
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

console.log('| page | nodes | largest difference in the world | relative to the parent | bytes |');
for (const file of readdirSync(folder).filter((name) => name.endsWith('.poses.json')).sort()) {
  const name = file.replace(/\.poses\.json$/, '');
  const html = readFileSync(join(folder, `${name}.html`));
  const pack = Pack.fromFile(html);
  const head = (await pack.head()).recordings[0];
  const motion = new Motion(head, pack);
  const { samples, exact } = JSON.parse(readFileSync(join(folder, file)));
  const largest = { world: [0, 0], local: [0, 0] };
  const stated = exact ? TOLERANCE : [head.bounds.position, head.bounds.rotation];
  const bounds = TOLERANCE.map((limit, which) => Math.min(limit, stated[which]));
  if (exact !== (head.bounds === undefined)) throw new Error(`${name}: only exact pages have no bounds`);
  for (const { time, nodes, signals } of samples) {
    await motion.load(time);
    const pose = motion.sample(time);
    nodes.forEach((expected, index) => {
      const found = pose.nodes[index];
      if (found.shown !== expected.shown) throw new Error(`${name}: ${expected.name} at ${time}: shown ${found.shown}`);
      const pairs = [
        ['world', found.world, expected.world],
        ['local', found, expected],
      ];
      for (const [which, a, b] of pairs) {
        const distance = Math.hypot(...[0, 1, 2].map((axis) => a.translation[axis] - b.translation[axis]));
        const turned = angle(a.rotation, b.rotation);
        if (!(distance <= largest[which][0])) largest[which][0] = distance;
        if (!(turned <= largest[which][1])) largest[which][1] = turned;
      }
    });
    signals.forEach(([signal, expected], index) => {
      const found = evaluateSignal(head.signals[index], time);
      if (head.signals[index].name !== signal) throw new Error(`${name}: ${signal} is not at ${index}`);
      const keys = head.signals[index];
      // Only the keys of vectors and of interpolated integers are kept, so their values between keys differ.
      if (Array.isArray(expected) || (Number.isInteger(expected) && !keys.linear && head.format.startsWith('anim'))) return;
      const numbers = keys.values.filter((value) => value !== null);
      const range = keys.linear ? Math.max(...numbers) - Math.min(...numbers) : 0;
      const near = keys.linear && found !== null && expected !== null ? Math.abs(found - expected) <= 2e-4 * range + 1e-5 : same(found, expected);
      if (!near) throw new Error(`${name}: ${signal} at ${time}: ${found} instead of ${expected}`);
    });
  }
  const text = ([metres, radians]) => `${(metres * 1e3).toFixed(4)} mm, ${((radians * 180) / Math.PI).toFixed(4)}°`;
  console.log(`| ${name} | ${head.nodes.length} | ${text(largest.world)} | ${text(largest.local)} | ${html.length} |`);
  if (!(largest.world[0] <= bounds[0] && largest.world[1] <= bounds[1])) {
    throw new Error(`${name}: ${text(largest.world)} is beyond ${text(bounds)}`);
  }
}
