// The timeline: which run, which job, which part of it; and keys, pointers and buttons that change that.

class Timeline {
  constructor(report) {
    this.report = report;
    this.canvas = document.getElementById("canvas");
    this.hover = document.getElementById("hover");
    this.view = new View(this.canvas);
    this.job = -1; // chosen, and shown if `inJob`
    this.inJob = false;
    this.listen();
  }

  show(run) {
    const same = this.run && this.run.nameList === run.nameList;
    this.run = run;
    if (!same) this.job = -1;
    if (this.inJob && same) this.choose(this.job);
    else this.leaveJob();
  }

  leaveJob() {
    this.inJob = false;
    this.view.limit(0, Math.ceil(this.run.span / this.run.tick), this.run.rows);
    this.draw();
  }

  choose(job) {
    this.job = job;
    this.inJob = true;
    const {attempts, jobs} = this.run;
    const [first, last] = [attempts.firstOf[job], attempts.firstOf[job + 1]];
    let until = jobs.finish[job] === NO_TICK ? 0 : jobs.finish[job];
    for (let at = first; at < last; ++at) until = Math.max(until, attempts.end[at]);
    const submit = jobs.submit[job] === NO_TICK ? 0 : jobs.submit[job];
    if (jobs.state[job] === ACTIVE) until = this.run.span / this.run.tick;
    const margin = Math.max((until - submit) * 0.02, 1);
    this.view.limit(submit - margin, Math.max(until, submit) + margin,
      Math.max(last - first, LEAST_ROWS));
    describeJob(document.getElementById("job"), this.run, job, this.report.causes);
    document.getElementById("job-name").value = jobName(this.run, job);
    this.draw();
  }

  draw() {
    if (!this.run) return;
    this.hover.hidden = true;
    const legend = document.getElementById("legend");
    let words;
    if (this.inJob) {
      const drawn = drawJob(this.run, this.view, this.job);
      words = drawn.words;
      legend.replaceChildren(...drawn.used.map((part) => partKey(part)));
    } else {
      words = drawCluster(this.run, this.view, this.job);
      legend.replaceChildren(...clusterKeys(this.view.oneByOne, this.job >= 0));
    }
    if (this.run.leftOut) words += ` ${countOf(this.run.leftOut, "attempt")} of other jobs left out of this page.`;
    const lost = this.run.attempts.slotless;
    if (lost && !this.inJob) words += ` Of ${countOf(lost, "attempt")} that ran when the log ended the slot is a guess.`;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => document.getElementById("timeline-status").textContent = words, 150);
  }

  do(what) {
    const {view} = this;
    const steps = {
      in: () => view.zoom(0.5, this.inJob ? 1 : 0.5), out: () => view.zoom(2, this.inJob ? 1 : 2),
      fewer: () => view.zoom(1, 0.5), more: () => view.zoom(1, 2),
      earlier: () => view.move(-0.2, 0), later: () => view.move(0.2, 0),
      up: () => view.move(0, -0.2), down: () => view.move(0, 0.2),
      all: () => view.all(),
      leave: () => this.leave(),
      pick: () => this.pick(MARGIN.left + view.width / 2, MARGIN.top + view.height / 2),
    };
    steps[what]();
    this.draw();
  }

  // A step out: all of what is seen, then all slots, then no job.
  leave() {
    if (!this.view.isWhole) return this.view.all();
    if (this.inJob) return this.leaveJob();
    this.job = -1;
    document.getElementById("job").replaceChildren();
    document.getElementById("job-name").value = "";
  }

  // Of the slots the job at a place of the canvas.
  pick(left, top) {
    if (this.inJob) return;
    const at = attemptAt(this.run, this.view, this.view.tickAt(left), this.view.rowAt(top));
    if (at >= 0) this.choose(this.run.attempts.job[at]);
  }

  listen() {
    const keys = {
      ArrowLeft: "earlier", ArrowRight: "later", ArrowUp: "up", ArrowDown: "down", "+": "in", "=": "in",
      "-": "out", "−": "out", _: "out", i: "fewer", o: "more", Home: "all", Enter: "pick", Escape: "leave",
    };
    this.canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.do(keys[event.key]);
    });
    document.querySelectorAll("[data-do]").forEach((button) =>
      button.addEventListener("click", () => this.do(button.dataset.do)));
    this.canvas.addEventListener("dblclick", (event) => {
      const at = {x: (event.offsetX - MARGIN.left) / this.view.width,
        y: (event.offsetY - MARGIN.top) / this.view.height};
      this.view.zoom(0.4, this.inJob ? 1 : 0.4, at);
      this.draw();
    });
    this.listenToPointer();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  listenToPointer() {
    let from = null;
    this.canvas.addEventListener("pointerdown", (event) => {
      from = {x: event.offsetX, y: event.offsetY, moved: false};
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!from) return this.tell(event.offsetX, event.offsetY);
      const [dx, dy] = [event.offsetX - from.x, event.offsetY - from.y];
      if (!from.moved && Math.hypot(dx, dy) < 4) return;
      this.view.move(-dx / this.view.width, -dy / this.view.height);
      from = {x: event.offsetX, y: event.offsetY, moved: true};
      this.draw();
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (from && !from.moved && this.view.oneByOne) this.pick(event.offsetX, event.offsetY);
      from = null;
    });
    this.canvas.addEventListener("pointercancel", () => from = null);
    this.canvas.addEventListener("pointerleave", () => this.hover.hidden = true);
  }

  tell(left, top) {
    const {view, run} = this;
    const [tick, row] = [view.tickAt(left), view.rowAt(top)];
    const inside = run && tick >= view.x0 && tick <= view.x1 && row >= view.y0 && row < view.y1;
    const words = inside ? this.wordsAt(tick, row) : "";
    this.hover.hidden = !words;
    if (!words) return;
    this.hover.textContent = words;
    const room = this.canvas.clientWidth - this.hover.offsetWidth;
    this.hover.style.left = `${Math.max(Math.min(left + 14, room), 0)}px`;
    this.hover.style.top = `${top + 14}px`;
  }

  wordsAt(tick, row) {
    const {view, run} = this;
    if (this.inJob) {
      const at = run.attempts.firstOf[this.job] + Math.floor(row);
      return at < run.attempts.firstOf[this.job + 1] ? attemptWords(run, at) : "";
    }
    if (!view.oneByOne) return shadeAt(run, view, tick, row);
    const at = attemptAt(run, view, tick, row);
    return at < 0 ? "" : attemptWords(run, at);
  }
}

function keyOf(draw, words) {
  const small = node("canvas", {width: 52, height: 24, "aria-hidden": "true"});
  const pen = small.getContext("2d");
  pen.scale(2, 2);
  draw(pen);
  return node("span", {}, small, words);
}

function partKey(part) {
  return keyOf((pen) => drawPart(pen, part, 0, 0, 26, 12), PARTS[part]);
}

function clusterKeys(oneByOne, isChosen) {
  if (oneByOne) return [node("span", {}, "each attempt in the colour of its job")];
  const shade = keyOf((pen) => {
    const fill = pen.createLinearGradient(0, 0, 26, 0);
    fill.addColorStop(0, colour("heat-low"));
    fill.addColorStop(1, colour("heat-high"));
    pen.fillStyle = fill;
    pen.fillRect(0, 0, 26, 12);
  }, "idle to busy");
  const own = keyOf((pen) => {
    pen.fillStyle = colour("mark");
    pen.fillRect(0, 0, 26, 12);
  }, "the chosen job");
  return isChosen ? [shade, own] : [shade];
}
