// The timeline: a ruler, lanes of signals, events, the range and the playhead.

import { formatClock, formatValue } from './format.js';

const MAX_LANES = 3;
const GUTTER_WIDTH = 108;
const RULER_HEIGHT = 20;
const PADDING = 10;

/** Returns the signals to show in lanes: those that change, the most informative first. */
export function selectLanes(head) {
  const order = { tracked: 0, pinch: 1, text: 2, attribute: 3 };
  const changing = (head.signals ?? [])
    .map((signal, index) => ({ signal, index }))
    .filter(({ signal }) => signal.values.length > 1 && !signal.values.every((value) => value === signal.values[0]))
    .filter(({ signal }) => signal.linear || !Array.isArray(signal.values[0]));
  return changing.sort((a, b) => order[a.signal.kind] - order[b.signal.kind] || a.index - b.index).map(({ signal }) => signal);
}

/** Returns a round tick interval in seconds, at which ticks are at least `pixels` apart. */
export function tickStep(secondsPerPixel, pixels) {
  const least = secondsPerPixel * pixels;
  for (const step of [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800]) {
    if (step >= least) return step;
  }
  return 3600 * Math.ceil(least / 3600);
}

/** Draws a timeline on a canvas. */
export class Timeline {
  constructor(canvas) {
    this.canvas = canvas;
    this.recordings = [];
    /** A canvas with everything except the playhead. It is only redrawn if it changes, because an hour may have many events. */
    this.layer = null;
    this.layerKey = '';
  }

  setRecordings(recordings) {
    this.recordings = recordings.map((head) => ({ head, lanes: selectLanes(head) }));
    this.lanes = this.recordings.flatMap(({ head, lanes }) => lanes.map((signal) => ({ head, signal }))).slice(0, MAX_LANES);
    this.layerKey = '';
  }

  /** The height of the content, in CSS pixels. */
  get height() {
    return RULER_HEIGHT + 14 + 13 * this.lanes.length + 6;
  }

  get left() {
    return this.lanes.length > 0 && this.width > 520 ? GUTTER_WIDTH : PADDING;
  }

  get width() {
    return this.canvas.clientWidth;
  }

  /** Returns the clock time at `x`, in CSS pixels from the left edge. */
  timeAt(x, { from, to }) {
    return from + ((x - this.left) / Math.max(1, this.width - this.left - PADDING)) * (to - from);
  }

  draw(clock, accent = '#ffb454') {
    const { canvas } = this;
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    const [left, right] = [this.left, width - PADDING];
    const span = Math.max(1e-9, clock.to - clock.from);
    const x = (time) => left + ((time - clock.from) / span) * (right - left);
    const layerKey = [scale, width, height, clock.from, clock.to, clock.range].join();
    if (this.layerKey !== layerKey) {
      this.drawLayer(clock, x, { scale, width, height, left, right });
      this.layerKey = layerKey;
    }
    const context = canvas.getContext('2d');
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (canvas.width > 0 && canvas.height > 0) context.drawImage(this.layer, 0, 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const now = x(clock.time);
    context.fillStyle = accent;
    context.fillRect(now - 0.75, 0, 1.5, height);
    context.beginPath();
    context.moveTo(now - 5, 0);
    context.lineTo(now + 5, 0);
    context.lineTo(now, 7);
    context.fill();
  }

  drawLayer(clock, x, { scale, width, height, left, right }) {
    this.layer ??= document.createElement('canvas');
    this.layer.width = this.canvas.width;
    this.layer.height = this.canvas.height;
    const context = this.layer.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = '11px ui-monospace, Consolas, monospace';
    context.textBaseline = 'middle';
    if (clock.range) {
      context.fillStyle = 'rgb(255 180 84 / .13)';
      context.fillRect(x(clock.range[0]), 0, x(clock.range[1]) - x(clock.range[0]), height);
    }
    this.drawRuler(context, clock, x, right, height);
    this.lanes.forEach((lane, row) => this.drawLane(context, lane, x, RULER_HEIGHT + 14 + 13 * row, [left, right]));
    this.drawEvents(context, x);
  }

  drawRuler(context, clock, x, right, height) {
    const span = clock.to - clock.from;
    if (!(span > 0)) return;
    const step = tickStep(span / (right - this.left), 84);
    context.fillStyle = '#9aa2b0';
    context.strokeStyle = '#30343c';
    context.lineWidth = 1;
    for (let index = Math.ceil(clock.from / step - 1e-9); index * step <= clock.to + 1e-9; index++) {
      const at = Math.round(x(index * step)) + 0.5;
      context.beginPath();
      context.moveTo(at, 0);
      context.lineTo(at, height);
      context.stroke();
      const text = step >= 1 ? formatClock(index * step).replace(/\.000$/, '') : `${Number((index * step).toFixed(3))} s`;
      if (at + 3 + context.measureText(text).width < right + PADDING) context.fillText(text, at + 4, 10);
    }
  }

  /** Converts the clip time of a recording to clock time. */
  static toClockTime(head, time) {
    return head.offset + time / head.rate;
  }

  drawLane(context, { head, signal }, x, top, [left, right]) {
    if (left > PADDING) {
      context.save();
      context.beginPath();
      context.rect(0, top - 1, left - 6, 13);
      context.clip();
      context.fillStyle = '#9aa2b0';
      context.fillText(signal.name, PADDING, top + 5);
      context.restore();
    }
    const { times, values } = signal;
    const at = (time) => Math.min(right, Math.max(left, x(Timeline.toClockTime(head, time))));
    const isLeft = signal.name.startsWith('left');
    const color = isLeft ? '#5aa9ff' : signal.name.startsWith('right') ? '#ff7a90' : '#8b93a1';
    if (signal.linear) {
      let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of values) {
        if (value !== null && value < least) least = value;
        if (value !== null && value > most) most = value;
      }
      context.strokeStyle = color;
      context.beginPath();
      const y = (value) => top + 10 - ((value - least) / (most - least || 1)) * 9;
      // For each pixel, only draw the first, the smallest, the largest and the last value, which looks the same.
      for (let index = 0; index < times.length; ) {
        if (values[index] === null) {
          // The line has a gap until the next value, so move there without drawing.
          index++;
          if (index < times.length && values[index] !== null) context.moveTo(at(times[index]), y(values[index]));
          continue;
        }
        const pixel = Math.floor(at(times[index]));
        let [low, high, last] = [index, index, index];
        for (let next = index; next < times.length && values[next] !== null && Math.floor(at(times[next])) === pixel; next++) {
          if (values[next] < values[low]) low = next;
          if (values[next] > values[high]) high = next;
          last = next;
        }
        for (const one of [index, Math.min(low, high), Math.max(low, high), last]) context.lineTo(at(times[one]), y(values[one]));
        index = last + 1;
      }
      context.stroke();
      return;
    }
    context.fillStyle = color;
    let until = Number.NEGATIVE_INFINITY;
    values.forEach((value, index) => {
      const isOn = value === true || (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
      if (!isOn) return;
      const from = at(times[index]);
      const to = at(index + 1 < times.length ? times[index + 1] : head.span[1]);
      // Draw intervals that are too short to see as one pixel, and only one of them for each pixel.
      if (to <= until) return;
      context.globalAlpha = typeof value === 'boolean' ? 0.75 : 0.28;
      context.fillRect(from, top + 1, Math.max(1, to - from), 9);
      until = Math.max(to, from + 1);
      context.globalAlpha = 1;
      if (typeof value === 'boolean' || to - from < 34) return;
      context.save();
      context.beginPath();
      context.rect(from, top, to - from - 2, 11);
      context.clip();
      context.fillStyle = '#d7dbe2';
      context.fillText(signal.words?.[index] ?? formatValue(value), from + 3, top + 6);
      context.restore();
      context.fillStyle = color;
    });
  }

  drawEvents(context, x) {
    let last = Number.NEGATIVE_INFINITY;
    context.fillStyle = '#d7dbe2';
    for (const { head } of this.recordings) {
      for (const event of head.events ?? []) {
        const at = x(Timeline.toClockTime(head, event.time));
        if (at - last < 1.5) continue;
        last = at;
        context.beginPath();
        context.moveTo(at, RULER_HEIGHT + 1);
        context.lineTo(at + 4, RULER_HEIGHT + 6);
        context.lineTo(at, RULER_HEIGHT + 11);
        context.lineTo(at - 4, RULER_HEIGHT + 6);
        context.fill();
      }
    }
  }
}
