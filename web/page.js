// Starts the viewer, and says what it cannot say itself: that it loads, that it cannot start, that it has crashed.
import init, * as program from './mutoscope.js';
const line = document.getElementById('line');

function say(words, kind = '') {
  if (line.className !== 'end') Object.assign(line, { textContent: words, hidden: !words, className: kind });
}
function fail(why, words = '') {
  const isCrash = why instanceof WebAssembly.RuntimeError || why instanceof RangeError;
  if (isCrash) say(`The viewer crashed: ${why.message}. Load the page again, and please report it`, 'end');
  else if (words) say(words + (why.message ?? why), 'problem');
}
addEventListener('error', (event) => fail(event.error));
addEventListener('unhandledrejection', (event) => fail(event.reason));
line.onclick = () => say('');
window.mutoscope = { say };

// A file that is dropped too early is not opened by the browser in place of the page.
for (const kind of ['dragover', 'drop']) addEventListener(kind, (event) => event.preventDefault());

// Of servers, those alone that this link names may be asked for files.
const query = new URLSearchParams(location.search);
const asked = ['file', 'rig', 'against'].flatMap((word) => query.getAll(word));
const isAddress = (text) => URL.canParse(text, location);
const origins = asked.filter(isAddress).map((address) => new URL(address, location).origin).filter((one) => one.startsWith('http'));
const policy = { httpEquiv: 'Content-Security-Policy', content: `connect-src 'self' ${origins.join(' ')}` };
document.head.append(Object.assign(document.createElement('meta'), policy));

try {
  if (!document.createElement('canvas').getContext('webgl2')) {
    throw new Error('this browser has no WebGL2. Allow graphics acceleration in its settings, or use another');
  }
  await init();
  await program.start();
  document.getElementById('about').hidden = true;
  if (window.top === window) document.getElementById('mutoscope').focus();
} catch (why) {
  fail(why, 'The viewer cannot start: ');
}
