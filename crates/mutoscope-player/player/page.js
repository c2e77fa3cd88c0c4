// A page that was exported: its element plays what is in the page.

import './element.js';
import { Pack } from './unpack.js';

const shown = document.querySelector('mutoscope-player');
if (shown && document.querySelector('script[data-mutoscope-block]')) {
  shown.open(Pack.ofPage(document)).then(() => shown.shadowRoot.querySelector('.player').focus({ preventScroll: true }));
}
