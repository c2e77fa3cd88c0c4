// The widget of a notebook: a <mutoscope-player> whose time, selection, range and playing are those of a model. The
// script of the element stands before this one.

/** How often a time that passes is told, in milliseconds. */
const OFTEN = 100;

/** How far times may be apart before one is set, in seconds. */
const SAME = 1e-6;

function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function render({ model, el }) {
  const player = document.createElement('mutoscope-player');
  player.style.display = 'block';
  player.style.width = '100%';
  player.style.height = `${model.get('height')}px`;
  el.append(player);

  // Before the recording is there, the model says all, and the player nothing.
  let isLoaded = false;
  // What comes from the player is not sent back to it.
  let isTelling = false;
  const tell = (name, value) => {
    if (!isLoaded) return;
    if (JSON.stringify(model.get(name)) === JSON.stringify(value)) return;
    isTelling = true;
    model.set(name, value);
    isTelling = false;
    model.save_changes();
  };
  let told = 0;
  const tellTime = (always) => {
    const now = performance.now();
    if (!always && now - told < OFTEN) return;
    told = now;
    tell('time', player.currentTime);
    tell('range', player.range);
  };
  player.addEventListener('timeupdate', () => tellTime(player.paused));
  player.addEventListener('seeked', () => tellTime(true));
  player.addEventListener('play', () => tell('playing', true));
  player.addEventListener('pause', () => {
    tell('playing', false);
    tellTime(true);
  });
  player.addEventListener('ended', () => tell('playing', false));
  player.addEventListener('select', (event) => tell('selection', event.detail.name));

  const take = {
    time: (time) => {
      if (Math.abs(player.currentTime - time) > SAME) player.currentTime = time;
    },
    playing: (plays) => (plays ? player.play() : player.pause()),
    selection: (name) => {
      if (player.selection !== name) player.selection = name;
    },
    range: (range) => {
      player.range = range;
    },
    height: (height) => {
      player.style.height = `${height}px`;
    },
  };
  const listeners = Object.entries(take).map(([name, set]) => {
    const listener = () => {
      if (isLoaded && !isTelling) set(model.get(name));
    };
    model.on(`change:${name}`, listener);
    return [name, listener];
  });

  player.addEventListener('loadedmetadata', () => {
    const time = model.get('time');
    const isWithin = time >= player.startTime && time <= player.startTime + player.duration;
    if (model.get('selection') !== null) take.selection(model.get('selection'));
    if (model.get('range')) take.range(model.get('range'));
    if (isWithin) take.time(time);
    isLoaded = true;
    tellTime(true);
    if (model.get('playing')) player.play();
  });
  player.open(bytesOf(model.get('_pack')));

  return () => {
    for (const [name, listener] of listeners) model.off(`change:${name}`, listener);
    player.pause();
    player.remove();
  };
}

export default { render };
