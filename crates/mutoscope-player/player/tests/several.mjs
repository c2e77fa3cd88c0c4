// Checks that both recordings of a page are read from the page and from its pack.
//
//     node several.mjs FOLDER

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Motion } from '../motion.js';
import { Pack } from '../unpack.js';

for (const file of ['two.html', 'two.pack']) {
  const pack = Pack.fromFile(readFileSync(join(process.argv[2], file)));
  const head = await pack.head();
  assert.deepEqual(head.recordings.map((one) => [one.offset, one.rate]), [[0, 1], [0.25, 1.5]]);
  assert.deepEqual(head.recordings[1].tint, [255, 180, 84]);
  for (const recording of head.recordings) {
    const motion = new Motion(recording, pack);
    const middle = (recording.span[0] + recording.span[1]) / 2;
    assert.equal(motion.sample(middle), null);
    await motion.load(middle);
    assert.equal(motion.sample(middle).nodes.length, recording.nodes.length);
  }
  assert.ok(head.recordings[1].block > head.recordings[0].block);
}
