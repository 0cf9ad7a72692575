// What trials reported on their way: a line for each, to its result or to where it was stopped.

import { axis, fit, frame, pointing, remark } from "./frame.js";
import { extent, short } from "./scales.js";
import { legend, marks, svg, through } from "./svg.js";

const KINDS = [
  ["complete", "c-curve", "led to a result"],
  ["failed", "c-curve failed", "failed"],
  ["stopped", "c-curve stopped", "stopped early"],
  ["running", "c-curve running", "running"],
];

export function curves(place, data) {
  fit(place, (width) => draw(place, data, width));
}

function draw(place, data, width) {
  if (!data.lines.length) return [document.createTextNode("Nothing was reported yet.")];
  const [y0, y1] = range(data.lines);
  const last = Math.max(1, ...data.lines.map((line) => line.steps.at(-1)));
  const first = Math.min(...data.lines.map((line) => line.steps[0]));
  const height = Math.round(Math.min(330, Math.max(220, width * 0.42)));
  const count = (state) => data.lines.filter((line) => line.state === state).length;
  const told = KINDS.filter(([state]) => count(state)).map(([state, , words]) => `${count(state)} ${words}`);
  const words = `${data.label} step by step of ${data.lines.length} trials: ${told.join(", ")}`;
  const { root, plot, within, x, y } = frame(
    width, height, axis({ low: Math.min(first, last - 1), high: last, whole: true, label: "step" }), axis({ low: y0, high: y1, label: data.label }), words,
  );
  const chosen = new Set(data.chosen), targets = [], cut = { high: 0, low: 0 };
  const line = (each) => {
    const [, kind] = KINDS.find(([state]) => state === each.state);
    const points = each.steps.map((step, i) => [x(step), y(each.values[i])]);
    const name = `${kind}${chosen.has(each.trial) ? " chosen" : data.one !== null ? " behind" : ""}`;
    within.append(svg("path", { d: through(points), class: name }));
    each.values.forEach((value) => { if (value > y1) cut.high++; else if (value < y0) cut.low++; });
    const end = points.at(-1), inside = each.values.at(-1) <= y1 && each.values.at(-1) >= y0;
    if (inside) plot.append(mark(each.state, ...end, chosen.has(each.trial)));
    const expected = each.expected ? `\nexpected at its end ${short(each.expected[0])} ± ${short(each.expected[1], 2)}` : "";
    const why = each.why ? `\n${each.why}` : "";
    each.steps.forEach((step, i) => targets.push([...points[i], `Trial ${each.trial}, step ${step}\n${short(each.values[i], 6)}${i === each.steps.length - 1 ? expected + why : ""}`, each.trial]));
  };
  const order = (each) => (chosen.has(each.trial) ? 9 : KINDS.findIndex(([state]) => state === each.state));
  [...data.lines].sort((a, b) => order(a) - order(b)).forEach(line);
  const entries = KINDS.filter(([state]) => count(state)).map(([state, kind, words]) => [marks.line(kind), `${words} (${count(state)})`]);
  if (chosen.size && data.lines.some((each) => chosen.has(each.trial))) {
    const words = data.one !== null ? `trial ${data.one}` : chosen.size === 1 ? `best: trial ${data.chosen[0]}` : "on the front";
    entries.unshift([marks.line("c-curve chosen"), words]);
  }
  const beyond = [cut.high && "above", cut.low && "below"].filter(Boolean).join(" and ");
  const remarks = [data.remark, beyond && `some values lie ${beyond} what is drawn`].filter(Boolean).join("; ");
  return [root, legend(entries), pointing(place, root, targets, 12), remark(remarks)].filter(Boolean);
}

// Curves often begin far from where they end: what lies far beyond their later halves is cut off.
function range(lines) {
  const half = Math.max(...lines.map((line) => line.steps.at(-1))) / 2;
  const late = lines.flatMap((line) => line.values.filter((_, i) => line.steps[i] >= half));
  const sorted = late.sort((a, b) => a - b), at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  const [low, high] = extent(lines.flatMap((line) => line.values)), more = 1.5 * (at(0.95) - at(0.05)) || Infinity;
  return [Math.max(low, at(0.05) - more), Math.min(high, at(0.95) + more)];
}

function mark(state, x, y, chosen) {
  const more = chosen ? " chosen" : "";
  if (state === "stopped") return svg("path", { d: `M${x} ${y - 4}V${y + 4}`, class: `c-stop${more}` });
  if (state === "failed") return svg("path", { d: `M${x - 3} ${y - 3}l6 6m0 -6l-6 6`, class: "c-failed" });
  return svg("circle", { cx: x, cy: y, r: 2.4, class: `${state === "running" ? "c-running-end" : "c-end"}${more}` });
}
