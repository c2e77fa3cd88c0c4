// The entry point of exported pages: opens the pack that is embedded in the page.

import './element.js';
import { Pack } from './unpack.js';

const player = document.querySelector('mutoscope-player');
if (player && document.querySelector('script[data-mutoscope-block]')) {
  player.open(Pack.fromPage(document)).then(() => player.shadowRoot.querySelector('.player').focus({ preventScroll: true }));
}
