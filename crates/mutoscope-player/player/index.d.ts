/** The detail of the event `select`. */
export interface SelectDetail {
  /** The name of the selected node, or null if no node is selected. */
  name: string | null;
  /** The index of the recording that contains the node. */
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

/** The element `<mutoscope-player>`, which plays a recording and behaves like `<video>`. */
export class MutoscopePlayer extends HTMLElement {
  /** The address of a page or a pack. Setting the address loads the file. */
  src: string;
  /** The clock time, in seconds. */
  currentTime: number;
  /** The clock time at which playback begins, in seconds. */
  readonly startTime: number;
  /** The duration in seconds, or NaN before a recording is loaded. */
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  /** The playback rate; must be above 0. */
  playbackRate: number;
  loop: boolean;
  /** True starts to play as soon as the recording is loaded, unless the reader prefers reduced motion. */
  autoplay: boolean;
  /** The in point and the out point in seconds, or null for the whole recording. */
  range: [number, number] | null;
  /** The name of the selected node, or null if no node is selected. */
  selection: string | null;
  /** The names of the nodes of the first recording. */
  readonly nodeNames: string[];
  play(): Promise<void>;
  pause(): void;
  /** Opens the bytes of a page or a pack. */
  open(source: ArrayBuffer | Uint8Array): Promise<void>;
  /** Returns the current position of a node in metres, right-handed, Y up, or null before a recording is loaded. */
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
