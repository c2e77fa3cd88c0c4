// Starts the viewer, and shows the messages that the viewer itself cannot show: loading, failing to start, crashing.
const line = document.getElementById('line');

function say(text, kind = '') {
  if (line.className !== 'end') Object.assign(line, { textContent: text, hidden: !text, className: kind });
}
function fail(error, prefix = '') {
  const isCrash = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
  if (isCrash) say(`The viewer crashed: ${error.message}. Reload the page, and please report this`, 'end');
  else if (prefix) say(prefix + (error.message ?? error), 'problem');
}
addEventListener('error', (event) => fail(event.error));
addEventListener('unhandledrejection', (event) => fail(event.reason));
line.onclick = () => say('');
window.mutoscope = { say };

// While the viewer loads, ignore dropped files. Otherwise the browser would navigate away and open the file.
for (const kind of ['dragover', 'drop']) addEventListener(kind, (event) => event.preventDefault());

// Only allow requests to the servers named in this link.
const query = new URLSearchParams(location.search);
const requested = ['file', 'rig', 'against'].flatMap((name) => query.getAll(name));
const isAddress = (text) => URL.canParse(text, location);
const origins = requested.filter(isAddress).map((address) => new URL(address, location).origin).filter((one) => one.startsWith('http'));
const policy = { httpEquiv: 'Content-Security-Policy', content: `connect-src 'self' ${origins.join(' ')}` };
document.head.append(Object.assign(document.createElement('meta'), policy));

try {
  if (!document.createElement('canvas').getContext('webgl2')) {
    throw new Error('this browser has no WebGL 2. Enable graphics acceleration in its settings, or use another browser');
  }
  // A page by `convert --full` contains the program. Otherwise, it is next to mutoscope.js.
  await wasm_bindgen(await window.embeddedProgram?.());
  await wasm_bindgen.start();
  document.getElementById('about').hidden = true;
  if (window.top === window) document.getElementById('mutoscope').focus();
} catch (error) {
  fail(error, 'The viewer cannot start: ');
}
