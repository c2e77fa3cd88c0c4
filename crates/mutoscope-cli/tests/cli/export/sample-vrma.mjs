// Plays VRM animations on an avatar with three-vrm, and prints the poses as lines of JSON.
// Usage: node sample-vrma.mjs MODULES AVATAR FOLDER TIMES
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, avatar, folder, times] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(modules, name)));

globalThis.self ??= globalThis;
const { AnimationMixer, Quaternion, Vector3 } = await load("three/build/three.module.js");
const { GLTFLoader } = await load("three/examples/jsm/loaders/GLTFLoader.js");
const { VRMLoaderPlugin } = await load("@pixiv/three-vrm/lib/three-vrm.module.js");
const { VRMAnimationLoaderPlugin, VRMLookAtQuaternionProxy, createVRMAnimationClip } = await load(
  "@pixiv/three-vrm-animation/lib/three-vrm-animation.module.js",
);

const loader = new GLTFLoader();
loader.register((parser) => new VRMLoaderPlugin(parser));
loader.register((parser) => new VRMAnimationLoaderPlugin(parser));

const read = (file) => {
  const { buffer, byteOffset, byteLength } = fs.readFileSync(file);
  return loader.parseAsync(buffer.slice(byteOffset, byteOffset + byteLength), "");
};

const pose = (vrm, time) => {
  const bones = Object.entries(vrm.humanoid.humanBones).map(([name, { node }]) => {
    const position = node.getWorldPosition(new Vector3()).toArray();
    return [name, [position, node.getWorldQuaternion(new Quaternion()).toArray()]];
  });
  const weights = vrm.expressionManager.expressions.map((one) => [one.expressionName, one.weight]);
  const gaze = [vrm.lookAt.yaw, vrm.lookAt.pitch];
  return { time, bones: Object.fromEntries(bones), weights: Object.fromEntries(weights), gaze };
};

for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".vrma")).sort()) {
  const { vrm } = (await read(avatar)).userData;
  const proxy = new VRMLookAtQuaternionProxy(vrm.lookAt);
  proxy.name = "gaze";
  vrm.scene.add(proxy);
  const [animation] = (await read(path.join(folder, name))).userData.vrmAnimations;
  const mixer = new AnimationMixer(vrm.scene);
  mixer.clipAction(createVRMAnimationClip(animation, vrm)).play();
  const poses = JSON.parse(times).map((part) => {
    const time = part * animation.duration;
    mixer.setTime(time);
    vrm.update(0);
    vrm.scene.updateMatrixWorld(true);
    return pose(vrm, time);
  });
  console.log(JSON.stringify({ name, duration: animation.duration, poses }));
}
