// The view: recordings on their stage, the camera, and what fingers and the mouse do to it.

import { HOME, between, framing, orbited, panned, projected, zoomed } from './camera.js';
import { ownTime } from './clock.js';
import { element, isCalm } from './dom.js';
import { drawLabels } from './labels.js';
import { add, minus } from './math.js';
import { signalAt } from './motion.js';
import { Stage } from './stage.js';
import { surroundingsOf } from './surroundings.js';

/** How long a camera takes to get somewhere, in milliseconds. */
const EASE = 150;

/** The view. `act.wake()` has it drawn soon, `act.select(node)` selects a node or nothing, `act.lost()` says that it cannot draw any more. */
export class View {
  #act;
  #recordings = [];
  #orbit = { target: [0, 0.8, 0], yaw: HOME.yaw, pitch: HOME.pitch, distance: 2.5 };
  #ease = null;
  #around = [];
  #radius = 1;
  #joint = 1;
  #follows = false;
  #followed = null;
  #head = false;

  constructor(act) {
    this.#act = act;
    this.stage = null;
    this.home = HOME;
    this.showNames = false;
    /** The selected node: the indices of its recording and of itself. */
    this.selected = null;
    this.scene = element('canvas', { class: 'scene', part: 'scene', role: 'img', 'aria-label': 'Motion' });
    this.labels = element('canvas', { class: 'labels', 'aria-hidden': 'true' });
    this.element = element('div', { class: 'view' }, this.scene, this.labels);
    this.#listen();
    this.scene.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      act.lost();
    });
  }

  /** Makes the stage anew; throws where there is no WebGL 2. */
  open() {
    this.stage = new Stage(this.scene);
  }

  /** Shows recordings from a camera, or from where all of them are seen. */
  begin(recordings, time, camera) {
    this.#recordings = recordings;
    const { points, now, joint, radius, floor, square, far, home } = surroundingsOf(recordings, time);
    [this.stage.floor, this.stage.square] = [floor, square];
    this.#follows = far;
    this.showNames = recordings.every((one) => one.head.loose);
    [this.#joint, this.#radius] = [joint, radius];
    this.#around = far ? now : points;
    this.#orbit = framing(this.#around, radius, { ...home, target: [0, 0, 0], distance: 2 }, this.#aspect());
    this.home = home;
    this.#followed = null;
    if (camera) {
      this.#orbit = {
        target: minus(camera.target, recordings[0].head.origin),
        yaw: (camera.yaw * Math.PI) / 180,
        pitch: (camera.pitch * Math.PI) / 180,
        distance: camera.distance,
      };
    }
  }

  // ── The camera ────────────────────────────────────────────────────────────────────────────────

  /** Goes to an orbit smoothly, or at once where motion is unwelcome. */
  #goTo(orbit) {
    this.#head = false;
    const calm = isCalm();
    this.#ease = calm ? null : { from: this.#orbit, to: orbit, start: performance.now() };
    if (calm) this.#orbit = orbit;
    this.#act.wake();
  }

  frameAll(direction = this.#orbit) {
    let points = this.#around;
    if (this.#follows) {
      points = this.#recordings.flatMap((one) => (one.pose ? one.figure.points(one.pose, one.head.root).map((p) => one.figure.local(p)) : []));
    }
    const { yaw, pitch } = direction;
    this.#goTo(framing(points, this.#radius, { ...this.#orbit, yaw, pitch }, this.#aspect()));
  }

  frameSelected() {
    const place = this.#placeOf(this.selected);
    if (place) this.#goTo({ ...this.#orbit, target: place, distance: Math.max(0.05, 30 * this.#joint) });
    else this.frameAll();
  }

  /** Begins or ends to go along with what moves; returns whether it does. */
  toggleFollow() {
    this.#follows = !this.#follows;
    this.#followed = null;
    return this.#follows;
  }

  /** Begins or ends to look with the recorded eyes; returns whether it does. */
  toggleHead() {
    this.#head = !this.#head && this.#eyes() !== null;
    return this.#head;
  }

  /** Goes on with what is eased; returns whether the camera moved. */
  advance() {
    if (!this.#ease) return false;
    const part = Math.min(1, (performance.now() - this.#ease.start) / EASE);
    this.#orbit = between(this.#ease.from, this.#ease.to, part * part * (3 - 2 * part));
    if (part === 1) this.#ease = null;
    return true;
  }

  #placeOf(selected) {
    if (!selected) return null;
    const one = this.#recordings[selected.recording];
    if (!one?.pose) return null;
    return one.figure.local(one.pose.nodes[selected.node].world.translation);
  }

  /** What the camera goes along with: the selected node, else the root. */
  #middle() {
    const selected = this.#placeOf(this.selected);
    if (selected && this.#follows) return selected;
    for (const one of this.#recordings) {
      const root = one.pose?.nodes[one.head.root];
      if (root?.shown) return one.figure.local(root.world.translation);
    }
    return null;
  }

  #follow() {
    const middle = this.#middle();
    if (!middle) return;
    if (this.#followed) {
      const way = minus(middle, this.#followed);
      this.#orbit = { ...this.#orbit, target: add(this.#orbit.target, way) };
    }
    this.#followed = middle;
  }

  /** The eyes of the first head or view. */
  #eyes() {
    for (const one of this.#recordings) {
      if (!one.pose) continue;
      const index = one.head.nodes.findIndex((node) => node.kind === 'view' || node.kind === 'head');
      if (index < 0 || !one.pose.nodes[index].shown) continue;
      const { world } = one.pose.nodes[index];
      const fov = ((one.head.nodes[index].angle ?? 70) * Math.PI) / 180;
      return { inside: index, eyes: { translation: one.figure.local(world.translation), linear: world.linear, fov } };
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

  /** Draws the poses of the recordings; `name` is that of the selected node. */
  draw(time, name) {
    const { width, height } = this.#size();
    const scale = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.scene, this.labels]) {
      if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
      if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
    }
    if (this.#follows) this.#follow();
    const pinches = this.#recordings.map(({ head }) =>
      (head.signals ?? []).map((signal) => signal.kind === 'pinch' && signalAt(signal, ownTime(head, time)) === true),
    );
    const eyes = this.#head ? this.#eyes() : null;
    this.stage.draw(
      this.#recordings.map((one) => one.pose),
      this.#orbit,
      { pinches, eyes: eyes?.eyes, inside: eyes?.inside },
    );
    const shown = { recordings: this.#recordings, selected: this.#placeOf(this.selected), name, showNames: this.showNames };
    drawLabels(this.labels, { scale, width, height }, this.stage.clip, shown);
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
      const apart = all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0;
      return { at, apart };
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
      this.#ease = null;
      const pans = fingers.size > 1 || event.buttons === 4 || event.shiftKey;
      this.#orbit = pans ? panned(this.#orbit, x, y) : orbited(this.#orbit, x, y);
      if (before.apart > 0 && after.apart > 0) this.#orbit = zoomed(this.#orbit, before.apart / after.apart);
      this.#head = false;
      this.#act.wake();
    });
    for (const name of ['pointerup', 'pointercancel']) {
      scene.addEventListener(name, (event) => {
        const wasAlone = fingers.size === 1;
        fingers.delete(event.pointerId);
        if (name === 'pointerup' && wasAlone && moved < 5) this.#act.select(this.#nodeAt(event));
      });
    }
    scene.addEventListener('wheel', (event) => {
      // A page around it scrolls, until somebody uses the player.
      if (!event.ctrlKey && !scene.getRootNode().host.matches(':focus-within')) return;
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 20 : 1;
      this.#orbit = zoomed(this.#orbit, Math.exp(Math.max(-1, Math.min(1, event.deltaY * lines * 0.0015))));
      this.#act.wake();
    }, { passive: false });
    scene.addEventListener('dblclick', () => this.frameSelected());
  }

  /** The node at a place in the view, or null. */
  #nodeAt(event) {
    const { left, top, width, height } = this.scene.getBoundingClientRect();
    const reach = event.pointerType === 'touch' ? 28 : 14;
    let best = null;
    this.#recordings.forEach((one, recording) => {
      one.head.nodes.forEach((node, index) => {
        if (!one.pose?.nodes[index].shown || node.kind === 'view' || (node.kind === 'part' && node.mesh === undefined)) return;
        const seen = projected(this.stage.clip, one.figure.local(one.pose.nodes[index].world.translation));
        if (!seen) return;
        const apart = Math.hypot(seen[0] * width - (event.clientX - left), seen[1] * height - (event.clientY - top));
        if (apart < reach && (!best || apart < best.apart)) best = { apart, recording, node: index };
      });
    });
    return best ? { recording: best.recording, node: best.node } : null;
  }

  get isEasing() {
    return this.#ease !== null;
  }
}
