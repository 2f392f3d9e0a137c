// Numbers and spans of time in words.

const NO_TICK = 4294967295;
const OUTCOMES = ["finished", "failed", "lost", "ran when the log ended", "came back from its queue",
  "killed", "suspended"];
const ACTIVE = 1;
const STATES = ["not submitted", "active", "finished", "failed", "killed"];

// Four significant digits, at most three after the point; a dash where there is no number.
function number(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const digits = 3 - Math.floor(Math.log10(Math.abs(value)));
  const shown = Math.min(Math.max(digits, 0), 3);
  return value.toLocaleString("en", {minimumFractionDigits: shown, maximumFractionDigits: shown})
    .replace("-", "−");
}

function count(value) {
  return value.toLocaleString("en");
}

function countOf(value, thing) {
  return `${count(value)} ${thing}${value === 1 ? "" : "s"}`;
}

// The unit for an axis of that length in seconds.
function timeUnit(span) {
  if (span >= 3 * 86400) return ["days", 86400];
  if (span >= 3 * 3600) return ["h", 3600];
  if (span >= 600) return ["min", 60];
  return span >= 0.5 ? ["s", 1] : ["ms", 0.001];
}

// Round numbers from low to high, about `wanted` of them.
function roundSteps(low, high, wanted) {
  const raw = (high - low) / Math.max(wanted, 1);
  if (!(raw > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((each) => each * power >= raw * 0.999);
  const found = [];
  for (let at = Math.ceil(low / step); at * step <= high; ++at) found.push(at * step);
  return found;
}

function node(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}
