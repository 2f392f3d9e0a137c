// The cluster over time: of all slots how busy they are, and closer by each attempt in its slot.

const MOST_DRAWN = 20000; // attempts, each by itself
const LEAST_ROW = 2.2; // pixels of a slot, for that
const BLOCK = 3; // pixels of a row of slots together
const SHADES = 64;

// Attempts whose bit of time and whose slot are in the view.
function seen(run, view) {
  const {start, end, lane, length} = run.attempts;
  const found = [];
  for (let at = 0; at < length; ++at) {
    if (start[at] < view.x1 && end[at] > view.x0 && lane[at] + 1 > view.y0 && lane[at] < view.y1) found.push(at);
  }
  return found;
}

// Returns what stands on the canvas, in words.
function drawCluster(run, view, chosenJob) {
  const pen = view.begin();
  const there = seen(run, view);
  const oneByOne = view.rowHeight >= LEAST_ROW && there.length <= MOST_DRAWN;
  view.inside(pen, () => oneByOne ? drawAttempts(pen, run, view, there, chosenJob)
    : drawShades(pen, run, view, there, chosenJob));
  const step = Math.max(1, Math.round(roundSteps(0, view.y1 - view.y0, view.height / 44)[1] ?? 1));
  const first = Math.ceil(view.y0 / step) * step;
  const rows = [];
  for (let row = first; row <= view.y1; row += step) {
    rows.push(step === 1 ? [row + 0.5, count(row + 1)] : [row, count(row)]);
  }
  view.axes(pen, run, rows, run.slots ? "slots, node by node" : "places, node by node");
  view.oneByOne = oneByOne;
  if (oneByOne && view.canvas.matches(":focus-visible")) markMiddle(pen, view);
  const from = Math.floor(view.y0) + 1;
  const to = Math.min(Math.ceil(view.y1), run.rows);
  return `${run.slots ? "Slots" : "Places"} ${count(from)} to ${count(to)} of ${count(run.rows)}, from ${
    number(seconds(run, view.x0))} s to ${number(seconds(run, view.x1))} s: ${countOf(there.length, "attempt")}, ${
    oneByOne ? "each by itself, in the colour of its job" : "as shares of time in use"}.`;
}

// Where Enter chooses.
function markMiddle(pen, view) {
  const [left, top] = [MARGIN.left + view.width / 2, MARGIN.top + view.height / 2];
  pen.strokeStyle = colour("ink");
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(left - 9, top);
  pen.lineTo(left + 9, top);
  pen.moveTo(left, top - 9);
  pen.lineTo(left, top + 9);
  pen.stroke();
}

function seconds(run, tick) {
  return run.origin + tick * run.tick;
}

function drawAttempts(pen, run, view, there, chosenJob) {
  const {start, end, lane, job} = run.attempts;
  const colours = [0, 1, 2, 3, 4, 5, 6].map((place) => seriesColour(place));
  const gap = view.rowHeight > 6 ? 1 : 0;
  for (const at of there) {
    const left = view.left(start[at]);
    const width = Math.max(view.left(end[at]) - left, 0.75);
    pen.globalAlpha = chosenJob < 0 || job[at] === chosenJob ? 0.85 : 0.18;
    pen.fillStyle = colours[job[at] % 7];
    pen.fillRect(left, view.top(lane[at]), width - (width > 4 ? 0.5 : 0), view.rowHeight - gap);
  }
  pen.globalAlpha = 1;
}

// Shares of time in use, of blocks of slots by columns of pixels; those of the chosen job on top.
function drawShades(pen, run, view, there, chosenJob) {
  const columns = Math.max(Math.floor(view.width), 1);
  const rows = Math.max(1, Math.min(Math.floor(view.height / BLOCK), Math.ceil(view.y1 - view.y0)));
  const {job} = run.attempts;
  paint(pen, view, columns, rows, shares(run, view, there, columns, rows),
    ramp(colour("heat-low"), colour("heat-high"), SHADES), true);
  if (chosenJob < 0) return;
  const own = there.filter((at) => job[at] === chosenJob);
  paint(pen, view, columns, rows, shares(run, view, own, columns, rows),
    ramp(colour("mark"), colour("mark"), SHADES), false);
}

function shares(run, view, there, columns, rows) {
  const {start, end, lane} = run.attempts;
  const grid = new Float32Array((columns + 1) * rows); // changes from column to column
  const across = columns / (view.x1 - view.x0);
  const down = rows / (view.y1 - view.y0);
  const weight = Math.min(down, 1);
  for (const at of there) {
    const row = Math.min(Math.max(Math.floor((lane[at] - view.y0) * down), 0), rows - 1) * (columns + 1);
    cover(grid, row, Math.max((start[at] - view.x0) * across, 0),
      Math.min((end[at] - view.x0) * across, columns), weight);
  }
  return grid;
}

// Adds what [from, to) covers of each column, as changes of sums.
function cover(grid, row, from, to, weight) {
  for (const [at, sign] of [[from, weight], [to, -weight]]) {
    const column = Math.floor(at);
    const rest = column + 1 - at;
    grid[row + column] += sign * rest;
    grid[row + column + 1] += sign * (1 - rest);
  }
}

function paint(pen, view, columns, rows, grid, colours, everywhere) {
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let row = 0; row < rows; ++row) {
    let sum = 0;
    for (let at = 0; at < columns; ++at) {
      sum += grid[row * (columns + 1) + at];
      const share = Math.min(Math.max(sum, 0), 1);
      if (everywhere || share > 1e-4) pixels[row * columns + at] = colours[Math.round(share * (SHADES - 1))];
    }
  }
  const buffer = node("canvas", {width: columns, height: rows});
  buffer.getContext("2d").putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(buffer, MARGIN.left, MARGIN.top, view.width, view.height);
}

// The attempt at a place of the canvas, -1: none.
function attemptAt(run, view, tick, row) {
  const {start, end, lane, length} = run.attempts;
  const slack = (1.5 / view.width) * (view.x1 - view.x0);
  const own = Math.floor(row);
  for (let at = length - 1; at >= 0; --at) {
    if (lane[at] === own && start[at] - slack <= tick && end[at] + slack >= tick) return at;
  }
  return -1;
}

// How busy the slots at a place are, in words.
function shadeAt(run, view, tick, row) {
  const down = Math.max((view.y1 - view.y0) / Math.floor(view.height / BLOCK), 1);
  const low = Math.floor(view.y0 + Math.floor((row - view.y0) / down) * down);
  const high = Math.min(Math.ceil(low + down), run.rows);
  const {start, end, lane, length} = run.attempts;
  let busy = 0;
  for (let at = 0; at < length; ++at) {
    if (lane[at] >= low && lane[at] < high && start[at] <= tick && end[at] > tick) ++busy;
  }
  return `${number(seconds(run, tick))} s\n${count(busy)} of slots ${count(low + 1)} to ${count(high)} in use`;
}
