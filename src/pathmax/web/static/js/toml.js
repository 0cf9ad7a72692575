// A space.toml from the entries of a form. Strings are written as JSON writes them, which TOML reads.

export function toml(space) {
  const lines = [`study = ${value(space.study ?? "")}`];
  if (space.where?.length) lines.push(`where = [\n${space.where.map((each) => `  ${value(each)},`).join("\n")}\n]`);
  for (const section of ["objective", "outcomes", "parameters", "settings"]) {
    if (!space[section]) continue;
    lines.push("", `[${section}]`);
    for (const [name, entry] of Object.entries(space[section])) lines.push(`${key(name)} = ${value(entry)}`);
  }
  return `${lines.join("\n")}\n`;
}

function key(name) {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : value(name);
}

function value(entry) {
  if (Array.isArray(entry)) return `[${entry.map(value).join(", ")}]`;
  if (entry !== null && typeof entry === "object") {
    return `{ ${Object.entries(entry).map(([name, each]) => `${key(name)} = ${value(each)}`).join(", ")} }`;
  }
  if (typeof entry === "number") return String(entry).replace("e+", "e");
  if (typeof entry === "boolean") return String(entry);
  return JSON.stringify(String(entry)).replaceAll("\u007f", "\\u007f");
}
