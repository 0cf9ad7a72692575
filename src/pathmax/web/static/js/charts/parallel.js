// Parallel coordinates: each trial a line through its settings to its result. Dragging along an
// axis keeps the lines that pass there. What a trial does not have is a place below the axis.

import { fit, openTrial, remark, shorten, show } from "./frame.js";
import { extent, short } from "./scales.js";
import { html, legend, marks, svg, through } from "./svg.js";

const TOP = 34, BOTTOM = 12;
const ABSENT = -0.12; // where a line passes that has no value on an axis, in fractions of its length

export function parallel(place, data) {
  const kept = new Map(); // axis -> [low, high] in fractions
  fit(place, (width) => draw(place, data, width, kept));
}

function draw(place, data, width, kept) {
  if (!data.lines.length) return [document.createTextNode("No results yet.")];
  const [low, high] = extent(data.lines.map((line) => line.value), 0);
  const span = high - low || 1;
  const axes = [...data.axes, { label: data.label, low, high, choices: null, log: false, result: true }];
  const height = Math.round(Math.min(360, Math.max(240, width * 0.34)));
  const left = 16, right = width < 500 ? 44 : 64;
  const at = (i) => left + (i * (width - left - right)) / Math.max(1, axes.length - 1);
  const lacking = axes.map((_, i) => data.lines.some((line) => (i < line.at.length ? line.at[i] : line.value) === null));
  const below = lacking.some(Boolean) ? BOTTOM - ABSENT * (height - TOP - BOTTOM) : BOTTOM;
  const up = (fraction) => height - below - fraction * (height - TOP - below);
  const words = `Settings and ${data.label} of ${data.lines.length} trials as lines`;
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
  const chosen = new Set(data.chosen);
  const paths = data.lines.map((line) => {
    const fractions = [...line.at, line.value === null ? null : (line.value - low) / span].map((fraction) => fraction ?? ABSENT);
    const points = fractions.map((fraction, i) => [at(i), up(fraction)]);
    const kind = line.state === "stopped" ? "c-line stopped" : "c-line";
    const path = svg("path", { d: through(points), class: chosen.has(line.trial) ? (chosen.size > 3 ? "c-chosen many" : "c-chosen") : kind });
    const better = data.direction === "minimize" ? 1 - fractions.at(-1) : fractions.at(-1);
    path.style.setProperty("--t", better.toFixed(3));
    return { line, fractions, points, path, better };
  });
  const behind = svg("g", {}), ahead = svg("g", {});
  [...paths].sort((a, b) => a.better - b.better).forEach(({ line, path }) => (chosen.has(line.trial) ? ahead : behind).append(path));
  const hover = svg("path", { class: "c-hover", visibility: "hidden" });
  root.append(behind, ahead, hover);
  const tip = html("div", { class: "tip", hidden: true });
  const filter = () => {
    for (const { fractions, path } of paths) {
      const passes = [...kept].every(([i, [from, to]]) => fractions[i] >= from && fractions[i] <= to);
      path.classList.toggle("faded", !passes);
    }
  };
  axes.forEach((scale, i) => root.append(drawAxis(scale, i, at(i), up, root, width / axes.length, kept, filter, lacking[i])));
  filter();
  let found = null;
  root.addEventListener("pointermove", (event) => {
    const bounds = root.getBoundingClientRect(), ratio = width / bounds.width;
    const px = (event.clientX - bounds.left) * ratio, py = (event.clientY - bounds.top) * ratio;
    let nearest = 10;
    found = null;
    for (const item of paths) {
      if (item.path.classList.contains("faded")) continue;
      const distance = away(item.points, px, py);
      if (distance < nearest) { nearest = distance; found = item; }
    }
    hover.setAttribute("visibility", found ? "visible" : "hidden");
    tip.hidden = !found;
    if (!found) return;
    hover.setAttribute("d", found.path.getAttribute("d"));
    const settings = data.axes.map((scale, i) => `${scale.label}: ${found.line.settings[i]}`);
    show(place, tip, px / ratio, py / ratio, [`Trial ${found.line.trial}`, ...settings, result(data.label, found.line)].join("\n"));
  });
  root.addEventListener("pointerleave", () => { found = null; hover.setAttribute("visibility", "hidden"); tip.hidden = true; });
  root.addEventListener("click", (event) => found && !event.target.classList.contains("c-axis-hit") && openTrial(place, found.line.trial));
  const entries = [[marks.line("c-line sample"), "better results are bluer"]];
  if (chosen.size) entries.unshift([marks.line("c-chosen"), chosen.size === 1 ? `best: trial ${data.chosen[0]}` : `front (${chosen.size})`]);
  if (data.lines.some((line) => line.state === "stopped")) entries.push([marks.line("c-line sample stopped"), "stopped early, to the end expected"]);
  if (lacking.some(Boolean)) entries.push([svg("circle", { cx: 9, cy: 6, r: 3, class: "c-absent" }), "a trial without this parameter"]);
  const hint = remark("Drag along an axis to keep the lines that pass there; double-click it to show all.");
  hint.classList.add("hint"); // nobody drags on paper
  return [root, legend(entries), tip, ...(data.remark ? [remark(data.remark)] : []), hint];
}

function result(label, line) {
  if (line.state !== "stopped") return `${label}: ${short(line.value, 6)}`;
  return line.value === null ? "stopped early" : `stopped early; ${label} expected at its end: ${short(line.value, 4)}`;
}

function away(points, px, py) {
  let nearest = Infinity;
  for (let i = 1; i < points.length; i++) {
    const a = points[i - 1], b = points[i];
    if (!a || !b || px < a[0] - 4 || px > b[0] + 4) continue;
    const y = a[1] + ((px - a[0]) / (b[0] - a[0] || 1)) * (b[1] - a[1]);
    nearest = Math.min(nearest, Math.abs(y - py));
  }
  return nearest;
}

function drawAxis(scale, index, x, up, root, room, kept, filter, lacking) {
  const group = svg("g", {});
  const letters = Math.max(4, Math.floor((room - 10) / 6.2));
  const narrow = room < 110 && scale.name ? scale.name : scale.label;
  const last = index > 0;
  group.append(
    svg("path", { d: `M${x} ${up(0)}V${up(1)}`, class: "c-axis" }),
    svg("text", { x: last ? x : x - 14, y: 12, "text-anchor": last ? "middle" : "start", class: "c-title" }, shorten(narrow, letters)),
  );
  const brush = svg("rect", { x: x - 5, width: 10, y: 0, height: 0, class: "c-brush", visibility: "hidden" });
  for (const [fraction, text] of labels(scale)) {
    group.append(svg("text", { x: x + 6, y: up(fraction) + 3.5, class: "c-halo" }, shorten(text, 14)));
  }
  if (lacking) group.append(svg("circle", { cx: x, cy: up(ABSENT), r: 3, class: "c-absent" }), svg("text", { x: x + 6, y: up(ABSENT) + 3.5, class: "c-halo" }, "–"));
  const bottom = up(lacking ? ABSENT : 0);
  const hit = svg("rect", { x: x - 9, width: 18, y: up(1) - 6, height: bottom - up(1) + 12, class: "c-axis-hit" });
  const fraction = (event) => {
    const bounds = root.getBoundingClientRect();
    const py = (event.clientY - bounds.top) * (root.viewBox.baseVal.height / bounds.height);
    return (up(0) - py) / (up(0) - up(1));
  };
  const paint = () => {
    const range = kept.get(index);
    brush.setAttribute("visibility", range ? "visible" : "hidden");
    if (!range) return;
    brush.setAttribute("y", up(Math.min(1.02, range[1])));
    brush.setAttribute("height", Math.max(2, up(Math.max(lacking ? ABSENT - 0.03 : -0.02, range[0])) - up(Math.min(1.02, range[1]))));
  };
  let from = null;
  hit.addEventListener("pointerdown", (event) => { from = fraction(event); hit.setPointerCapture(event.pointerId); event.preventDefault(); });
  hit.addEventListener("pointermove", (event) => {
    if (from === null) return;
    const to = fraction(event);
    kept.set(index, [Math.min(from, to), Math.max(from, to)]);
    paint();
    filter();
  });
  hit.addEventListener("pointerup", () => {
    const range = kept.get(index);
    if (range && range[1] - range[0] < 0.01) kept.delete(index);
    from = null;
    paint();
    filter();
  });
  hit.addEventListener("dblclick", () => { kept.delete(index); paint(); filter(); });
  paint();
  group.append(brush, hit);
  return group;
}

function labels(scale) {
  if (scale.choices) {
    const span = Math.max(1, scale.choices.length - 1), every = Math.ceil(scale.choices.length / 12);
    return scale.choices.map((name, i) => [scale.choices.length === 1 ? 0.5 : i / span, name]).filter((_, i) => i % every === 0);
  }
  if (scale.low === scale.high) return [[0.5, short(scale.low)]];
  const middle = scale.log ? Math.sqrt(scale.low * scale.high) : (scale.low + scale.high) / 2;
  return [[0, short(scale.low)], [0.5, scale.whole ? "" : short(middle, 3)], [1, short(scale.high)]];
}
