// What three.js makes of BVH files: where their joints stand at some frames.
//
// Run with node and the npm package three 0.187:  node three.mjs FILE...  It writes FILE's .json.
import fs from 'node:fs';
import { AnimationMixer, LoopOnce } from 'three';
import { BVHLoader } from 'three/examples/jsm/loaders/BVHLoader.js';

for (const file of process.argv.slice(2)) {
  const { skeleton, clip } = new BVHLoader().parse(fs.readFileSync(file, 'utf8'));
  const root = skeleton.bones[0];
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const times = clip.tracks[0].times;
  const frames = [...times.keys()].filter((frame) => frame % Math.ceil(times.length / 12) === 0);
  const rows = frames.map((frame) => {
    action.time = times[frame];
    mixer.update(0);
    root.updateMatrixWorld(true);
    const joints = skeleton.bones.filter((bone) => bone.name !== 'ENDSITE').map((bone) => ({
      name: bone.name,
      rotation: bone.quaternion.toArray(),
      world: Array.from(bone.matrixWorld.elements.slice(12, 15)),
    }));
    return { frame, joints };
  });
  fs.writeFileSync(file.replace(/\.bvh$/i, '.json'), JSON.stringify(rows));
}
