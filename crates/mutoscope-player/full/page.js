// What the viewer's page finds in its own file: the program, which is unpacked here, and the files of its link, which it
// would fetch otherwise. The scripts of the page follow this one.
const packed = (id) => {
  const element = document.getElementById(id);
  const text = element.textContent;
  element.remove();
  const bytes = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
};
const contents = JSON.parse(document.getElementById('mutoscope-contents').textContent);
window.embeddedProgram = async () => {
  const wasm = new Response(packed('mutoscope-wasm'), { headers: { 'content-type': 'application/wasm' } });
  return { module_or_path: await WebAssembly.compileStreaming(wasm) };
};

// The content of the files, by their addresses as the program asks for them.
const addressOf = (name) => name.split('/').map(encodeURIComponent).join('/');
const held = new Map(contents.files.map((name, index) => [new URL(addressOf(name), location.href).href, `mutoscope-file-${index}`]));

// A view that somebody copied stays; all else is what the file was written with.
const isFile = (word) => ['file', 'rig', 'against'].includes(word);
const words = contents.link.map(([word, value]) => `${word}=${encodeURIComponent(isFile(word) ? addressOf(value) : value)}`);
if (!location.search) history.replaceState(null, '', `?${words.join('&')}`);

const kept = new Map();
window.fetch = async (address) => {
  const id = held.get(new URL(address, location.href).href);
  if (!id) throw new TypeError(`${address} is not in this file`);
  if (!kept.has(id)) kept.set(id, await new Response(packed(id)).blob());
  return new Response(kept.get(id));
};
