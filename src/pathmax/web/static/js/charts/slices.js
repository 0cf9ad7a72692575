// What the model expects along each parameter, with its band, through one trial.

import { axis, CUT, fit, frame, pointing } from "./frame.js";
import { extent, short } from "./scales.js";
import { html, legend, marks, star, svg, through } from "./svg.js";

export function slices(place, data) {
  const cards = html("div", { class: "cards" });
  const everything = data.slices.flatMap((slice) => [...slice.lower, ...slice.upper]);
  const range = seen(data, everything);
  const cut = everything.some((end) => end === null || end < range[0] || end > range[1]);
  const remarks = [data.remark, cut && CUT].filter(Boolean).map((words) => html("p", { class: "remark" }, words));
  const entries = [
    [marks.band(), "expected, with 95 % band"],
    [marks.dot("c-result"), "results, at other settings too"],
    [marks.star(), `trial ${data.through}, through which they cut`],
  ];
  place.replaceChildren(legend(entries), cards, ...remarks);
  for (const slice of data.slices) {
    const chart = html("div", { class: "chart" });
    cards.append(html("figure", {}, chart));
    fit(chart, (width) => draw(chart, slice, data, range, width));
  }
}

// Bands far from all data may be huge: they are cut off where they would hide everything else.
function seen(data, bands) {
  const [low, high] = extent(data.slices.flatMap((slice) => [...slice.mean, ...slice.results.map((result) => result[1])]), 0.05);
  const [least, most] = extent(bands, 0.02), more = 0.35 * (high - low);
  return [Math.max(Math.min(low, least), low - more), Math.min(Math.max(high, most), high + more)];
}

function draw(place, slice, data, range, width) {
  const span = range[1] - range[0]; // what has no end is null: it ends beyond the edge
  const lower = slice.lower.map((end) => end ?? range[0] - span), upper = slice.upper.map((end) => end ?? range[1] + span);
  const words = `${data.label} expected along ${slice.axis.label}, at the other settings of trial ${data.through}`;
  const across = axis(slice.axis);
  const { root, plot, within, x, y, box } = frame(width, 210, across, axis({ low: range[0], high: range[1], label: data.label }), words);
  if (slice.kind === "band") {
    // What known constraints forbid is left out: a line for each stretch in between.
    slice.starts.forEach((start, part) => {
      const end = slice.starts[part + 1] ?? slice.x.length;
      const along = (heights) => slice.x.slice(start, end).map((value, i) => [x(value), y(heights[start + i])]);
      within.append(
        svg("path", { d: `${through([...along(upper), ...along(lower).reverse()])}Z`, class: "c-band" }),
        svg("path", { d: through(along(slice.mean)), class: "c-mean" }),
      );
    });
  } else {
    if (slice.kind === "steps" && slice.x.length > 1) within.append(svg("path", { d: through(slice.x.map((v, i) => [x(v), y(slice.mean[i])])), class: "c-mean thin" }));
    slice.x.forEach((value, i) => {
      if (slice.kind !== "dots") within.append(svg("path", { d: `M${x(value)} ${y(lower[i])}V${y(upper[i])}`, class: "c-whisker" }));
      within.append(svg("circle", { cx: x(value), cy: y(slice.mean[i]), r: slice.kind === "dots" ? 1.8 : 3.4, class: "c-dot" }));
    });
  }
  const targets = slice.results.map(([value, result, number]) => {
    plot.append(svg("circle", { cx: x(value), cy: y(result), r: 2.4, class: "c-result" }));
    return [x(value), y(result), `Trial ${number}\n${short(result, 6)}`, number];
  });
  if (slice.centre !== null) {
    within.prepend(svg("path", { d: `M${x(slice.centre)} ${box.top}V${box.bottom}`, class: "c-cut" }));
    if (data.value !== null) plot.append(star(x(slice.centre), y(data.value), 7.5));
  }
  return [root, pointing(place, root, targets, 12)];
}
