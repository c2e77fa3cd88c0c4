// The clock of a page: where it is, whether it runs, and what happens at its ends.

/** The ways to loop, in the order in which a key goes through them. */
export const LOOPS = ['off', 'all', 'range', 'ping-pong'];

/** The words for them. */
export const LOOP_WORDS = {
  off: 'Stops at the end',
  all: 'Loops over all',
  range: 'Loops over the range',
  'ping-pong': 'Runs forwards and backwards',
};

/** The playback rates that keys and a list offer. */
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8];

/** The time of a recording at a time of the clock. */
export function ownTime(head, time) {
  return (time - head.offset) * head.rate;
}

/** A clock over a span of seconds. */
export class Clock {
  constructor(from, to) {
    [this.from, this.to] = [from, Math.max(from, to)];
    this.time = this.from;
    this.paused = true;
    this.ended = false;
    this.speed = 1;
    this.loop = 'all';
    /** The in point and the out point, if there is a range. */
    this.range = null;
    this.direction = 1;
  }

  /** Where it plays: the range while that loops, else all. */
  get span() {
    return this.range && (this.loop === 'range' || this.loop === 'ping-pong')
      ? this.range
      : [this.from, this.to];
  }

  /** Goes to a time. */
  seek(time) {
    this.time = Math.min(this.to, Math.max(this.from, Number.isFinite(time) ? time : this.from));
    this.ended = false;
  }

  play() {
    const [from, to] = this.span;
    if (this.time >= to || this.time < from) this.time = from;
    this.direction = 1;
    [this.paused, this.ended] = [false, false];
  }

  pause() {
    this.paused = true;
  }

  setRange(from, to) {
    const [start, end] = [Math.max(this.from, Math.min(from, to)), Math.min(this.to, Math.max(from, to))];
    this.range = end > start ? [start, end] : null;
    if (this.range && this.loop === 'all') this.loop = 'range';
    if (!this.range && this.loop === 'range') this.loop = 'all';
  }

  /** Runs for some seconds; returns whether the time changed. */
  advance(seconds) {
    if (this.paused) return false;
    const [from, to] = this.span;
    const length = to - from;
    let next = this.time + seconds * this.speed * this.direction;
    if (length <= 0) next = from;
    else if (this.loop === 'off') {
      if (next >= to) [next, this.paused, this.ended] = [to, true, true];
    } else if (this.loop === 'ping-pong') {
      // Where it would be on a way there and back.
      let way = (this.direction > 0 ? next - from : to + (to - next) - from) % (2 * length);
      if (way < 0) way += 2 * length;
      [next, this.direction] = way <= length ? [from + way, 1] : [to - (way - length), -1];
    } else if (next >= to || next < from) next = from + ((next - from) % length);
    const changed = next !== this.time;
    this.time = next;
    return changed;
  }
}
