// Figures by uPlot: curves of all runs, and the jobs of one.

const HEIGHT = 300;

function axis(label, more = {}) {
  return {
    label, stroke: colour("faint"), font: "12px system-ui", labelFont: "12px system-ui", labelSize: 22,
    grid: {stroke: colour("line"), width: 1}, ticks: {stroke: colour("line"), width: 1}, ...more,
  };
}

// Ticks of a logarithmic axis at 1, 2 and 5 of a decade, or at 1. The filter keeps those with room.
const logValues = (_, splits) => splits.map((each) =>
  each > 0 ? each.toLocaleString("en", {maximumFractionDigits: 6}) : "");

function curves(place, runs, x, xLabel, ys, yLabel, more = {}) {
  const drawn = ys.some((each) => each.some((value) => value !== null));
  if (!drawn) return void place.replaceChildren(node("p", {class: "small"}, "Nothing to draw yet."));
  const scales = {x: {time: false}, y: more.logarithmic ? {distr: 3} : {range: more.range}};
  const plot = makePlot(place, {
    scales,
    axes: [axis(xLabel), axis(yLabel, {size: 64, ...(more.logarithmic ? {values: logValues} : {})})],
    series: [{label: xLabel, value: (_, each) => number(each)}, ...runs.map((run) => ({
      label: run.label, stroke: seriesColour(run.place), width: 1.75,
      paths: more.stepped ? uPlot.paths.stepped({align: 1}) : undefined, points: {show: false},
      value: (_, each) => number(each),
    }))],
  }, [x, ...ys]);
  listenToKeys(place, plot, x);
}

// A dot a job; `choose` is called with the number of the one that is clicked.
function dots(place, jobs, run, choose) {
  const unit = timeUnit(run.span);
  const order = [...jobs.slowdown.keys()].filter((job) => jobs.slowdown[job] > 0)
    .sort((one, two) => jobs.submit[one] - jobs.submit[two]);
  if (!order.length) return void place.replaceChildren(node("p", {class: "small"}, "No job has finished."));
  const x = order.map((job) => (run.origin + jobs.submit[job] * run.tick) / unit[1]);
  const plot = makePlot(place, {
    scales: {x: {time: false}, y: {distr: 3}},
    axes: [axis(`submit [${unit[0]}]`), axis("slowdown", {size: 64, values: logValues})],
    series: [
      {label: `submit [${unit[0]}]`, value: (_, each) => number(each)},
      {label: "slowdown", stroke: colour("series-0"), paths: () => null, value: (_, each) => number(each),
        points: {show: true, size: 4, width: 1, stroke: colour("series-0"), fill: colour("series-0")}},
    ],
  }, [x, order.map((job) => jobs.slowdown[job])]);
  plot.over.addEventListener("click", (event) => {
    const near = nearestDot(plot, event.offsetX, event.offsetY);
    if (near >= 0) choose(order[near]);
  });
  listenToKeys(place, plot, x);
}

function nearestDot(plot, left, top) {
  let [nearest, least] = [-1, 12 ** 2]; // pixels
  plot.data[0].forEach((x, at) => {
    const [dx, dy] = [plot.valToPos(x, "x") - left, plot.valToPos(plot.data[1][at], "y") - top];
    if (dx * dx + dy * dy < least) [nearest, least] = [at, dx * dx + dy * dy];
  });
  return nearest;
}

function makePlot(place, options, data) {
  place.plot?.destroy();
  place.replaceChildren();
  const plot = new uPlot({width: place.clientWidth, height: HEIGHT, legend: {live: true},
    cursor: {drag: {x: true, y: false}}, ...options}, data, place);
  place.plot = plot;
  place.querySelectorAll(".u-legend .u-series:not(:first-child) th").forEach(pressable);
  place.resized?.disconnect();
  place.resized = new ResizeObserver(() => {
    if (place.clientWidth !== plot.width) plot.setSize({width: place.clientWidth, height: HEIGHT});
  });
  place.resized.observe(place);
  return plot;
}

// A name that is clicked to show or hide a curve, by keys too.
function pressable(name) {
  name.tabIndex = 0;
  name.setAttribute("role", "button");
  name.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    name.click();
  });
}

function listenToKeys(place, plot, x) {
  place.tabIndex = 0;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", place.closest("figure").querySelector("figcaption").textContent.trim());
  place.onkeydown = (event) => {
    const {min, max} = plot.scales.x;
    const [low, high] = [x[0], x[x.length - 1]];
    const moved = keyed(event, min, max);
    if (moved === undefined || event.target !== place) return;
    event.preventDefault();
    const [from, to] = moved ?? [low, high];
    plot.setScale("x", {min: Math.max(from, low), max: Math.min(to, high)});
  };
}

// The span that a key makes of one; null: all; undefined: it is no such key.
function keyed(event, min, max) {
  const span = max - min;
  switch (event.key) {
    case "ArrowLeft": return [min - span / 5, max - span / 5];
    case "ArrowRight": return [min + span / 5, max + span / 5];
    case "+": case "=": return [min + span / 4, max - span / 4];
    case "-": case "−": case "_": return [min - span / 2, max + span / 2];
    case "Escape": case "Home": return null;
    default: return undefined;
  }
}
