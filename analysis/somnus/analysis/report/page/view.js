// What part of a run's time and rows is on the canvas, and the axes around it.

const MARGIN = {left: 62, right: 8, top: 6, bottom: 40};
const LEAST_TICKS = 50;
const LEAST_ROWS = 3;

class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.limit(0, 1, 1);
  }

  // The whole: from tick to tick, and so many rows.
  limit(from, to, rows) {
    this.whole = {x0: from, x1: Math.max(to, from + LEAST_TICKS), y0: 0, y1: Math.max(rows, 1)};
    this.all();
  }

  all() {
    Object.assign(this, this.whole);
  }

  get isWhole() {
    return ["x0", "x1", "y0", "y1"].every((side) => this[side] === this.whole[side]);
  }

  get width() {
    return Math.max(this.canvas.clientWidth - MARGIN.left - MARGIN.right, 10);
  }

  get height() {
    return Math.max(this.canvas.clientHeight - MARGIN.top - MARGIN.bottom, 10);
  }

  get rowHeight() {
    return this.height / (this.y1 - this.y0);
  }

  left(tick) {
    return MARGIN.left + ((tick - this.x0) / (this.x1 - this.x0)) * this.width;
  }

  top(row) {
    return MARGIN.top + (row - this.y0) * this.rowHeight;
  }

  tickAt(left) {
    return this.x0 + ((left - MARGIN.left) / this.width) * (this.x1 - this.x0);
  }

  rowAt(top) {
    return this.y0 + (top - MARGIN.top) / this.rowHeight;
  }

  // By shares of what is seen.
  move(x, y) {
    this.shift("x", x * (this.x1 - this.x0));
    this.shift("y", y * (this.y1 - this.y0));
  }

  shift(axis, by) {
    const [low, high] = [`${axis}0`, `${axis}1`];
    const most = this.whole[high] - this[high];
    const moved = Math.min(Math.max(by, this.whole[low] - this[low]), most);
    this[low] += moved;
    this[high] += moved;
  }

  // Spans become so many times as long; what is at the share (0 to 1) of each axis stays there.
  zoom(x, y, at = {x: 0.5, y: 0.5}) {
    this.stretch("x", x, at.x, LEAST_TICKS);
    this.stretch("y", y, at.y, LEAST_ROWS);
  }

  stretch(axis, times, at, least) {
    const [low, high] = [`${axis}0`, `${axis}1`];
    const whole = this.whole[high] - this.whole[low];
    const span = this[high] - this[low];
    const wanted = Math.min(Math.max(span * times, Math.min(least, whole)), whole);
    const from = this[low] + (span - wanted) * at;
    this[low] = Math.min(Math.max(from, this.whole[low]), this.whole[high] - wanted);
    this[high] = this[low] + wanted;
  }

  // A canvas of device pixels, cleared, to draw on in those of the page.
  begin() {
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.font = "12px system-ui";
    return pen;
  }

  inside(pen, draw) {
    pen.save();
    pen.beginPath();
    pen.rect(MARGIN.left, MARGIN.top, this.width, this.height);
    pen.clip();
    draw();
    pen.restore();
  }

  // `rows`: [row, words] of what is named at the left; `title` of that axis.
  axes(pen, run, rows, title) {
    const [unit, seconds] = timeUnit((this.x1 - this.x0) * run.tick);
    const time = (tick) => (run.origin + tick * run.tick) / seconds;
    const bottom = MARGIN.top + this.height;
    pen.strokeStyle = colour("line");
    pen.fillStyle = colour("faint");
    pen.strokeRect(MARGIN.left + 0.5, MARGIN.top + 0.5, this.width - 1, this.height - 1);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const value of roundSteps(time(this.x0), time(this.x1), this.width / 90)) {
      const left = this.left((value * seconds - run.origin) / run.tick);
      pen.fillRect(left, bottom, 1, 4);
      pen.fillText(Number(value.toPrecision(9)).toLocaleString("en", {maximumFractionDigits: 6}), left, bottom + 6);
    }
    pen.fillText(`emulated time [${unit}]`, MARGIN.left + this.width / 2, bottom + 23);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const [row, words] of rows) {
      const top = this.top(row);
      if (top < MARGIN.top || top > bottom) continue;
      pen.fillRect(MARGIN.left - 4, top, 4, 1);
      pen.fillText(words, MARGIN.left - 7, Math.min(Math.max(top, MARGIN.top + 6), bottom - 6));
    }
    pen.save();
    pen.translate(9, MARGIN.top + this.height / 2);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(title, 0, 0);
    pen.restore();
  }
}
