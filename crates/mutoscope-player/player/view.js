// The view: the stage, the camera, and its control by fingers and the mouse.

import { HOME_VIEW, interpolateOrbit, frameOrbit, orbitBy, panBy, projectPoint, zoomBy } from './camera.js';
import { toClipTime } from './clock.js';
import { element, prefersReducedMotion } from './dom.js';
import { drawLabels } from './labels.js';
import { add, subtract } from './math.js';
import { evaluateSignal } from './motion.js';
import { Stage } from './stage.js';
import { analyseSurroundings } from './surroundings.js';

/** The duration of a camera movement, in milliseconds. */
const EASE_MS = 150;

/** Shows recordings. It calls `actions.wake()` to request a frame, `actions.select(node)` with a node or null, and `actions.lost()` if the graphics context is lost. */
export class View {
  #actions;
  #recordings = [];
  #orbit = { target: [0, 0.8, 0], yaw: HOME_VIEW.yaw, pitch: HOME_VIEW.pitch, distance: 2.5 };
  #movement = null;
  #framedPoints = [];
  #drawnRadius = 1;
  #jointRadius = 1;
  #follows = false;
  #lastPosition = null;
  #usesHead = false;

  constructor(actions) {
    this.#actions = actions;
    this.stage = null;
    this.home = HOME_VIEW;
    this.showNames = false;
    /** The indices of the selected recording and node, or null. */
    this.selected = null;
    this.scene = element('canvas', { class: 'scene', part: 'scene', role: 'img', 'aria-label': 'Motion' });
    this.labels = element('canvas', { class: 'labels', 'aria-hidden': 'true' });
    this.element = element('div', { class: 'view' }, this.scene, this.labels);
    this.#listen();
    this.scene.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      actions.lost();
    });
  }

  /** Creates a new stage. Throws if the browser has no WebGL 2. */
  createStage() {
    this.stage = new Stage(this.scene);
  }

  /** Shows recordings from `camera`. Without a camera, everything is framed. */
  setRecordings(recordings, time, camera) {
    this.#recordings = recordings;
    const { points, now, joint, radius, floor, square, light, far, home } = analyseSurroundings(recordings, time);
    Object.assign(this.stage, { floor, light, gridSquare: square });
    this.#follows = far;
    this.showNames = recordings.every((one) => one.head.loose);
    [this.#jointRadius, this.#drawnRadius] = [joint, radius];
    this.#framedPoints = far ? now : points;
    this.#orbit = frameOrbit(this.#framedPoints, radius, { ...home, target: [0, 0, 0], distance: 2 }, this.#aspect());
    this.home = home;
    this.#lastPosition = null;
    if (camera) {
      this.#orbit = {
        target: subtract(camera.target, recordings[0].head.origin),
        yaw: (camera.yaw * Math.PI) / 180,
        pitch: (camera.pitch * Math.PI) / 180,
        distance: camera.distance,
      };
    }
  }

  // ── The camera ────────────────────────────────────────────────────────────────────────────────

  /** Moves the camera smoothly, or at once if the reader prefers reduced motion. */
  #moveCamera(orbit) {
    this.#usesHead = false;
    const isInstant = prefersReducedMotion();
    this.#movement = isInstant ? null : { from: this.#orbit, to: orbit, start: performance.now() };
    if (isInstant) this.#orbit = orbit;
    this.#actions.wake();
  }

  frameAll(direction = this.#orbit) {
    let points = this.#framedPoints;
    if (this.#follows) {
      points = this.#recordings.flatMap((one) => (one.pose ? one.figure.framingPoints(one.pose, one.head.root).map((p) => one.figure.toLocal(p)) : []));
    }
    const { yaw, pitch } = direction;
    this.#moveCamera(frameOrbit(points, this.#drawnRadius, { ...this.#orbit, yaw, pitch }, this.#aspect()));
  }

  frameSelected() {
    const position = this.#positionOf(this.selected);
    if (position) this.#moveCamera({ ...this.#orbit, target: position, distance: Math.max(0.05, 30 * this.#jointRadius) });
    else this.frameAll();
  }

  /** Toggles whether the camera follows. Returns true if it does. */
  toggleFollow() {
    this.#follows = !this.#follows;
    this.#lastPosition = null;
    return this.#follows;
  }

  /** Toggles the view from the recorded head. Returns true if it is used. */
  toggleHead() {
    this.#usesHead = !this.#usesHead && this.#headCamera() !== null;
    return this.#usesHead;
  }

  /** Advances a smooth camera movement. Returns true if the camera moved. */
  advanceMovement() {
    if (!this.#movement) return false;
    const part = Math.min(1, (performance.now() - this.#movement.start) / EASE_MS);
    this.#orbit = interpolateOrbit(this.#movement.from, this.#movement.to, part * part * (3 - 2 * part));
    if (part === 1) this.#movement = null;
    return true;
  }

  #positionOf(selected) {
    if (!selected) return null;
    const one = this.#recordings[selected.recording];
    if (!one?.pose) return null;
    return one.figure.toLocal(one.pose.nodes[selected.node].world.translation);
  }

  /** Returns the position that the camera follows: of the selected node, otherwise of the root. */
  #followedPosition() {
    const selected = this.#positionOf(this.selected);
    if (selected && this.#follows) return selected;
    for (const one of this.#recordings) {
      const root = one.pose?.nodes[one.head.root];
      if (root?.shown) return one.figure.toLocal(root.world.translation);
    }
    return null;
  }

  #followMotion() {
    const position = this.#followedPosition();
    if (!position) return;
    if (this.#lastPosition) {
      const offset = subtract(position, this.#lastPosition);
      this.#orbit = { ...this.#orbit, target: add(this.#orbit.target, offset) };
    }
    this.#lastPosition = position;
  }

  /** Returns the camera of the first head or view, or null. */
  #headCamera() {
    for (const one of this.#recordings) {
      if (!one.pose) continue;
      const index = one.head.nodes.findIndex((node) => node.kind === 'view' || node.kind === 'head');
      if (index < 0 || !one.pose.nodes[index].shown) continue;
      const { world } = one.pose.nodes[index];
      const fov = ((one.head.nodes[index].angle ?? 70) * Math.PI) / 180;
      return { inside: index, eyes: { translation: one.figure.toLocal(world.translation), linear: world.linear, fov } };
    }
    return null;
  }

  // ── Drawing ───────────────────────────────────────────────────────────────────────────────────

  #size() {
    const { clientWidth, clientHeight } = this.element;
    return { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
  }

  #aspect() {
    const { width, height } = this.#size();
    return width / height;
  }

  /** Draws the poses of all recordings. `name` is the name of the selected node. */
  draw(time, name) {
    const { width, height } = this.#size();
    const scale = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.scene, this.labels]) {
      if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
      if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    }
    if (this.#follows) this.#followMotion();
    const pinches = this.#recordings.map(({ head }) =>
      (head.signals ?? []).map((signal) => signal.kind === 'pinch' && evaluateSignal(signal, toClipTime(head, time)) === true),
    );
    const eyes = this.#usesHead ? this.#headCamera() : null;
    this.stage.draw(
      this.#recordings.map((one) => one.pose),
      this.#orbit,
      { pinches, eyes: eyes?.eyes, inside: eyes?.inside },
    );
    const shown = { recordings: this.#recordings, selected: this.#positionOf(this.selected), name, showNames: this.showNames };
    drawLabels(this.labels, { scale, width, height }, this.stage.worldToClip, shown);
  }

  // ── Fingers and the mouse ─────────────────────────────────────────────────────────────────────

  #listen() {
    const { scene } = this;
    const fingers = new Map();
    let moved = 0;
    const middle = () => {
      const all = [...fingers.values()];
      const sum = all.reduce((a, b) => [a[0] + b[0], a[1] + b[1]], [0, 0]);
      const at = [sum[0] / all.length, sum[1] / all.length];
      const distance = all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0;
      return { at, distance };
    };
    scene.addEventListener('pointerdown', (event) => {
      scene.setPointerCapture(event.pointerId);
      if (fingers.size === 0) moved = 0;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    scene.addEventListener('pointermove', (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = middle();
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      const after = middle();
      const { height } = this.#size();
      const [x, y] = [(after.at[0] - before.at[0]) / height, (after.at[1] - before.at[1]) / height];
      moved += Math.abs(x * height) + Math.abs(y * height);
      this.#movement = null;
      const isPan = fingers.size > 1 || event.buttons === 4 || event.shiftKey;
      this.#orbit = isPan ? panBy(this.#orbit, x, y) : orbitBy(this.#orbit, x, y);
      if (before.distance > 0 && after.distance > 0) this.#orbit = zoomBy(this.#orbit, before.distance / after.distance);
      this.#usesHead = false;
      this.#actions.wake();
    });
    for (const name of ['pointerup', 'pointercancel']) {
      scene.addEventListener(name, (event) => {
        const wasAlone = fingers.size === 1;
        fingers.delete(event.pointerId);
        if (name === 'pointerup' && wasAlone && moved < 5) this.#actions.select(this.#nodeAt(event));
      });
    }
    scene.addEventListener('wheel', (event) => {
      // Let the page scroll until the player has the focus.
      if (!event.ctrlKey && !scene.getRootNode().host.matches(':focus-within')) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 20 : 1;
      this.#orbit = zoomBy(this.#orbit, Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.0015))));
      this.#actions.wake();
    }, { passive: false });
    scene.addEventListener('dblclick', () => this.frameSelected());
  }

  /** Returns the node nearest to the pointer, or null if none is close. */
  #nodeAt(event) {
    const { left, top, width, height } = this.scene.getBoundingClientRect();
    const reach = event.pointerType === 'touch' ? 28 : 14;
    let best = null;
    this.#recordings.forEach((one, recording) => {
      one.head.nodes.forEach((node, index) => {
        if (!one.pose?.nodes[index].shown || node.kind === 'view' || (node.kind === 'part' && node.mesh === undefined)) return;
        const seen = projectPoint(this.stage.worldToClip, one.figure.toLocal(one.pose.nodes[index].world.translation));
        if (!seen) return;
        const distance = Math.hypot(seen[0] * width - (event.clientX - left), seen[1] * height - (event.clientY - top));
        if (distance < reach && (!best || distance < best.distance)) best = { distance, recording, node: index };
      });
    });
    return best ? { recording: best.recording, node: best.node } : null;
  }

  get isMoving() {
    return this.#movement !== null;
  }
}
