// Lists and numbers as people type them: "DMF, THF", "0,5; 1; 2", "water 0 to 60, oil 5 to 60".
// What can be read in two ways is a problem, in words, and never a guess.

// Between semicolons where there is one, else between commas; what stands in quotes is kept whole.
export function split(text) {
  const parts = [""];
  const mark = separator(text);
  for (const piece of text.match(/"[^"]*"|[^]/g) ?? []) {
    if (piece === mark) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts.map((each) => each.trim().replace(/^"([^"]*)"$/, "$1")).filter(Boolean);
}

const unquoted = (text) => text.replace(/"[^"]*"/g, "");
const separator = (text) => (unquoted(text).includes(";") ? ";" : ",");

// Name, least and greatest amount of each: "water 0 to 60", "water 0-60" or "water: 0-60".
export function pairs(text) {
  return split(text).map((part) => {
    const [, name, low, high] = part.match(/^(.*?)\s*[\s:=]\s*(\S+?)\s*(?:to|-|–)\s*(\S+)$/) ?? [null, part, "", ""];
    return [name.replace(/^"([^"]*)"$/, "$1"), low, high];
  });
}

// A number where it reads as one; other text goes to the server, which says what is wrong with it.
export function number(text) {
  const plain = text.trim().replace(",", ".");
  return plain !== "" && !isThousands(text) && Number.isFinite(Number(plain)) ? Number(plain) : text.trim();
}

const isThousands = (text) => /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text.trim());

export function problemOfList(text) {
  const plain = unquoted(text);
  if (separator(text) === ";" || !/,\s+\S/.test(plain) || !/,\S/.test(plain)) return "";
  return "Some commas have a space behind them and others have not: put semicolons between what belongs apart, as in N,N-dimethylaniline; THF or in 0,5; 1.";
}

export function problemOfNumbers(items) {
  const wrong = items.find((each) => !isThousands(each) && typeof number(each) !== "number");
  return wrong === undefined ? "" : `${wrong} is not a number: write numbers alone, or make them choices.`;
}

export function problemOfComponents(components) {
  const open = components.find(([, low]) => low === "");
  if (open) return `${open[0]} has no range: write how much of it there may be, as in ${open[0]} 0 to 60.`;
  const names = components.map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice ? `Two components are called ${twice}.` : "";
}

export function problemOfThousands(texts) {
  const unclear = texts.find(isThousands);
  return unclear ? `${unclear} may be ${unclear.replace(",", ".")} or ${unclear.replace(",", "")}: write it with a decimal point or without the comma.` : "";
}
