/** What `select` tells. */
export interface SelectDetail {
  /** The name of the selected node; null for nothing. */
  name: string | null;
  /** The index of its recording. */
  recording: number | null;
  /** The index of the node. */
  node: number | null;
}

export interface MutoscopePlayerEventMap extends HTMLElementEventMap {
  loadedmetadata: Event;
  play: Event;
  pause: Event;
  seeking: Event;
  seeked: Event;
  timeupdate: Event;
  ratechange: Event;
  ended: Event;
  select: CustomEvent<SelectDetail>;
}

/** `<mutoscope-player>`: plays a recording, with the manners of `<video>`. */
export class MutoscopePlayer extends HTMLElement {
  /** The address of a page or a pack. Setting it loads it. */
  src: string;
  /** The time on the clock, in seconds. */
  currentTime: number;
  /** When the clock begins, in seconds. */
  readonly startTime: number;
  /** How long it plays, in seconds; NaN before it is known. */
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  /** More than 0. */
  playbackRate: number;
  loop: boolean;
  /** Whether it plays as soon as it is loaded; not where the reader prefers reduced motion. */
  autoplay: boolean;
  /** The in point and the out point in seconds; null for all. */
  range: [number, number] | null;
  /** The name of the selected node; null for nothing. */
  selection: string | null;
  /** The names of the nodes of the first recording. */
  readonly nodeNames: string[];
  play(): Promise<void>;
  pause(): void;
  /** Plays the bytes of a page or a pack. */
  open(source: ArrayBuffer | Uint8Array): Promise<void>;
  /** Where a node is now: metres, right-handed, Y up; null while that is not known. */
  positionOf(name: string): [number, number, number] | null;
  addEventListener<K extends keyof MutoscopePlayerEventMap>(
    type: K,
    listener: (this: MutoscopePlayer, event: MutoscopePlayerEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'mutoscope-player': MutoscopePlayer;
  }
}
