// What only a page can do: take in files, and say what it cannot do. All else is in the program.
import init, * as program from './mutoscope.js';
const [canvas, input, line] = ['mutoscope', 'files', 'line'].map((id) => document.getElementById(id));
const LARGEST = 1.5 * 2 ** 30; // In bytes: what is decoded takes about as much again, of the 4 GiB that a page has.
const query = new URLSearchParams(location.search);
const asked = ['file', 'rig', 'against'].flatMap((word) => query.getAll(word));
let drops = 0, runs = false;

function say(words, kind = '') {
  if (line.className !== 'end') Object.assign(line, { textContent: words, hidden: !words, className: kind });
}
function fail(why, words = '') {
  const isCrash = why instanceof WebAssembly.RuntimeError || why instanceof RangeError;
  if (isCrash) say(`The viewer crashed: ${why.message}. Load the page again, and please report it`, 'end');
  else if (words || why instanceof Problem) say(words + why.message, 'problem');
}
class Problem extends Error {}
addEventListener('error', (event) => fail(event.error));
addEventListener('unhandledrejection', (event) => fail(event.reason));
line.onclick = () => say('');

async function bytesOf(stream, size, words) { // Piece by piece: the page is drawn on, and holds the file once.
  const bytes = new program.FileBytes(size), reader = stream.getReader();
  const MiB = (count) => (count / 2 ** 20).toFixed(1);
  for (let done = 0, piece; !(piece = await reader.read()).done;) {
    if (!bytes.push(piece.value)) throw new Problem(`${words} stopped: the browser gives this page no more memory. Open it with the program for the desktop`);
    done += piece.value.length;
    say(`${words}: ${MiB(done)} MiB${size > done ? ` of ${MiB(size)}` : ''}`);
  }
  return bytes;
}
async function take(files, opened, purpose) {
  const folder = ++drops;
  for (const [path, file] of files) {
    if (file.size > LARGEST) throw new Problem(`${file.name} is too large for a browser; nothing opened. Open it with the program for the desktop`);
    (await bytesOf(file.stream(), file.size, `Reading ${file.name}`)).give(folder + path);
  }
  say('');
  program.openFiles(opened.map((path) => folder + path), purpose);
}
const answer = (ask) => new Promise(ask);
async function* filesIn(entry) {
  if (!entry.isDirectory) return yield [entry.fullPath, await answer((yes, no) => entry.file(yes, no))];
  const reader = entry.createReader();
  for (let some; (some = await answer((yes, no) => reader.readEntries(yes, no))).length;) for (const one of some) yield* filesIn(one);
}
async function drop(event) {
  const entries = [...event.dataTransfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
  const files = [...event.dataTransfer.files].map((file) => [`/${file.name}`, file]);
  if (!entries.some((entry) => entry?.isDirectory)) return take(files, files.map(([path]) => path), '');
  const found = [];
  for (const entry of entries) for await (const file of filesIn(entry)) found.push(file);
  return take(found, entries.map((entry) => entry.fullPath), '');
}
for (const kind of ['dragover', 'dragleave', 'drop']) addEventListener(kind, (event) => {
  event.preventDefault();
  if (runs) program.hoverFiles(kind === 'dragover');
  if (runs && kind === 'drop') drop(event);
});
window.mutoscope = { chooseFiles: (purpose, several) => Object.assign(input, { value: '', multiple: several, onchange() {
  const files = [...input.files].map((file) => [`/${file.name}`, file]);
  take(files, files.map(([path]) => path), purpose);
} }).click() };

async function fetchFile(address) {
  const url = new URL(address, location);
  const response = await fetch(url, { referrerPolicy: 'no-referrer' }).catch(() => {
    throw new Problem(`${address} cannot be fetched. Check the address${url.origin === location.origin ? '' : `, and whether ${url.origin} allows other pages to read it (Access-Control-Allow-Origin)`}`);
  });
  if (!response.ok) throw new Problem(`${address} cannot be fetched: the server says ${response.status}. Check the address`);
  const bytes = await bytesOf(response.body, Number(response.headers.get('content-length')), `Fetching ${address}`);
  bytes.giveFetched(address, `link/${url.host}${decodeURIComponent(url.pathname)}`);
}

canvas.addEventListener('webglcontextlost', () => say('The browser has stopped the graphics of this page; nothing more is drawn. Load the page again', 'end'));
canvas.addEventListener('contextmenu', (event) => event.preventDefault());
canvas.addEventListener('wheel', (event) => event.preventDefault(), { passive: false });
canvas.addEventListener('keydown', (event) => { // Of the browser's own keys it keeps those for copying, reloading and its windows.
  const isOurs = event.ctrlKey || event.metaKey ? /^([bdekopt]|Arrow.*)$/i.test(event.key) : !/^F(5|11|12)$/.test(event.key);
  if (isOurs) event.preventDefault();
});
try {
  const policy = document.createElement('meta'); // Of servers, those alone that this link names.
  const origins = asked.map((address) => new URL(address, location).origin).filter((origin) => origin !== 'null');
  Object.assign(policy, { httpEquiv: 'Content-Security-Policy', content: `connect-src 'self' ${origins.join(' ')}` });
  document.head.append(policy);
  if (!document.createElement('canvas').getContext('webgl2')) throw new Problem('This browser has no WebGL2; nothing is shown. Allow graphics acceleration in its settings, or use another');
  await init();
  const problems = [];
  for (const address of asked) await fetchFile(address).catch((why) => problems.push(why.message));
  problems.push(program.start(location.origin + location.pathname, location.search));
  document.getElementById('about').hidden = runs = true;
  say(problems.filter(Boolean).join('\n'), 'problem');
  if (window.top === window) canvas.focus();
} catch (why) {
  fail(why, why instanceof Problem ? '' : 'The viewer cannot start: ');
}
