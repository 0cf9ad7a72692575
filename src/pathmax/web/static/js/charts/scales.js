// From values to pixels, and the numbers that stand along an axis.

export function linear(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((value - low) / span) * (to - from);
}

export function logarithmic(low, high, from, to) {
  const span = Math.log(high / low) || 1;
  return (value) => from + (Math.log(value / low) / span) * (to - from);
}

// Round numbers from low to high, about `count` of them.
export function ticks(low, high, count = 5, whole = false) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.75) || power * 10;
  if (whole) step = Math.max(1, Math.round(step));
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(i * step);
  return found.map((value) => (Math.abs(value) < step * 1e-9 ? 0 : value));
}

// Powers of ten; where there are few, 2 and 5 times them too.
export function logTicks(low, high, count = 6) {
  const decades = Math.log10(high / low);
  const factors = decades > 3 ? [1] : decades > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  const every = Math.max(1, Math.ceil(decades / count));
  const found = [];
  for (let e = Math.floor(Math.log10(low) + 1e-9); e <= Math.log10(high) + 1e-9; e++) {
    if (decades > 3 && e % every) continue;
    for (const factor of factors) {
      const value = factor * 10 ** e;
      if (value >= low * 0.9999 && value <= high * 1.0001) found.push(value);
    }
  }
  return found.length > 1 ? found : [low, high];
}

// A number in at most four digits, without an exponent where it can be avoided.
export function short(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-3 || size >= 1e6) {
    return value.toExponential(Math.max(0, digits - 2)).replace(/\.?0+e/, "e").replace("e+", "e");
  }
  return String(Number(value.toPrecision(digits)));
}

// The range of some numbers with a little room at both ends.
export function extent(numbers, room = 0.06) {
  let low = Infinity, high = -Infinity;
  for (const number of numbers) {
    if (number === null || !Number.isFinite(number)) continue;
    if (number < low) low = number;
    if (number > high) high = number;
  }
  if (low > high) return [0, 1];
  const margin = high > low ? (high - low) * room : Math.abs(high) * 0.05 || 1;
  return [low - margin, high + margin];
}
