// Creates the players of a report when their images come into view. Browsers limit the number of graphics contexts, so
// the least recently recentFigures players release theirs.

const MAX_PLAYERS = 6;
const recentFigures = [];

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

/** Returns the player of a figure, creating it if necessary, or null if it cannot play. The player may still be opening. */
function openPlayer(figure) {
  if (figure.fails) return null;
  const index = recentFigures.indexOf(figure);
  if (index >= 0) recentFigures.splice(index, 1);
  recentFigures.push(figure);
  if (figure.player) return figure.player;
  if (recentFigures.length > MAX_PLAYERS) closePlayer(recentFigures.shift());
  const player = document.createElement("mutoscope-player");
  if (figure.at !== undefined) player.setAttribute("at", figure.at);
  player.addEventListener("error", () => {
    if (figure.player !== player) return;
    // Keep the image. Links then open their targets as in a page without players.
    figure.fails = true;
    closePlayer(figure);
    recentFigures.splice(recentFigures.indexOf(figure), 1);
  });
  player.addEventListener("timeupdate", () => showTime(figure.closest("section"), player.currentTime));
  figure.player = player;
  figure.querySelector("svg").after(player);
  // Show the player before it opens, because it frames the motion for its current size.
  figure.classList.add("plays");
  const pack = document.getElementById(figure.dataset.pack).textContent.trim();
  figure.ready = player.open(decodeBase64(pack));
  return player;
}

/** Returns conversions between times and SVG x coordinates of a timeline. */
function timelineScale(timeline) {
  const [start, end, first, last] = timeline.dataset.scale.split(" ").map(Number);
  return {
    toX: (time) => first + ((last - first) * (time - start)) / (end - start || 1),
    toTime: (x) => Math.min(end, Math.max(start, start + ((end - start) * (x - first)) / (last - first))),
  };
}

/** Moves the mark in the timeline and updates the link to the program. */
function showTime(section, time) {
  const timeline = section.querySelector("svg.timeline");
  let mark = timeline.querySelector(".now");
  if (!mark) {
    mark = document.createElementNS("http://www.w3.org/2000/svg", "path");
    mark.setAttribute("class", "now");
    timeline.append(mark);
  }
  mark.setAttribute("d", `M${timelineScale(timeline).toX(time).toFixed(2)} 0V${timeline.viewBox.baseVal.height - 20}`);
  const link = section.querySelector("a.open");
  const at = time.toFixed(4);
  link.setAttribute("href", link.getAttribute("href").replace(/([?&]at=)[^&]*$/, `$1${at}`));
  link.dataset.command = link.dataset.command.replace(/ --at \S+$/, ` --at ${at}`);
  link.textContent = `Open in Mutoscope at ${time.toFixed(2)} s`;
}

/** Returns the moment that a click refers to: of a link, otherwise of a position in the timeline; null for anything else. */
function clickedMoment(event) {
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
  const x = ((event.clientX - box.left) / box.width) * timeline.viewBox.baseVal.width;
  return { at: timelineScale(timeline).toTime(x), range: null, node: null };
}

document.addEventListener("click", (event) => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const figure = event.target.closest("section.recording")?.querySelector("figure.motion");
  if (!figure || event.target.closest("button")) return;
  const moment = clickedMoment(event);
  const player = moment && openPlayer(figure);
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
  for (const { isIntersecting, target } of seen) if (isIntersecting) openPlayer(target);
});
figures.forEach((figure) => observer.observe(figure));
