// The stage draws recordings with WebGL 2.

import { bodyPartMatrix } from './body.js';
import { FOV, eyePosition, worldToClipMatrix, nodeViewMatrix, orbitViewMatrix } from './camera.js';
import { INSTANCE_FLOATS, uploadBuffer, createDrawable, createInstances, createWhiteTexture, beginProgram, finishProgram, loadTexture } from './gl.js';
import { add, affineMatrix, cross, dot, linearColor, subtract, mixColors, multiplyMatrices4, scaleVector, multiplyVector, rotationScaleMatrix, normalize } from './math.js';
import { palmTriangles, palmVertices } from './palm.js';
import { FLOOR, GRID, INSTANCED, MESH } from './shaders.js';
import { MAX_CASTERS, SHADOW_SPREAD, findCasters } from './shadow.js';
import { ball, frustum, octahedron, ray, skull, torus } from './shapes.js';

/** The sRGB colours of the viewer. */
export const COLORS = {
  background: 0x1b1d21,
  ground: 0x343942,
  left: 0x5aa9ff,
  right: 0xff7a90,
  neutral: 0xd7dbe2,
  locator: 0xb79cf5,
  gaze: 0x7fe3c4,
  head: 0x9aa3b1,
  visor: 0x15171b,
  pinch: 0xffe2b0,
  selection: 0xffb454,
  minor: 0x2b2f37,
  major: 0x414753,
  xAxis: 0x6e464c,
  zAxis: 0x41557d,
};

/** The length and radius of a gaze ray, and the radius of its origin, in metres. */
const RAY_LENGTH = 2.5;
const RAY_RADIUS = 0.0015;
const DOT_RADIUS = 0.006;

/** The colours of the X, Y and Z axes of nodes without bones. Length and radius are multiplied by the size of the recording. */
const AXES = [0xe8636f, 0x86c95c, 0x5f93f0];
export const AXIS_LENGTH = 0.04;
const AXIS_RADIUS = 0.0016;

/** The parts of a head relative to its eyes: shape, centre, half extents in metres, and true for the visor. */
const HEAD_PARTS = [
  ['neck', [0, -0.105, 0.128], [0.043, 0.09, 0.046], false],
  ['ball', [0, -0.037, 0.008], [0.0125, 0.021, 0.019], false],
  ['ball', [0.075, -0.012, 0.112], [0.011, 0.03, 0.019], false],
  ['ball', [-0.075, -0.012, 0.112], [0.011, 0.03, 0.019], false],
  ['ball', [0, 0.006, 0.055], [0.083, 0.031, 0.06], true],
  ['band', [0, 0.022, 0.103], [0.079, 0.2, 0.101], true],
];

const SHAPES = {
  ball: () => ball(32, 20),
  skull,
  neck: () => frustum(0.9, 24),
  band: () => torus(0.07, 10, 36),
  ray: () => ray(RAY_LENGTH, RAY_RADIUS),
};

/** Returns the matrix rows that stretch a bone of length 1 along Y between two points, or null if the points coincide. */
function boneMatrixRows(from, to, radius) {
  const offset = subtract(to, from);
  const length = Math.hypot(...offset);
  if (!(length > 1e-9)) return null;
  const y = scaleVector(offset, 1 / length);
  const x = normalize(cross(Math.abs(y[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0], y));
  const z = cross(x, y);
  const middle = scaleVector([from[0] + to[0], from[1] + to[1], from[2] + to[2]], 0.5);
  return [0, 1, 2].map((axis) => [x[axis] * radius, y[axis] * length, z[axis] * radius, middle[axis]]).flat();
}

/** Returns the components of a colour 0xRRGGBB, from 0 to 1. */
function toParts(color) {
  return [16, 8, 0].map((shift) => ((color >> shift) & 255) / 255);
}

function ballMatrixRows([x, y, z], radius) {
  return [radius, 0, 0, x, 0, radius, 0, y, 0, 0, radius, z];
}

/** The resources to draw one recording. */
class Figure {
  constructor(stage, head, origin) {
    this.stage = stage;
    this.head = head;
    this.origin = origin;
    this.surfaces = [];
    this.skins = [];
    const tinted = (color) => linearColor(head.tint ?? color);
    this.colors = {
      joint: (side) => linearColor(head.tint ? lightenTint(head.tint) : mixColors(COLORS[side ?? 'neutral'], 0xffffff, 0.35)),
      bone: (side) => tinted(COLORS[side ?? 'neutral']),
      body: (side) => linearColor(head.tint ?? mixColors(COLORS.neutral, COLORS[side ?? 'neutral'], 0.5)),
      locator: tinted(COLORS.locator),
      gaze: tinted(COLORS.gaze),
      head: tinted(COLORS.head),
      visor: linearColor(COLORS.visor),
      pinch: linearColor(COLORS.pinch),
    };
    this.palms = (head.palms ?? []).map((palm) => {
      const triangles = palmTriangles(palm.fingers.length);
      const vertices = new Float32Array(6 * (Math.max(...triangles) + 1));
      const drawable = createDrawable(stage.gl, { vertices, triangles: new Uint16Array(triangles) }, stage.gl.DYNAMIC_DRAW);
      return { ...palm, drawable, triangles, side: head.nodes[palm.fingers[1]?.knuckle ?? palm.wrist].side };
    });
  }

  /** True if the recording has meshes of its own, which replace the bones. The surfaces of a mannequin are no model. */
  get hasModel() {
    return this.surfaces.length > 0 && !this.head.body;
  }

  /** Uploads the meshes and their textures. */
  async loadMeshes(bytes) {
    const { gl } = this.stage;
    const { meshes } = this.head;
    const textures = await Promise.all(
      meshes.textures.map((one) =>
        loadTexture(gl, bytes.subarray(one.at, one.at + one.bytes), one).catch((error) => {
          console.warn(`Cannot show a texture: ${error.message}`);
          return this.stage.white;
        }),
      ),
    );
    this.skins = meshes.skins.map(({ joints, inverse }) => {
      const rows = Math.ceil(joints.length / 64);
      return { joints, inverse, data: new Float32Array(64 * 16 * rows), rows, texture: gl.createTexture() };
    });
    this.surfaces = meshes.surfaces.map((surface) => this.uploadSurface(surface, bytes, textures));
  }

  uploadSurface(surface, bytes, textures) {
    const { gl } = this.stage;
    const vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    const { vertices: count } = surface;
    let at = surface.at;
    const attribute = (location, size, type, normalised, stride, length, whole = false) => {
      uploadBuffer(gl, gl.ARRAY_BUFFER, bytes.subarray(at, at + length));
      gl.enableVertexAttribArray(location);
      if (whole) gl.vertexAttribIPointer(location, size, type, stride, 0);
      else gl.vertexAttribPointer(location, size, type, normalised, stride, 0);
      at += length;
    };
    if (surface.box) {
      attribute(0, 3, gl.UNSIGNED_SHORT, false, 6, 6 * count);
      at = Math.ceil(at / 4) * 4;
    } else attribute(0, 3, gl.FLOAT, false, 12, 12 * count);
    attribute(1, 3, gl.BYTE, true, 4, 4 * count);
    if (surface.texture !== undefined) attribute(2, 2, gl.FLOAT, false, 8, 8 * count);
    if (surface.skin !== undefined) {
      attribute(3, 4, gl.UNSIGNED_SHORT, false, 8, 8 * count, true);
      attribute(4, 4, gl.UNSIGNED_BYTE, true, 4, 4 * count);
    }
    at = Math.ceil(at / 4) * 4;
    const isSmall = count <= 65536;
    uploadBuffer(gl, gl.ELEMENT_ARRAY_BUFFER, bytes.subarray(at, at + (isSmall ? 2 : 4) * surface.indices));
    gl.bindVertexArray(null);
    const [corner, step] = surface.box ?? [[0, 0, 0], [1, 1, 1]];
    return {
      ...surface,
      vao,
      corner,
      step,
      type: isSmall ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT,
      image: surface.texture === undefined ? this.stage.white : textures[surface.texture],
    };
  }

  /** Subtracts the origin from a position, because f32 is too coarse far from 0. */
  toLocal(position) {
    return subtract(position, this.origin);
  }

  /** Returns the matrix of a node for its meshes. A size replaces the scale that children inherit. */
  nodeMatrix(pose, index) {
    const { world, size } = pose.nodes[index];
    const linear = size ? rotationScaleMatrix(world.rotation, size) : world.linear;
    return affineMatrix(linear, this.toLocal(world.translation));
  }

  /** Returns true if a node is `above` or one of its descendants. */
  isDescendant(index, above) {
    for (let node = index; node !== undefined; node = this.head.nodes[node].parent) if (node === above) return true;
    return false;
  }

  /** Returns points around everything that is drawn in a pose, in world space. With `above`, only for this node and its descendants. */
  framingPoints(pose, above) {
    const points = [];
    this.head.nodes.forEach((node, index) => {
      if (above !== undefined && !this.isDescendant(index, above)) return;
      const state = pose.nodes[index];
      if (!state.shown || !state.world.translation.every(Number.isFinite)) return;
      if (node.radii || node.kind === 'ray') points.push(state.world.translation);
      if (node.kind === 'head') {
        const { linear, translation } = state.world;
        for (const offset of [[0, 0.124, 0.108], [0, -0.1, 0.108], [0.08, 0, 0.108], [-0.08, 0, 0.108], [0, 0, 0.2]]) {
          points.push(add(translation, multiplyVector(linear, offset)));
        }
      }
    });
    this.forEachVisibleSurface(pose, (surface, index) => {
      if (!surface.box || (above !== undefined && !this.isDescendant(index, above))) return;
      const { linear, translation } = pose.nodes[index].world;
      const { corner: least, step } = surface;
      for (let corner = 0; corner < 8; corner++) {
        const most = (axis) => (corner & (1 << axis) ? 65535 * step[axis] : 0);
        points.push(add(translation, multiplyVector(linear, [least[0] + most(0), least[1] + most(1), least[2] + most(2)])));
      }
    });
    return points;
  }

  /** Calls `use` with each surface on a visible node, and the index of the node. */
  forEachVisibleSurface(pose, use) {
    if (!this.hasModel) return;
    for (const surface of this.surfaces) {
      if (surface.node !== undefined && pose.nodes[surface.node].shown) use(surface, surface.node);
    }
    this.head.nodes.forEach((node, index) => {
      if (node.mesh === undefined || !pose.nodes[index].shown) return;
      for (const surface of this.head.meshes.parts[node.mesh]) use(this.surfaces[surface], index);
    });
  }
}

function lightenTint(tint) {
  return tint.map((part) => Math.round(part + (255 - part) * 0.35));
}

/** Draws recordings on a canvas. Throws if the browser has no WebGL 2. */
export class Stage {
  constructor(canvas) {
    // Do not request the high-performance GPU. The one in use is fast enough, and waking another one takes time.
    const gl = canvas.getContext('webgl2', { antialias: true, alpha: false });
    if (!gl) throw new Error('This browser has no WebGL 2.');
    this.gl = gl;
    this.canvas = canvas;
    this.figures = [];
    this.floor = 0;
    /** The light on the floor. If it has no middle, it is around the target of the camera. */
    this.light = { middle: null, radius: 1 };
    this.gridSquare = 0.1;
    this.showModel = true;
    this.showGrid = true;
    this.showBones = true;
    this.createResources();
  }

  /** Creates the shared buffers, textures and programs of the context. */
  createResources() {
    const { gl } = this;
    this.pendingPrograms = [INSTANCED, MESH, GRID, FLOOR].map((one) => beginProgram(gl, one));
    this.white = createWhiteTexture(gl);
    // Surfaces without a skin do not enable attribute 3. Its constant value must still be an integer, because the shader reads a uvec4.
    gl.vertexAttribI4ui(3, 0, 0, 0, 0);
    this.balls = createInstances(gl, ball(20, 12));
    this.bones = createInstances(gl, frustum(0.72, 14));
    this.octahedra = createInstances(gl, octahedron());
    this.shapes = {};
    this.quad = gl.createVertexArray();
    gl.bindVertexArray(this.quad);
    uploadBuffer(gl, gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
    gl.bindVertexArray(null);
  }

  /** Waits for the programs to be linked. Throws if one cannot be used. */
  finishPrograms() {
    if (!this.pendingPrograms) return;
    [this.instanced, this.mesh, this.grid, this.ground] = this.pendingPrograms.map((one) => finishProgram(this.gl, one));
    this.pendingPrograms = null;
  }

  /** Creates the resources of a recording. It is drawn once it is added to `figures`. */
  async createFigure(head, pack, origin) {
    const figure = new Figure(this, head, origin);
    if (head.meshBlock !== undefined) await figure.loadMeshes(await pack.bytes(head.meshBlock));
    return figure;
  }

  /** Draws one pose of each recording from the camera. */
  draw(poses, orbit, options = {}) {
    this.finishPrograms();
    const { gl, canvas } = this;
    const aspect = canvas.width / Math.max(1, canvas.height);
    const [view, fov, eye] = options.eyes
      ? [nodeViewMatrix(options.eyes.translation, options.eyes.linear), options.eyes.fov, options.eyes.translation]
      : [orbitViewMatrix(orbit), FOV, eyePosition(orbit)];
    this.view = view;
    this.worldToClip = worldToClipMatrix(view, aspect, options.eyes ? 2 : orbit.distance, fov);
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...toParts(COLORS.background), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (this.showGrid) {
      const around = options.eyes ? eye : orbit.target;
      this.drawGrid(around);
      this.drawFloor(poses, around);
    }
    this.updateInstances(poses, options);
    this.drawAll(poses, options);
    gl.bindVertexArray(null);
  }

  drawGrid(around) {
    const { gl } = this;
    const { program, uniforms } = this.grid;
    const color = (name, value) => gl.uniform3fv(uniforms[name], toParts(value));
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.world_to_clip, false, this.worldToClip);
    gl.uniform4f(uniforms.floor_at, around[0], this.floor, around[2], 0);
    gl.uniform1f(uniforms.reach, 90 * this.gridSquare);
    gl.uniform1f(uniforms.square, this.gridSquare);
    gl.uniform2f(uniforms.origin, 0, 0);
    color('minor', COLORS.minor);
    color('major', COLORS.major);
    color('x_axis', COLORS.xAxis);
    color('z_axis', COLORS.zAxis);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.bindVertexArray(this.quad);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** Draws the light on the floor and the shadows in it. */
  drawFloor(poses, around) {
    const { gl } = this;
    const { program, uniforms } = this.ground;
    const [starts, axes] = [new Float32Array(4 * MAX_CASTERS), new Float32Array(4 * MAX_CASTERS)];
    const casters = findCasters(this.figures, poses, this);
    casters.forEach(({ from, to, radius }, index) => {
      const axis = subtract(to, from);
      const inverse = 1 / dot(axis, axis);
      starts.set([...from, radius], 4 * index);
      axes.set([...axis, Number.isFinite(inverse) ? inverse : 0], 4 * index);
    });
    const [x, z] = this.light.middle ?? [around[0], around[2]];
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.world_to_clip, false, this.worldToClip);
    // The light is above the grid by a hair.
    gl.uniform4f(uniforms.light, x, this.floor + 0.0005 * this.light.radius, z, this.light.radius);
    gl.uniform3fv(uniforms.color, toParts(COLORS.ground));
    gl.uniform1i(uniforms.count, casters.length);
    gl.uniform1f(uniforms.spread, SHADOW_SPREAD);
    gl.uniform4fv(uniforms['starts[0]'], starts);
    gl.uniform4fv(uniforms['axes[0]'], axes);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.bindVertexArray(this.quad);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  showsBonesOf(figure) {
    return this.showBones && !(figure.hasModel && this.showModel);
  }

  updateInstances(poses, options) {
    const lists = [this.balls, this.bones, this.octahedra];
    for (const list of lists) list.used = 0;
    const push = (list, rows, color, lit) => {
      if ((list.used + 1) * INSTANCE_FLOATS > list.data.length) {
        const larger = new Float32Array(Math.max(64 * INSTANCE_FLOATS, 2 * list.data.length));
        larger.set(list.data);
        list.data = larger;
      }
      list.data.set(rows, list.used * INSTANCE_FLOATS);
      list.data.set([...color, lit], list.used * INSTANCE_FLOATS + 12);
      list.used++;
    };
    this.figures.forEach((figure, which) => {
      const pose = poses[which];
      if (!pose) return;
      const { colors, head } = figure;
      const showsBones = this.showsBonesOf(figure);
      head.nodes.forEach((node, index) => {
        const state = pose.nodes[index];
        if (!state.shown) return;
        const position = figure.toLocal(state.world.translation);
        if (node.kind === 'ray') push(this.balls, ballMatrixRows(position, DOT_RADIUS), colors.gaze, 0);
        if (!node.radii || !showsBones || (node.covered && this.showModel)) return;
        if (head.loose) this.pushAxes(figure, state, push);
        const isLocator = node.kind === 'locator';
        const isPinching = node.pinch !== undefined && options.pinches?.[which]?.[node.pinch] === true;
        const list = isLocator ? this.octahedra : this.balls;
        const color = isPinching ? colors.pinch : isLocator ? colors.locator : colors.joint(node.side);
        push(list, ballMatrixRows(position, node.radii[0]), color, isPinching ? 0 : 1);
        if (node.from === undefined || !pose.nodes[node.from].shown) return;
        const rows = boneMatrixRows(figure.toLocal(pose.nodes[node.from].world.translation), position, node.radii[1]);
        if (rows) push(this.bones, rows, isLocator ? colors.locator : colors.bone(node.side), 1);
      });
      if (showsBones) this.linkPinches(figure, pose, options.pinches?.[which], push);
      if (showsBones) this.pushSticks(figure, pose, push);
    });
    const { gl } = this;
    for (const list of lists) {
      gl.bindBuffer(gl.ARRAY_BUFFER, list.instances);
      gl.bufferData(gl.ARRAY_BUFFER, list.data.subarray(0, list.used * INSTANCE_FLOATS), gl.DYNAMIC_DRAW);
    }
  }

  /** Adds the sticks between markers. */
  pushSticks(figure, pose, push) {
    for (const [from, to, radius] of figure.head.sticks ?? []) {
      const ends = [from, to].map((index) => pose.nodes[index]);
      if (!ends.every(({ shown }) => shown) || (figure.head.nodes[to].covered && this.showModel)) continue;
      const rows = boneMatrixRows(...ends.map(({ world }) => figure.toLocal(world.translation)), radius);
      if (rows) push(this.bones, rows, figure.colors.bone(figure.head.nodes[to].side), 1);
    }
  }

  /** Adds axes that show the rotation of a node without bones. */
  pushAxes(figure, { world }, push) {
    const size = figure.head.size ?? 1;
    const axes = rotationScaleMatrix(world.rotation, [1, 1, 1]);
    const position = figure.toLocal(world.translation);
    AXES.forEach((color, axis) => {
      const tip = position.map((part, row) => part + axes[3 * row + axis] * AXIS_LENGTH * size);
      const rows = boneMatrixRows(position, tip, AXIS_RADIUS * size);
      if (rows) push(this.bones, rows, linearColor(color), 0);
    });
  }

  /** Adds a link between the fingertips of each pinch. */
  linkPinches(figure, pose, pinches, push) {
    if (!pinches) return;
    const tips = new Map();
    figure.head.nodes.forEach((node, index) => {
      if (node.pinch !== undefined) tips.set(node.pinch, [...(tips.get(node.pinch) ?? []), index]);
    });
    for (const [signal, [a, b]] of tips) {
      if (!pinches[signal] || b === undefined || !pose.nodes[a].shown || !pose.nodes[b].shown) continue;
      const [from, to] = [a, b].map((index) => figure.toLocal(pose.nodes[index].world.translation));
      const rows = boneMatrixRows(from, to, 0.003 * (figure.head.size ?? 1));
      if (rows) push(this.bones, rows, figure.colors.pinch, 0);
    }
  }

  drawAll(poses, options) {
    const { gl } = this;
    const common = ({ program, uniforms }) => {
      gl.useProgram(program);
      gl.uniformMatrix4fv(uniforms.world_to_clip, false, this.worldToClip);
      gl.uniformMatrix4fv(uniforms.world_to_eye, false, this.view);
    };
    common(this.instanced);
    for (const list of [this.balls, this.bones, this.octahedra]) {
      if (list.used === 0) continue;
      gl.bindVertexArray(list.vao);
      gl.drawElementsInstanced(gl.TRIANGLES, list.count, gl.UNSIGNED_SHORT, 0, list.used);
    }
    common(this.mesh);
    const { uniforms } = this.mesh;
    gl.uniform1i(uniforms.image, 0);
    gl.uniform1i(uniforms.joint_matrices, 1);
    const deferred = [];
    this.figures.forEach((figure, which) => {
      const pose = poses[which];
      if (!pose) return;
      if (this.showsBonesOf(figure)) this.drawPalms(figure, pose);
      this.drawHeads(figure, pose, options);
      figure.head.nodes.forEach((node, index) => {
        if (node.kind === 'ray' && pose.nodes[index].shown) deferred.push(() => this.drawRay(figure, pose, index));
      });
      if (figure.hasModel && this.showModel) this.drawModel(figure, pose, options, which, deferred);
      if (figure.head.body && this.showModel) this.drawBody(figure, pose);
    });
    if (deferred.length === 0) return;
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    deferred.forEach((draw) => draw());
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** Returns a shape of heads and rays, which is created when it is first drawn. */
  shapeDrawable(name) {
    return (this.shapes[name] ??= createDrawable(this.gl, SHAPES[name]()));
  }

  /** Draws a shape in a single colour with the mesh program. */
  drawShape(drawable, matrix, color, { gloss = 0.06, lit = 1, fades = 0 } = {}) {
    const { gl } = this;
    const { uniforms } = this.mesh;
    gl.uniformMatrix4fv(uniforms.model, false, matrix);
    gl.uniform3f(uniforms.box_corner, 0, 0, 0);
    gl.uniform3f(uniforms.box_step, 1, 1, 1);
    gl.uniform1i(uniforms.skinned, 0);
    gl.uniform4f(uniforms.color, ...color, 1);
    gl.uniform1f(uniforms.cutoff, 0);
    gl.uniform1f(uniforms.gloss, gloss);
    gl.uniform1f(uniforms.lit, lit);
    gl.uniform1f(uniforms.fades_at, fades);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.white);
    gl.bindVertexArray(drawable.vao);
    gl.drawElements(gl.TRIANGLES, drawable.count, gl.UNSIGNED_SHORT, 0);
  }

  drawPalms(figure, pose) {
    const { gl } = this;
    for (const palm of figure.palms) {
      const indices = [palm.wrist, ...palm.fingers.flatMap(({ base, knuckle }) => (base === undefined ? [knuckle] : [base, knuckle]))];
      if (indices.some((index) => !pose.nodes[index].shown)) continue;
      if (this.showModel && figure.head.nodes[palm.wrist].covered) continue;
      const position = (index) => figure.toLocal(pose.nodes[index].world.translation);
      const fingers = palm.fingers.map(({ base, knuckle, thumb }) => ({
        base: base === undefined ? null : position(base),
        knuckle: position(knuckle),
        thumb,
      }));
      const vertices = palmVertices(position(palm.wrist), fingers, palm.radius, palm.triangles);
      gl.bindBuffer(gl.ARRAY_BUFFER, palm.drawable.buffer);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, vertices);
      this.drawShape(palm.drawable, affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]), figure.colors.bone(palm.side));
    }
  }

  drawHeads(figure, pose, options) {
    if (figure.hasModel && this.showModel) return;
    figure.head.nodes.forEach((node, index) => {
      if (node.kind !== 'head' || !pose.nodes[index].shown || options.inside === index) return;
      const matrix = figure.nodeMatrix(pose, index);
      this.drawShape(this.shapeDrawable('skull'), matrix, figure.colors.head);
      for (const [shape, at, half, isVisor] of HEAD_PARTS) {
        const part = multiplyMatrices4(matrix, affineMatrix([half[0], 0, 0, 0, half[1], 0, 0, 0, half[2]], at));
        this.drawShape(this.shapeDrawable(shape), part, isVisor ? figure.colors.visor : figure.colors.head, { gloss: isVisor ? 0.5 : 0.06 });
      }
    });
  }

  drawRay(figure, pose, index) {
    const options = { lit: 0, gloss: 0, fades: RAY_LENGTH };
    this.drawShape(this.shapeDrawable('ray'), figure.nodeMatrix(pose, index), figure.colors.gaze, options);
  }

  drawModel(figure, pose, options, which, deferred) {
    const { gl } = this;
    for (const skin of figure.skins) {
      skin.joints.forEach((joint, index) => {
        skin.data.set(multiplyMatrices4(figure.nodeMatrix(pose, joint), skin.inverse[index]), 16 * index);
      });
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, skin.texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 256, skin.rows, 0, gl.RGBA, gl.FLOAT, skin.data);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    }
    const draw = (surface, matrix) => {
      const isBlended = surface.blended || surface.color[3] < 1;
      const now = () => this.drawSurface(figure, surface, matrix);
      if (isBlended) deferred.push(now);
      else now();
    };
    for (const surface of figure.surfaces) {
      if (surface.skin === undefined) continue;
      const { joints } = figure.skins[surface.skin];
      if (joints.some((joint) => pose.nodes[joint].shown)) draw(surface, null);
    }
    figure.forEachVisibleSurface(pose, (surface, index) => draw(surface, figure.nodeMatrix(pose, index)));
  }

  /** Draws the parts of mannequins. */
  drawBody(figure, pose) {
    for (const part of figure.head.body) {
      if (!pose.nodes[part.node].shown) continue;
      const matrix = bodyPartMatrix(part, pose.nodes, (position) => figure.toLocal(position));
      const surface = figure.surfaces[part.surface];
      if (matrix && surface) this.drawSurface(figure, { ...surface, color: [...figure.colors.body(part.side), 1] }, matrix);
    }
  }

  drawSurface(figure, surface, matrix) {
    const { gl } = this;
    const { uniforms } = this.mesh;
    gl.uniform1i(uniforms.skinned, matrix ? 0 : 1);
    gl.uniformMatrix4fv(uniforms.model, false, matrix ?? affineMatrix([1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0]));
    if (!matrix) {
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, figure.skins[surface.skin].texture);
    }
    gl.uniform3fv(uniforms.box_corner, surface.corner);
    gl.uniform3fv(uniforms.box_step, surface.step);
    const tint = figure.head.tint ? linearColor(figure.head.tint) : null;
    const color = tint ? surface.color.map((part, axis) => (axis < 3 ? tint[axis] * 0.7 + part * 0.3 : part)) : surface.color;
    gl.uniform4fv(uniforms.color, color);
    gl.uniform1f(uniforms.cutoff, surface.cutoff ?? 0);
    gl.uniform1f(uniforms.gloss, 0.03);
    gl.uniform1f(uniforms.lit, 1);
    gl.uniform1f(uniforms.fades_at, 0);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, surface.image);
    gl.bindVertexArray(surface.vao);
    gl.drawElements(gl.TRIANGLES, surface.indices, surface.type, 0);
  }
}
