// Every result in order, the best so far, and failures along the lower edge. A trial that was stopped
// early is where its curve was expected to end, or along the lower edge if nothing was expected.

import { axis, fit, frame, pointing, remark } from "./frame.js";
import { extent, short } from "./scales.js";
import { cross, diamond, legend, marks, pointer, star, svg, through } from "./svg.js";

export function progress(place, data) {
  fit(place, (width) => draw(place, data, width));
}

function draw(place, data, width) {
  if (!data.points.length && !data.failed.length && !data.stopped.length) return [document.createTextNode("No results yet.")];
  const bounds = [data.low, data.high].filter((bound) => bound !== null);
  const measured = [...data.points.map((point) => point[1]), ...bounds];
  const [low, high] = range(measured, data.stopped.map((each) => each[1]).filter((mean) => mean !== null));
  const best = data.best.at(-1);
  const words = `${data.label} of ${data.points.length} results` +
    (best ? `; the best is ${short(best[1], 6)} of trial ${best[0]}` : "");
  const across = axis({ low: -0.5, high: Math.max(1, data.last) + 0.5, whole: true, label: "trial" });
  const height = Math.round(Math.min(330, Math.max(230, width * 0.42)));
  const { root, plot, x, y, box } = frame(width, height, across, axis({ low, high, label: data.label }), words);
  const entries = [];
  for (const [bound, from] of [[data.low, box.bottom], [data.high, box.top]]) {
    if (bound === null || bound === undefined) continue;
    const at = y(bound);
    plot.append(
      svg("rect", { x: box.left, y: Math.min(at, from), width: box.right - box.left, height: Math.abs(at - from), class: "c-outside" }),
      svg("path", { d: `M${box.left} ${at}H${box.right}`, class: "c-bound" }),
    );
    if (!entries.length) entries.push([marks.line("c-bound"), "bound"]);
  }
  const targets = [];
  const radius = data.points.length > 400 ? 1.8 : data.points.length > 120 ? 2.4 : 3.2;
  const meaning = { met: "result", low: `below the target ${data.target}`, not: "not within all bounds", open: "undecided: outcomes are still to come" };
  for (const [number, value, kind] of data.points) {
    const at = [x(number), y(value)];
    plot.append(kind === "not" ? cross(at[0], at[1], radius, "c-not") : svg("circle", { cx: at[0], cy: at[1], r: radius, class: kind === "low" || kind === "open" ? "c-low" : "c-result" }));
    targets.push([...at, `Trial ${number}\n${short(value, 6)}${kind === "met" ? "" : `\n${meaning[kind]}`}`, number]);
  }
  for (const [kind, mark] of [["met", marks.dot("c-result")], ["low", marks.dot("c-low")], ["not", marks.cross("c-not")], ["open", marks.dot("c-low")]]) {
    if (data.points.some((point) => point[2] === kind)) entries.push([mark, meaning[kind]]);
  }
  const stopped = { known: 0, unknown: 0, beyond: 0 };
  for (const [number, mean, std] of data.stopped) {
    const kind = mean === null ? "unknown" : mean < low || mean > high ? "beyond" : "known";
    stopped[kind]++;
    const at = [x(number), kind === "known" ? y(mean) : kind === "beyond" && mean > high ? box.top + 5 : box.bottom - 6];
    const mark = kind === "beyond" ? pointer(at[0], at[1], mean > high ? -1 : 1) : diamond(at[0], at[1], 3.6, kind === "unknown" ? "c-stopped unknown" : "c-stopped");
    plot.append(mark);
    const end = mean === null ? "; nothing was expected of its end" : `\nexpected at its end ${short(mean)} ± ${short(std, 2)}${kind === "beyond" ? ", beyond this chart" : ""}`;
    targets.push([...at, `Trial ${number}\nstopped early${end}`, number]);
  }
  if (stopped.known) entries.push([marks.diamond(), "stopped early, at the end expected"]);
  if (stopped.beyond) entries.push([marks.pointer(), "stopped early, expected beyond this chart"]);
  if (stopped.unknown) entries.push([marks.diamond("c-stopped unknown"), "stopped early, no end expected"]);
  if (best) {
    const steps = [];
    data.best.forEach(([number, value], i) => {
      if (i) steps.push([x(number), y(data.best[i - 1][1])]);
      steps.push([x(number), y(value)]);
    });
    steps.push([x(data.last), y(best[1])]);
    plot.append(svg("path", { d: through(steps), class: "c-best" }), star(x(best[0]), y(best[1]), 9));
    entries.push([marks.line("c-best"), "best so far"], [marks.star(), `best: trial ${best[0]}`]);
  }
  for (const number of data.failed) {
    plot.append(cross(x(number), box.bottom - 6, 3));
    targets.push([x(number), box.bottom - 6, `Trial ${number}\nfailed`, number]);
  }
  if (data.failed.length) entries.push([marks.cross("c-failed"), "failed"]);
  for (const number of data.running) {
    plot.append(svg("circle", { cx: x(number), cy: box.bottom - 6, r: 3, class: "c-running" }));
    targets.push([x(number), box.bottom - 6, `Trial ${number}\nrunning`, number]);
  }
  if (data.running.length) entries.push([marks.dot("c-running"), "running"]);
  return [root, legend(entries), pointing(place, root, targets), remark(data.remark)].filter(Boolean);
}

// The range of all results and bounds, and of what was expected of stopped trials as far as that lies
// near: one that went astray must not press all results together.
function range(measured, expected) {
  if (!measured.length) return extent(expected);
  const [low, high] = extent(measured), more = 0.5 * (high - low);
  return extent([...measured, ...expected.filter((mean) => mean >= low - more && mean <= high + more)]);
}
