// Two outcomes against each other, with the front: the results that no other beats in both.

import { axis, fit, frame, pointing, remark } from "./frame.js";
import { extent, short } from "./scales.js";
import { cross, legend, marks, svg, through } from "./svg.js";

export function front(place, data) {
  fit(place, (width) => draw(place, data, width));
}

function draw(place, data, width) {
  if (!data.points.length) return [document.createTextNode("No trial has both results yet.")];
  const [x0, x1] = extent(data.points.map((point) => point[1]));
  const [y0, y1] = extent(data.points.map((point) => point[2]));
  const title = (part) => (part.direction ? `${part.label}, ${part.direction}` : part.label);
  const height = Math.round(Math.min(420, Math.max(260, width * 0.55)));
  const best = data.points.filter((point) => point[3] === "front");
  const words = `${data.up.label} against ${data.across.label}: ${best.length} of ${data.points.length} results are on the front`;
  const { root, plot, x, y, box } = frame(
    width, height, axis({ low: x0, high: x1, label: title(data.across) }), axis({ low: y0, high: y1, label: title(data.up) }), words,
  );
  const inside = (at, from, to) => at > Math.min(from, to) && at < Math.max(from, to);
  for (const bound of [data.across.low, data.across.high]) {
    if (bound !== null && inside(x(bound), box.left, box.right)) plot.append(svg("path", { d: `M${x(bound)} ${box.top}V${box.bottom}`, class: "c-bound" }));
  }
  for (const bound of [data.up.low, data.up.high]) {
    if (bound !== null && inside(y(bound), box.top, box.bottom)) plot.append(svg("path", { d: `M${box.left} ${y(bound)}H${box.right}`, class: "c-bound" }));
  }
  const targets = [], entries = [];
  const place_ = ([number, a, b, kind]) => {
    const at = [x(a), y(b)];
    if (kind === "not") plot.append(cross(at[0], at[1], 2.8, "c-not"));
    else plot.append(svg("circle", { cx: at[0], cy: at[1], r: kind === "front" ? 4.5 : 2.6, class: { front: "c-front", low: "c-low", open: "c-low" }[kind] ?? "c-result" }));
    const note = { front: "\non the front", met: "", low: `\nbelow the target ${data.target}`, not: "\nnot within all bounds", open: "\nundecided: outcomes are still to come" }[kind];
    targets.push([...at, `Trial ${number}\n${data.across.label}: ${short(a, 6)}\n${data.up.label}: ${short(b, 6)}${note}`, number]);
  };
  data.points.filter((point) => point[3] !== "front").forEach(place_);
  if (data.line && best.length > 1) {
    const ordered = [...best].sort((one, other) => one[1] - other[1]).map((p) => [x(p[1]), y(p[2])]);
    plot.append(svg("path", { d: through(steps(ordered, data.across.direction)), class: "c-best" }));
  }
  best.forEach(place_);
  if (best.length) entries.push([marks.dot("c-front"), `front (${best.length})`]);
  if (data.points.some((point) => point[3] === "met")) entries.push([marks.dot("c-result"), "other results"]);
  if (data.points.some((point) => point[3] === "low")) entries.push([marks.dot("c-low"), `below the target ${data.target}`]);
  if (data.points.some((point) => point[3] === "not")) entries.push([marks.cross("c-not"), "not within all bounds"]);
  if (data.points.some((point) => point[3] === "open")) entries.push([marks.dot("c-low"), "undecided: outcomes are still to come"]);
  return [root, legend(entries), pointing(place, root, targets), remark(data.remark)].filter(Boolean);
}

// The corners of what the front beats in both: between two points only the one that is better across reaches as far.
function steps(points, direction) {
  const corner = ([x0, y0], [x1, y1]) => (direction === "maximize" ? [x0, y1] : [x1, y0]);
  return points.flatMap((point, i) => (i ? [corner(points[i - 1], point), point] : [point]));
}
