// Charts on a page: each place says which chart it wants and where its data are. Data that need a
// model are fetched when their place comes into view, and no more often than they can be made.

import { getWithDelay } from "./api.js";
import { bars, calibration } from "./charts/bars.js";
import { curves } from "./charts/curves.js";
import { front } from "./charts/front.js";
import { parallel } from "./charts/parallel.js";
import { progress } from "./charts/progress.js";
import { short } from "./charts/scales.js";
import { slices } from "./charts/slices.js";
import { html, svg } from "./charts/svg.js";

const DRAW = { progress, front, curves, parallel, slices, ranking, importances, validation, regret, card };

const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    entry.target.inView = entry.isIntersecting;
    if (entry.isIntersecting && entry.target.stale) load(entry.target);
  }
}, { rootMargin: "200px" });

export function mountCharts(root = document) {
  for (const place of root.querySelectorAll("[data-chart]")) {
    if (place.mounted) continue;
    place.mounted = true;
    place.stale = true;
    if (place.dataset.lazy !== undefined) wait(place);
    seen.observe(place);
  }
  for (const select of root.querySelectorAll("[data-chart-param]")) {
    if (select.mounted) continue;
    select.mounted = true;
    select.addEventListener("change", () => load(document.getElementById(select.dataset.for)));
  }
}

export function refreshCharts() {
  mountCharts();
  for (const place of document.querySelectorAll("[data-chart]")) {
    if (place.dataset.chart === "card") continue;
    place.stale = true;
    if (place.inView) later(place);
  }
}

function later(place) {
  const rest = (place.took ?? 0) * 2 - (performance.now() - (place.ended ?? -1e9));
  clearTimeout(place.timer);
  place.timer = setTimeout(() => { if (place.stale && place.isConnected) load(place); }, Math.max(0, Math.min(rest, 60000)));
}

// The server has an older answer for now: ask again when it can have a newer one.
function newer(place, seconds) {
  clearTimeout(place.timer);
  place.stale = true;
  place.timer = setTimeout(() => { if (place.isConnected && place.inView && !document.hidden) load(place); }, 1000 * (seconds + 1));
}

function address(place) {
  const url = new URL(place.dataset.url, location.href);
  for (const select of document.querySelectorAll("[data-chart-param]")) {
    if (select.dataset.for === place.id && select.value.trim()) url.searchParams.set(select.dataset.chartParam, select.value);
  }
  return url;
}

async function load(place) {
  place.stale = false;
  const began = performance.now();
  const turn = (place.turn = (place.turn ?? 0) + 1);
  place.setAttribute("aria-busy", "true");
  try {
    const { content, delay } = await getWithDelay(address(place));
    const text = JSON.stringify(content);
    if (delay) newer(place, delay);
    if (turn !== place.turn || !place.isConnected) return;
    if (content.waiting) wait(place); // it is being made, and will be asked for again
    else if (text !== place.shown) {
      place.shown = text;
      DRAW[place.dataset.chart](place, JSON.parse(text));
    }
  } catch (error) {
    if (turn === place.turn) refuse(place, error.message);
  }
  place.removeAttribute("aria-busy");
  place.took = performance.now() - began;
  place.ended = performance.now();
}

function wait(place) {
  if (place.dataset.chart === "regret" || place.querySelector(".waiting")) return;
  place.replaceChildren(html("p", { class: "waiting busy" }, "Asking the model"));
}

function refuse(place, words) {
  place.shown = null;
  if (place.dataset.chart === "regret") { place.textContent = "–"; place.title = words; return; }
  place.replaceChildren(html("p", { class: "empty" }, words));
}

const UNKNOWN = "not known while no result surely keeps the bounds";

function regret(place, data) {
  const unit = data.unit ? ` ${data.unit}` : "";
  if (data.mean === null) { // infinite
    place.textContent = "–";
    const note = place.parentElement.querySelector("[data-regret-note]");
    if (note) note.textContent = note.title = UNKNOWN;
    return;
  }
  place.replaceChildren(short(data.mean, 2), html("span", { class: "unit" }, unit));
  const note = place.parentElement.querySelector("[data-regret-note]");
  if (!note) return;
  note.textContent = note.title = `expected; 95 %: at most ${short(data.quantile, 2)}${unit}${where(data.context, ", at ")}`;
  if (data.remark) note.title += `. ${data.remark}`;
}

function ranking(place, data) {
  const unit = data.regret.unit ? ` ${data.regret.unit}` : "";
  const what = data.regions ? "region" : "candidate";
  const heads = [...data.names.map((name) => [name]), ["Probability"], ...data.outcomes.map((label) => [`expected ${label}`, "num"])];
  if (data.bounded) heads.push(["keeps the bounds", "num"]);
  heads.push(["Tried"]);
  const table = html("table", {}, html("thead", {}, html("tr", {}, ...heads.map(([name, kind]) => html("th", { scope: "col", class: kind }, name)))));
  const body = html("tbody", {});
  for (const contender of data.contenders) {
    if (!contender.probability && body.children.length >= 3) continue;
    const bar = svg("svg", { class: "share", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: 100, height: 8, class: "c-track" }), svg("rect", { width: 100 * Math.min(1, contender.probability), height: 8, class: "c-bar" }));
    body.append(html("tr", {},
      ...contender.settings.map((text) => html("td", { class: "nowrap" }, text)),
      html("td", { class: "nowrap" }, bar, ` ${percent(contender.probability)}`),
      ...contender.expected.map((text) => html("td", { class: "num" }, text)),
      ...(data.bounded ? [html("td", { class: "num" }, contender.within === null ? "–" : percent(contender.within))] : []),
      html("td", {}, contender.tried ? "yes" : "no")));
  }
  table.append(body);
  const cost = data.regret.mean === null ? `What stopping now costs is ${UNKNOWN}.` : `Stopping now costs ${short(data.regret.mean, 2)}${unit} on average, and at most ${short(data.regret.quantile, 2)}${unit} with a probability of 95 %, as far as the model knows. ${data.regret.remark}`;
  const advice = data.regret.recommended.length ? html("p", { class: "soft" }, `Compared with ${data.regret.recommended.map(([name, value]) => `${name} ${value}`).join(", ")}.`) : null;
  const here = data.context.length ? html("p", {}, `${where(data.context, "Where ", " is ")}:`) : null;
  const share = data.front ? `on whose front each ${what} is` : `whose maximum lies in each ${what}`;
  place.replaceChildren(...[
    here, html("p", {}, cost), advice, html("div", { class: "scroll" }, table),
    html("p", { class: "remark" }, `The share of ${data.paths.toLocaleString("en")} sample paths ${share}${data.exact ? "" : "; the paths are approximate"}.`),
  ].filter(Boolean));
}

// The context that is spoken of, in words; nothing where there is none.
function where(context, before, between = " ") {
  return context.length ? before + context.map(([name, value]) => `${name}${between}${value}`).join(", ") : "";
}

const percent = (share) => `${(100 * share).toFixed(share > 0.995 || share < 0.0995 ? 1 : 0)} %`;

function importances(place, data) {
  const entries = data.importances.map((entry) => ({ name: entry.label, share: entry.share, low: entry.low, high: entry.high, text: `${(100 * entry.share).toFixed(0)} %` }));
  const chart = html("div", {});
  bars(chart, entries, "importance of each parameter");
  place.replaceChildren(chart, ...(data.remark ? [html("p", { class: "remark" }, data.remark)] : []));
}

function validation(place, data) {
  const chart = html("div", { class: "chart" });
  place.replaceChildren(chart, html("p", { class: "remark" }, [data.words, data.remark].filter(Boolean).join(" ")));
  calibration(chart, data);
}

// Why a trial was suggested: lines of a label, two blanks or more, and what it says.
function card(place, data) {
  const list = html("dl", { class: "why" });
  const lines = data.lines.slice(1);
  for (const line of lines) {
    const [, label, text] = line.match(/^(.*?)\s{2,}(.*)$/s) || [null, "", line];
    list.append(html("dt", {}, label), html("dd", {}, text));
  }
  place.replaceChildren(html("p", { class: "soft" }, data.title), list);
}
