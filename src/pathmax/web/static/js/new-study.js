// The form for a new study: each change is checked by the server, which says what is wrong with
// which row; the same as a space.toml stands beside it.

import { post } from "./api.js";
import { html } from "./charts/svg.js";
import { number, pairs, problemOfComponents, problemOfList, problemOfNumbers, problemOfThousands, split } from "./typed-lists.js";
import { toml } from "./toml.js";

const PAUSE = 250; // milliseconds without a key
const find = (id) => document.getElementById(id);
const rows = { outcomes: find("outcomes"), params: find("params"), sentences: find("sentences") };
let count = 0;

function field(label, input, words = label) {
  input.setAttribute("aria-label", words);
  return html("label", { class: "field" }, html("span", {}, label), input);
}

function choose(options, chosen) {
  const select = html("select", {});
  for (const [value, words] of options) select.append(html("option", { value, selected: value === chosen }, words));
  return select;
}

function remove(item, what) {
  const button = html("button", { type: "button", class: "quiet", "aria-label": `Remove this ${what}` }, "✕");
  button.addEventListener("click", () => { item.remove(); changed(); });
  return button;
}

function addParameter(given = {}) {
  const item = html("li", {});
  const n = ++count;
  const name = html("input", { placeholder: "temperature", value: given.name ?? "", "data-role": "name" });
  const kind = choose([["float", "number"], ["int", "whole number"], ["categorical", "choices"], ["values", "listed numbers"], ["mixture", "mixture"], ["fidelity", "fidelity, a range"], ["levels", "fidelity, by name"], ["fixed", "always the same"]], given.kind ?? "float");
  const low = html("input", { inputmode: "decimal", placeholder: "20", value: given.low ?? "" });
  const high = html("input", { inputmode: "decimal", placeholder: "120", value: given.high ?? "" });
  const list = html("input", { placeholder: "DMF, THF, water", value: given.list ?? "" });
  const unit = html("input", { placeholder: "°C", value: given.unit ?? "" });
  const log = html("input", { type: "checkbox", checked: given.log });
  const step = html("input", { inputmode: "decimal", class: "short" });
  const total = html("input", { inputmode: "decimal", class: "short", value: "100", "aria-label": `total of parameter ${n}` });
  const most = html("input", { inputmode: "numeric", class: "short", "aria-label": `most components of parameter ${n}` });
  const costs = html("input", { placeholder: "1, 10, 100", class: "code", "aria-label": `costs of parameter ${n}` });
  const apart = html("input", { type: "checkbox", "aria-label": `parameter ${n} is given and not chosen` });
  const when = html("input", { placeholder: "solvent == 'THF'", class: "when" });
  const range = html("div", { class: "pair" }, field("lowest", low, `lowest value of parameter ${n}`), field("highest", high, `highest value of parameter ${n}`));
  const listed = field("choices", list, `choices of parameter ${n}`);
  const unitField = field("unit", unit, `unit of parameter ${n}`);
  const logLabel = html("label", {}, log, "by orders of magnitude");
  const stepLabel = html("label", {}, "in steps of", step);
  const whenLabel = html("label", {}, "only when", when);
  const totalLabel = html("label", {}, "adding up to", total);
  const costLabel = html("label", {}, "that cost", costs);
  const givenLabel = html("label", {}, apart, "given, not chosen");
  const mostLabel = html("label", {}, "at most so many at a time", most);
  const says = html("p", { class: "says", role: "alert" });
  item.append(
    field("parameter", name, `name of parameter ${n}`), field("is a", kind, `kind of parameter ${n}`), range, listed, unitField, remove(item, "parameter"),
    html("div", { class: "more" }, totalLabel, mostLabel, costLabel, logLabel, stepLabel, whenLabel, givenLabel), says,
  );
  const arrange = () => {
    const fidelity = kind.value === "fidelity" || kind.value === "levels";
    const number = kind.value === "float" || kind.value === "int" || kind.value === "fidelity";
    range.hidden = !number;
    listed.hidden = number;
    const mixture = kind.value === "mixture";
    logLabel.hidden = ["categorical", "fixed", "levels"].includes(kind.value) || mixture;
    stepLabel.hidden = (!number && !mixture) || fidelity;
    whenLabel.hidden = givenLabel.hidden = kind.value === "fixed" || mixture || fidelity;
    totalLabel.hidden = mostLabel.hidden = !mixture;
    costLabel.hidden = kind.value !== "levels";
    list.placeholder = { mixture: "water 0 to 60, ethanol 0 to 60, oil 5 to 60", levels: "simulation, pilot, plant" }[kind.value] ?? "DMF, THF, water";
    listed.firstChild.textContent = { categorical: "choices, with commas or semicolons between", values: "numbers, with commas or semicolons between", mixture: "components, each with its range", levels: "levels, the one that is wanted last", fixed: "value" }[kind.value] ?? "";
  };
  kind.addEventListener("change", arrange);
  arrange();
  item.says = says;
  item.read = () => {
    const more = {};
    if (unit.value.trim()) more.unit = unit.value.trim();
    if (when.value.trim() && !whenLabel.hidden) more.when = when.value.trim();
    if (apart.checked && !givenLabel.hidden) more.context = true;
    if (kind.value === "fixed") return [name.value.trim(), scalar(list.value.trim())];
    if (kind.value === "categorical") {
      const choices = split(list.value);
      return [name.value.trim(), Object.keys(more).length ? { choices, ...more } : choices];
    }
    if (kind.value === "mixture") {
      const entry = { components: components(list.value), total: number(total.value) };
      if (most.value.trim()) entry.at_most = number(most.value);
      if (step.value.trim()) entry.step = number(step.value);
      return [name.value.trim(), { ...entry, ...more }];
    }
    if (kind.value === "levels") {
      const levels = { type: "fidelity", levels: split(list.value) };
      if (costs.value.trim()) levels.cost = split(costs.value).map(number);
      return [name.value.trim(), { ...levels, ...more }];
    }
    if (kind.value === "values") return [name.value.trim(), { values: split(list.value).map(number), ...(log.checked ? { log: true } : {}), ...more }];
    const entry = { low: number(low.value), high: number(high.value) };
    if (kind.value === "int" || kind.value === "fidelity") entry.type = kind.value;
    if (log.checked) entry.log = true;
    if (step.value.trim() && !stepLabel.hidden) entry.step = number(step.value);
    return [name.value.trim(), { ...entry, ...more }];
  };
  item.problem = () => {
    const lists = range.hidden && kind.value !== "fixed";
    const numbers = [step, total, most].filter((each) => !each.parentElement.hidden).map((each) => each.value);
    if (!range.hidden) numbers.push(low.value, high.value);
    if (kind.value === "values") numbers.push(...split(list.value));
    if (kind.value === "levels") numbers.push(...split(costs.value));
    if (kind.value === "fixed") numbers.push(list.value);
    if (kind.value === "mixture") numbers.push(...pairs(list.value).flatMap(([, low, high]) => [low, high]));
    return (lists && problemOfList(list.value)) || (kind.value === "values" && problemOfNumbers(split(list.value)))
      || (kind.value === "mixture" && problemOfComponents(pairs(list.value))) || problemOfThousands(numbers) || "";
  };
  item.isEmpty = () => !name.value.trim() && !low.value.trim() && !high.value.trim() && !list.value.trim();
  item.isHalf = () => !name.value.trim() || (range.hidden ? !list.value.trim() : !low.value.trim() || !high.value.trim());
  rows.params.append(item);
  return name;
}

function addOutcome(given = {}) {
  const item = html("li", {});
  const n = ++count;
  const name = html("input", { placeholder: "yield", value: given.name ?? "" });
  const wanted = choose([["maximize", "as much as possible"], ["minimize", "as little as possible"], ["bound", "within a bound"]], given.wanted ?? "maximize");
  const bound = html("input", { placeholder: "<= 0.5   or   10 to 50   or   7 +- 0.2" });
  const unit = html("input", { placeholder: "%" });
  const bounds = field("bound", bound, `bound of outcome ${n}`);
  const says = html("p", { class: "says", role: "alert" });
  item.append(field("outcome", name, `name of outcome ${n}`), field("is wanted", wanted, `what is wanted of outcome ${n}`), bounds, field("unit", unit, `unit of outcome ${n}`), remove(item, "outcome"), says);
  const arrange = () => { bounds.firstChild.textContent = wanted.value === "bound" ? "bound" : "bound, if there is one too"; };
  wanted.addEventListener("change", arrange);
  arrange();
  item.says = says;
  item.read = () => {
    const entry = {};
    if (wanted.value !== "bound") entry.direction = wanted.value;
    if (bound.value.trim()) entry.bound = bound.value.trim().replace(/\d+,\d+/g, (each) => String(number(each)));
    if (unit.value.trim()) entry.unit = unit.value.trim();
    return [name.value.trim(), entry];
  };
  item.isEmpty = () => !name.value.trim() && !bound.value.trim();
  item.isHalf = () => !name.value.trim() || (wanted.value === "bound" && !bound.value.trim());
  rows.outcomes.append(item);
  return name;
}

function addSentence() {
  const item = html("li", {});
  const n = ++count;
  const text = html("input", { class: "code", placeholder: "catalyst + ligand <= 10", "aria-label": `sentence ${n}` });
  item.append(text, remove(item, "sentence"));
  item.read = () => text.value.trim();
  rows.sentences.append(item);
  return text;
}

function components(text) {
  return Object.fromEntries(pairs(text).map(([name, low, high]) => [name, [number(low), number(high)]]));
}

function scalar(text) {
  return text === "true" || text === "false" ? text === "true" : number(text);
}

export function read() {
  const space = { study: find("study-name").value.trim() };
  const outcomes = [...rows.outcomes.children].filter((item) => !item.isEmpty()).map((item) => item.read());
  const where = [...rows.sentences.children].map((item) => item.read()).filter(Boolean);
  if (where.length) space.where = where;
  if (outcomes.length === 1 && outcomes[0][1].direction && !outcomes[0][1].bound) {
    space.objective = { name: outcomes[0][0], ...outcomes[0][1] };
  } else if (outcomes.length) space.outcomes = Object.fromEntries(outcomes);
  space.parameters = Object.fromEntries([...rows.params.children].filter((item) => !item.isEmpty()).map((item) => item.read()));
  return space;
}

let timer = null, turn = 0;
const byHand = () => find("by-hand").checked;

function changed() {
  if (!byHand()) find("toml").value = toml(read());
  find("make").disabled = true;
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

function clear() {
  for (const place of document.querySelectorAll(".says")) place.textContent = "";
  find("trouble-form").textContent = "";
  find("ready").hidden = true;
}

// What the form itself can tell: rows that are only begun are not wrong yet, but not ready either.
function unfinished() {
  if (byHand()) return find("toml").value.trim() ? "" : "Write a space.toml, or open one.";
  if (!find("study-name").value.trim()) return "The study needs a name.";
  const outcomes = [...rows.outcomes.children].filter((item) => !item.isEmpty());
  const params = [...rows.params.children].filter((item) => !item.isEmpty());
  if (!outcomes.length) return "Say what is measured.";
  if (!params.length) return "Say what may vary.";
  if ([...outcomes, ...params].some((item) => item.isHalf())) return "A row is not complete yet.";
  for (const [what, items] of [["parameters", params], ["outcomes", outcomes]]) {
    const names = items.map((item) => item.read()[0]);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice) return `Two ${what} are called ${twice}.`;
  }
  return "";
}

// Rows with something that can be read in two ways, or not at all.
function unclear() {
  return byHand() ? [] : [...rows.params.children].filter((item) => !item.isEmpty() && item.problem());
}

async function check() {
  const mine = ++turn;
  const waiting = unfinished();
  if (waiting) {
    clear();
    find("ready").hidden = false;
    find("ready").classList.add("waiting");
    find("ready").textContent = waiting;
    return;
  }
  if (unclear().length) {
    clear();
    for (const item of unclear()) item.says.textContent = item.problem();
    return;
  }
  try {
    const { errors } = await post("/api/check", byHand() ? { toml: find("toml").value } : { space: read() });
    if (mine !== turn) return;
    clear();
    for (const error of errors) mark(error);
    find("make").disabled = errors.length > 0;
    if (!errors.length) {
      find("ready").hidden = false;
      find("ready").classList.remove("waiting");
      find("ready").textContent = "All is well: the study can be made.";
    }
  } catch (error) {
    if (mine !== turn) return;
    clear();
    find("trouble-form").textContent = error.message;
  }
}

// Put a sentence beside the row that it is about.
function mark({ where, message }) {
  const words = message.replace(/^the form(, line \d+)?: /, "");
  if (byHand()) { find("trouble-form").textContent += `${words} `; return; }
  const [section, name] = where ?? [];
  const list = { parameters: rows.params, outcomes: rows.outcomes, objective: rows.outcomes }[section];
  const row = list && [...list.children].find((item) => item.read()[0] === name || (section === "objective" && !item.isEmpty()));
  const place = row?.says ?? document.querySelector(`[data-says="${CSS.escape(section === "objective" ? "outcomes" : section ?? "")}"]`) ?? find("trouble-form");
  place.textContent += `${words} `;
}

find("more-params").addEventListener("click", () => addParameter().focus());
find("more-outcomes").addEventListener("click", () => addOutcome().focus());
find("more-sentences").addEventListener("click", () => addSentence().focus());
find("by-hand").addEventListener("change", () => {
  find("toml").readOnly = !byHand();
  find("file-words").textContent = byHand() ? "As pathmax init writes it" : "What the form says, as a file for the command line";
  for (const section of document.querySelectorAll(".maker > .column:first-child .panel")) section.toggleAttribute("inert", byHand());
  changed();
});
find("toml-file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  find("toml").value = await file.text();
  find("by-hand").checked = true;
  find("by-hand").dispatchEvent(new Event("change"));
});
find("maker").addEventListener("input", changed);
find("maker").addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = find("make");
  if (button.disabled || button.getAttribute("aria-busy") === "true") return;
  button.setAttribute("aria-busy", "true");
  try {
    const made = await post("/api/studies", byHand() ? { toml: find("toml").value } : { space: read() });
    location.href = `/studies/${encodeURIComponent(made.name)}`;
  } catch (error) {
    find("trouble-form").textContent = error.message;
    button.removeAttribute("aria-busy");
  }
});

addOutcome();
addParameter();
addParameter();
changed();
find("study-name").focus();
