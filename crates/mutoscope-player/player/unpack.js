// Blocks of a pack: where they are, and their bytes.

/** What a file of blocks begins with. */
const PACK_MAGIC = 'MUTOPLAY';

/** The bytes of text in base64. */
export function bytesOfBase64(text) {
  if (typeof Uint8Array.fromBase64 === 'function') return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

/** Lets the browser draw and answer, then goes on. */
export function nextTurn() {
  return new Promise((resolve) => {
    // A timer would wait for milliseconds.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The unpacked bytes of a block that was compressed by deflate. */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const chunks = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** A pack: `count` blocks, of which `block(index)` gives the compressed bytes. */
export class Pack {
  constructor(count, block, size) {
    this.count = count;
    this.block = block;
    /** How many bytes all blocks have, compressed. */
    this.size = size;
  }

  /** The pack of a page's script elements. */
  static ofPage(page) {
    const blocks = page.querySelectorAll('script[data-mutoscope-block]');
    let size = 0;
    // The text of an hour is not copied before it is needed.
    for (const block of blocks) size += Math.floor(0.75 * (block.firstChild?.length ?? 0));
    return new Pack(blocks.length, (index) => bytesOfBase64(blocks[index].textContent.trim()), size);
  }

  /** The pack in a file: one of blocks, or a page that was exported. */
  static ofFile(buffer) {
    const bytes = new Uint8Array(buffer);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const mark = String.fromCharCode(...bytes.subarray(0, 8));
    if (mark !== PACK_MAGIC) return Pack.ofHtml(new TextDecoder().decode(bytes));
    if (bytes.length < 12) throw new Error('The file ends within its header.');
    const count = view.getUint32(8, true);
    let at = 12 + 4 * count;
    if (at > bytes.length) throw new Error(`The file ends within its list of ${count} blocks.`);
    const places = [];
    for (let index = 0; index < count; index++) {
      const length = view.getUint32(12 + 4 * index, true);
      if (at + length > bytes.length) throw new Error(`The file ends within block ${index} of ${count}.`);
      places.push([at, at + length]);
      at += length;
    }
    return new Pack(count, (index) => bytes.subarray(...places[index]), bytes.length);
  }

  /** The pack in the text of a page. Nothing of the page is run or shown. */
  static ofHtml(text) {
    const blocks = [...text.matchAll(/<script type="text\/plain" data-mutoscope-block="\d+">([A-Za-z0-9+/=\s]*)<\/script>/g)];
    if (blocks.length === 0) throw new Error('This is not a page or pack of Mutoscope.');
    return new Pack(blocks.length, (index) => bytesOfBase64(blocks[index][1].trim()), text.length);
  }

  /** The unpacked bytes of a block. */
  async bytes(index) {
    if (!(index >= 0 && index < this.count)) throw new Error(`There is no block ${index} among ${this.count}.`);
    return inflated(this.block(index));
  }

  /** The head. */
  async head() {
    const head = JSON.parse(new TextDecoder().decode(await this.bytes(0)));
    if (head.version !== 1) throw new Error(`The pack has version ${head.version}; this player reads version 1.`);
    return head;
  }
}

/** Reads numbers one after the other. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error(`A block ends at byte ${this.at}, within its keys.`);
    return this.bytes[this.at++];
  }

  /** A whole number in groups of seven bits, the lowest first. */
  count() {
    // Most take one byte; beyond the end there is none, which is less than nothing.
    const first = this.bytes[this.at];
    if (first < 0x80) {
      this.at++;
      return first;
    }
    let number = 0;
    let place = 1;
    for (;;) {
      const byte = this.byte();
      number += (byte & 0x7f) * place;
      if (byte < 0x80) return number;
      place *= 128;
    }
  }

  /** A signed number: 0, 1, 2, 3 are 0, −1, 1, −2. */
  signed() {
    const number = this.count();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  double() {
    this.at += 8;
    if (this.at > this.bytes.length) throw new Error(`A block ends at byte ${this.bytes.length}, within a number.`);
    return this.view.getFloat64(this.at - 8, true);
  }
}
