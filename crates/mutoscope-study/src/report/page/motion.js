// The players of a report. Each is made when its picture comes into view; of more than a few, those that were used
// least recently give their graphics context back.

const MOST_PLAYERS = 6;
const used = [];

function closePlayer(figure) {
  const { player } = figure;
  if (!player) return;
  figure.at = player.currentTime;
  figure.player = figure.ready = null;
  figure.classList.remove("plays");
  const scene = player.shadowRoot.querySelector("canvas.scene");
  player.remove();
  scene?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
}

/** The player in a figure, which may still be opening; nothing if it cannot play. */
function playerOf(figure) {
  if (figure.fails) return null;
  const place = used.indexOf(figure);
  if (place >= 0) used.splice(place, 1);
  used.push(figure);
  if (figure.player) return figure.player;
  if (used.length > MOST_PLAYERS) closePlayer(used.shift());
  const player = document.createElement("mutoscope-player");
  if (figure.at !== undefined) player.setAttribute("at", figure.at);
  player.addEventListener("error", () => {
    if (figure.player !== player) return;
    // The picture stays, and links lead where they lead without a player.
    figure.fails = true;
    closePlayer(figure);
    used.splice(used.indexOf(figure), 1);
  });
  player.addEventListener("timeupdate", () => follow(figure.closest("section"), player.currentTime));
  figure.player = player;
  figure.querySelector("svg").after(player);
  // It is shown while it opens, because its size decides what it frames.
  figure.classList.add("plays");
  const pack = document.getElementById(figure.dataset.pack).textContent.trim();
  figure.ready = player.open(bytesOfBase64(pack));
  return player;
}

/** Where a time is in a timeline, and the time that is at a place, in its own units. */
function scaleOf(timeline) {
  const [start, end, first, last] = timeline.dataset.scale.split(" ").map(Number);
  return {
    place: (time) => first + ((last - first) * (time - start)) / (end - start || 1),
    time: (place) => Math.min(end, Math.max(start, start + ((end - start) * (place - first)) / (last - first))),
  };
}

/** The mark in the timeline and the link to the program follow the player. */
function follow(section, time) {
  const timeline = section.querySelector("svg.timeline");
  let mark = timeline.querySelector(".now");
  if (!mark) {
    mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
    mark.setAttribute("class", "now");
    timeline.append(mark);
  }
  mark.setAttribute("d", `M${scaleOf(timeline).place(time).toFixed(2)} 0V${timeline.viewBox.baseVal.height - 20}`);
  const link = section.querySelector("a.open");
  const at = time.toFixed(4);
  link.setAttribute("href", link.getAttribute("href").replace(/([?&]at=)[^&]*$/, `$1${at}`));
  link.dataset.command = link.dataset.command.replace(/ --at \S+$/, ` --at ${at}`);
  link.textContent = `Open in Mutoscope at ${time.toFixed(2)} s`;
}

/** The moment that a click is about: of a link, else of a place in the timeline. */
function momentOf(event) {
  const link = event.target.closest("a[data-command]");
  if (link?.classList.contains("open")) return null;
  if (link) {
    const query = new URL(link.getAttribute("href")).searchParams;
    const range = query.get("range")?.split("..").map(Number) ?? null;
    return { at: Number(query.get("at")), range, node: query.get("select") };
  }
  const timeline = event.target.closest("svg.timeline");
  if (!timeline) return null;
  const box = timeline.getBoundingClientRect();
  const place = ((event.clientX - box.left) / box.width) * timeline.viewBox.baseVal.width;
  return { at: scaleOf(timeline).time(place), range: null, node: null };
}

document.addEventListener("click", (event) => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const figure = event.target.closest("section.recording")?.querySelector("figure.motion");
  if (!figure || event.target.closest("button")) return;
  const moment = momentOf(event);
  const player = moment && playerOf(figure);
  if (!player) return;
  event.preventDefault();
  figure.ready.then(() => {
    if (figure.player !== player) return;
    player.pause();
    player.range = moment.range;
    player.selection = player.nodeNames.includes(moment.node) ? moment.node : null;
    player.currentTime = moment.at;
    figure.scrollIntoView({ block: "nearest" });
  });
});

const figures = document.querySelectorAll("figure.motion");
const observer = new IntersectionObserver((seen) => {
  for (const { isIntersecting, target } of seen) if (isIntersecting) playerOf(target);
});
figures.forEach((figure) => observer.observe(figure));
