// Probabilities and importances as bars, and what a cross-validation found as dots.

import { axis, CUT, fit, frame, pointing, remark } from "./frame.js";
import { extent, short } from "./scales.js";
import { html, svg } from "./svg.js";

// Each entry: name, share from 0 to 1, text beside it, and whether it is drawn in grey.
export function bars(place, entries, words) {
  const most = Math.max(1e-9, ...entries.map((entry) => entry.high ?? entry.share));
  const list = html("div", { class: "bars", role: "list", "aria-label": words });
  for (const entry of entries) {
    const length = (100 * entry.share) / most;
    const picture = svg("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: Math.max(length, 0.4), height: 12, rx: 0.5, class: entry.tried ? "c-bar tried" : "c-bar" }));
    if (entry.high !== undefined) {
      const from = (100 * entry.low) / most, to = (100 * entry.high) / most;
      picture.append(svg("path", { d: `M${from} 6H${to}M${from} 3V9M${to} 3V9`, class: "c-interval", "vector-effect": "non-scaling-stroke" }));
    }
    list.append(
      html("span", { class: "wrap", role: "listitem" }, entry.name),
      html("span", { class: "track" }, picture),
      html("span", { class: "num" }, entry.text),
    );
  }
  place.replaceChildren(list);
}

// Measured against expected: points [measured, expected, low, high, trial] of a cross-validation.
export function calibration(place, data) {
  fit(place, (width) => {
    const [x0, x1] = extent(data.points.map((point) => point[0]));
    const [low, high] = extent(data.points.flatMap((point) => [point[0], point[1]])), more = 0.3 * (high - low);
    const [least, most] = extent(data.points.flatMap((point) => [point[2], point[3]]));
    const y0 = Math.max(Math.min(low, least), low - more), y1 = Math.min(Math.max(high, most), high + more);
    const height = Math.round(Math.min(360, Math.max(240, width * 0.6)));
    const words = `${data.label}: measured against what the model expected without that result`;
    const { root, plot, within, x, y } = frame(
      width, height, axis({ low: x0, high: x1, label: `measured ${data.label}` }), axis({ low: y0, high: y1, label: "expected from all others, with 95 % interval" }), words,
    );
    within.append(svg("path", { d: `M${x(x0)} ${y(x0)}L${x(x1)} ${y(x1)}`, class: "c-diagonal" }));
    const cut = data.points.some(([, , from, to]) => from === null || to === null || from < y0 || to > y1);
    const targets = data.points.map(([measured, mean, from, to, number]) => {
      const missed = (from !== null && measured < from) || (to !== null && measured > to);
      within.append(svg("path", { d: `M${x(measured)} ${y(from ?? y0 - more)}V${y(to ?? y1 + more)}`, class: missed ? "c-whisker missed" : "c-whisker" }));
      plot.append(
        svg("circle", { cx: x(measured), cy: y(mean), r: 3, class: missed ? "c-dot missed" : "c-dot" }),
      );
      return [x(measured), y(mean), `Trial ${number}\nmeasured ${short(measured, 6)}\nexpected ${short(mean, 5)}, ${short(from)} to ${short(to)}`, number];
    });
    return [root, pointing(place, root, targets), remark(cut && CUT)].filter(Boolean);
  });
}
