// The frame of a chart: axes, grid and labels, a tip below the pointer, and a drawing that fits its
// place whenever that changes.

import { html, svg } from "./svg.js";
import { linear, logarithmic, logTicks, short, ticks } from "./scales.js";

let clips = 0;

const LETTER = 6.2; // pixels, about, at the size of ticks

export function axis(options) {
  const { low, high, log = false, choices = null, whole = false } = options;
  return { low, high, log, choices, whole, label: options.label || "" };
}

function marksOf(scale, room, across) {
  if (scale.choices) {
    const most = across ? Math.max(2, Math.floor(room / 26)) : Math.max(2, Math.floor(room / 16));
    const every = Math.ceil(scale.choices.length / most);
    const letters = across ? Math.max(3, Math.floor((room / Math.ceil(scale.choices.length / every)) / LETTER) - 1) : 16;
    return scale.choices.map((name, i) => [i, shorten(name, Math.min(letters, 16))]).filter((_, i) => i % every === 0);
  }
  const count = across ? Math.max(2, Math.floor(room / 75)) : Math.max(2, Math.floor(room / 42));
  const values = scale.log ? logTicks(scale.low, scale.high, count) : ticks(scale.low, scale.high, count, scale.whole);
  let texts = values.map((value) => [value, short(value)]);
  const widest = Math.max(...texts.map(([, text]) => text.length)) * LETTER + 10;
  if (across) {
    const every = Math.ceil((widest * texts.length) / room);
    texts = texts.filter((_, i) => i % every === 0);
  }
  return texts;
}

export function shorten(name, letters) {
  return name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`;
}

// An empty chart: `x` and `y` turn values into pixels, `plot` is where to draw, and
// `within` where to draw what may reach out of it.
export function frame(width, height, across, up, words) {
  const upTexts = marksOf(up, height - 40, false);
  const left = Math.min(120, Math.max(30, ...upTexts.map(([, text]) => text.length * LETTER + 12)));
  const box = { left, right: width - 10, top: up.label ? 20 : 8, bottom: height - (across.label ? 36 : 22) };
  const room = across.choices ? 0.5 : 0;
  const make = (scale, from, to, slack) =>
    scale.log ? logarithmic(scale.low, scale.high, from, to) : linear(scale.low - slack, scale.high + slack, from, to);
  const x = make(across, box.left, box.right, room);
  const y = make(up, box.bottom, box.top, up.choices ? 0.5 : 0);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
  const grid = svg("g", { "aria-hidden": "true" });
  for (const [value, text] of upTexts) {
    const at = y(value);
    if (at < box.top - 1 || at > box.bottom + 1) continue;
    grid.append(
      svg("path", { d: `M${box.left} ${at.toFixed(1)}H${box.right}`, class: "c-grid" }),
      svg("text", { x: box.left - 7, y: at + 3.5, "text-anchor": "end", class: "c-text" }, text),
    );
  }
  for (const [value, text] of marksOf(across, box.right - box.left, true)) {
    const at = x(value);
    if (at < box.left - 1 || at > box.right + 1) continue;
    const anchor = at > box.right - 14 && !across.choices ? "end" : "middle";
    grid.append(svg("text", { x: at, y: box.bottom + 15, "text-anchor": anchor, class: "c-text" }, text));
    if (!across.choices) grid.append(svg("path", { d: `M${at.toFixed(1)} ${box.bottom}v4`, class: "c-axis" }));
  }
  grid.append(svg("path", { d: `M${box.left} ${box.bottom}H${box.right}`, class: "c-axis" }));
  if (up.label) grid.append(svg("text", { x: 0, y: 10, class: "c-title" }, shorten(up.label, Math.floor(width / LETTER))));
  if (across.label) {
    const middle = (box.left + box.right) / 2;
    const text = shorten(across.label, Math.floor((box.right - box.left) / LETTER));
    grid.append(svg("text", { x: middle, y: height - 4, "text-anchor": "middle", class: "c-title" }, text));
  }
  const id = `clip-${++clips}`;
  const inside = svg("rect", { x: box.left, y: box.top - 2, width: box.right - box.left, height: box.bottom - box.top + 2 });
  const plot = svg("g", {}), within = svg("g", { "clip-path": `url(#${id})` });
  root.append(svg("clipPath", { id }, inside), grid, within, plot);
  return { root, plot, within, x, y, box };
}

// Draw into a place, and again when its width changes. `draw(width)` returns the elements.
export function fit(place, draw) {
  let last = 0;
  const paint = () => {
    const width = Math.round(place.clientWidth);
    if (!width || width === last) return;
    last = width;
    place.replaceChildren(...draw(width));
  };
  place.resizing?.disconnect();
  place.resizing = new ResizeObserver(() => requestAnimationFrame(paint));
  place.resizing.observe(place);
  paint();
}

// Name the nearest of some points [x, y, words, trial] beside the pointer; a click opens its trial.
export function pointing(place, drawing, points, reach = 18) {
  const tip = html("div", { class: "tip", hidden: true });
  const ring = svg("circle", { r: 6, class: "c-ring", visibility: "hidden" });
  drawing.append(ring);
  let found = null;
  const leave = () => { found = null; tip.hidden = true; ring.setAttribute("visibility", "hidden"); drawing.classList.remove("over"); };
  drawing.addEventListener("pointermove", (event) => {
    const bounds = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / bounds.width;
    const px = (event.clientX - bounds.left) * scale, py = (event.clientY - bounds.top) * scale;
    let nearest = reach * reach;
    found = null;
    for (const point of points) {
      const distance = (point[0] - px) ** 2 + (point[1] - py) ** 2;
      if (distance < nearest) { nearest = distance; found = point; }
    }
    if (!found) return leave();
    ring.setAttribute("cx", found[0]);
    ring.setAttribute("cy", found[1]);
    ring.setAttribute("visibility", "visible");
    show(place, tip, found[0] / scale, found[1] / scale, found[2]);
  });
  drawing.addEventListener("pointerleave", leave);
  drawing.addEventListener("click", () => found && found[3] !== undefined && openTrial(place, found[3]));
  return tip;
}

export function show(place, tip, x, y, words) {
  tip.textContent = words;
  tip.hidden = false;
  const width = tip.offsetWidth, room = place.clientWidth;
  tip.style.left = `${Math.max(0, Math.min(room - width, x + 12))}px`;
  tip.style.top = `${Math.max(0, y - tip.offsetHeight - 8)}px`;
}

export function openTrial(place, number) {
  place.dispatchEvent(new CustomEvent("pathmax:trial", { bubbles: true, detail: number }));
}

export const CUT = "Intervals that reach beyond the chart are cut off at its edge.";

export function remark(words) {
  return words ? html("p", { class: "remark" }, words) : null;
}
