// Finds and decompresses the blocks of a pack.

/** The first bytes of a file of blocks. */
const PACK_MAGIC = 'MUTOPLAY';

/** Decodes base64. */
export function decodeBase64(text) {
  if (typeof Uint8Array.fromBase64 === 'function') return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}

/** Lets the browser handle events and draw before the caller continues. */
export function yieldToBrowser() {
  return new Promise((resolve) => {
    // A message resolves at once, while setTimeout waits for several milliseconds.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Decompresses a block of raw deflate. */
export async function inflate(bytes) {
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

/** A pack of `count` blocks. `block(index)` must return the compressed bytes of a block. */
export class Pack {
  constructor(count, block, size) {
    this.count = count;
    this.block = block;
    /** The total size of all blocks in bytes, compressed. */
    this.size = size;
  }

  /** Finds the pack in the script elements of a document. */
  static fromPage(page) {
    const blocks = page.querySelectorAll('script[data-mutoscope-block]');
    let size = 0;
    // Use the length of the text node, because reading textContent would copy megabytes before they are needed.
    for (const block of blocks) size += Math.floor(0.75 * (block.firstChild?.length ?? 0));
    return new Pack(blocks.length, (index) => decodeBase64(blocks[index].textContent.trim()), size);
  }

  /** Finds the pack in the bytes of a file, which is either a pack or an exported page. */
  static fromFile(buffer) {
    const bytes = new Uint8Array(buffer);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const mark = String.fromCharCode(...bytes.subarray(0, 8));
    if (mark !== PACK_MAGIC) return Pack.fromHtml(new TextDecoder().decode(bytes));
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

  /** Finds the pack in the source of an exported page. The page is searched as text, so its scripts never run. */
  static fromHtml(text) {
    const blocks = [...text.matchAll(/<script type="text\/plain" data-mutoscope-block="\d+">([A-Za-z0-9+/=\s]*)<\/script>/g)];
    if (blocks.length === 0) throw new Error('This is not a page or pack of Mutoscope.');
    return new Pack(blocks.length, (index) => decodeBase64(blocks[index][1].trim()), text.length);
  }

  /** Decompresses a block. */
  async bytes(index) {
    if (!(index >= 0 && index < this.count)) throw new Error(`There is no block ${index}; the pack has ${this.count} blocks.`);
    return inflate(this.block(index));
  }

  /** Reads block 0, the head, which describes all recordings. */
  async head() {
    const head = JSON.parse(new TextDecoder().decode(await this.bytes(0)));
    if (head.version !== 2) throw new Error(`The pack has version ${head.version}; this player reads version 2.`);
    return head;
  }
}

/** Reads the numbers of a block in sequence. */
export class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  readByte() {
    if (this.at >= this.bytes.length) throw new Error(`A block ends at byte ${this.at}, within its keys.`);
    return this.bytes[this.at++];
  }

  /** Reads an unsigned LEB128 integer. */
  readVarint() {
    // Fast path for one byte. At the end of the block, `first` is undefined and the comparison is false.
    const first = this.bytes[this.at];
    if (first < 0x80) {
      this.at++;
      return first;
    }
    let number = 0;
    let place = 1;
    for (;;) {
      const byte = this.readByte();
      number += (byte & 0x7f) * place;
      if (byte < 0x80) return number;
      place *= 128;
    }
  }

  /** Reads a zigzag-encoded integer: 0, 1, 2, 3 become 0, −1, 1, −2. */
  readSignedVarint() {
    const number = this.readVarint();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  readDouble() {
    this.at += 8;
    if (this.at > this.bytes.length) throw new Error(`A block ends at byte ${this.bytes.length}, within a number.`);
    return this.view.getFloat64(this.at - 8, true);
  }
}
