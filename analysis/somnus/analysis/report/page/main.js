// Puts the page together: what was packed, the figures, the choice of a run and of a job.

const MOST_OFFERED = 40; // names below the field for a job

async function loadJobs(report, place) {
  const run = report.runs[place];
  run.nameList = report.names[run.names];
  run.rows = run.lanes.reduce((sum, each) => sum + each, 0);
  run.jobs = await unpack(`jobs-${place}`, run.jobs);
}

// The larger part of a run, when it is first wanted.
async function loadAttempts(report, place) {
  const run = report.runs[place];
  if (!Array.isArray(run.attempts)) return run;
  const found = await unpack(`attempts-${place}`, run.attempts);
  const length = found.start.length;
  found.length = length;
  found.firstOf = new Uint32Array(found.attempts_of.length + 1);
  found.attempts_of.forEach((each, job) => found.firstOf[job + 1] = found.firstOf[job] + each);
  found.job = new Uint32Array(length);
  found.attempts_of.forEach((_, job) => found.job.fill(job, found.firstOf[job], found.firstOf[job + 1]));
  found.slotless = found.flags.reduce((sum, each) => sum + ((each & BITS.noStart) > 0), 0);
  found.end = found.start.map((start, at) => start + found.run[at]);
  const firstLane = new Uint32Array(run.lanes.length);
  run.lanes.forEach((each, at) => firstLane[at + 1] = firstLane[at] + each);
  found.lane = found.node.map((each, at) => firstLane[each] + found.slot[at]);
  run.attempts = found;
  return run;
}

function drawFigures(report) {
  const {runs, time, response, slowdown} = report;
  const [unit, each] = timeUnit(time.x.length ? time.x[time.x.length - 1] - time.x[0] : 1);
  const x = time.x.map((second) => second / each);
  const at = (id) => document.getElementById(`plot-${id}`);
  const share = "share of finished jobs [%]";
  curves(at("response"), runs, response.x, share, response.curves, "response time [s]", {logarithmic: true});
  curves(at("slowdown"), runs, slowdown.x, share, slowdown.curves, "slowdown", {logarithmic: true});
  curves(at("utilisation"), runs, x, `emulated time [${unit}]`, time.utilisation, "in use [%]",
    {stepped: true, range: [0, 102]});
  curves(at("pending"), runs, x, `emulated time [${unit}]`, time.pending, "tasks", {stepped: true});
}

class Page {
  constructor(report) {
    this.report = report;
    this.timeline = new Timeline(report);
    this.at = 0;
  }

  async begin() {
    document.body.classList.toggle("one-run", this.report.runs.length === 1);
    document.querySelectorAll("table.sortable").forEach(makeSortable);
    for (const select of document.querySelectorAll("select.run")) {
      select.append(...this.report.runs.map((run, at) => node("option", {value: at}, run.label)));
      select.addEventListener("change", () => this.choose(Number(select.value)));
    }
    document.querySelectorAll("button.job").forEach((button) => button.addEventListener("click", () =>
      this.showJob(Number(button.dataset.run), Number(button.dataset.job))));
    const field = document.getElementById("job-name");
    field.addEventListener("input", () => this.offer(field.value));
    field.addEventListener("change", () => this.showNamed(field.value));
    await Promise.all(this.report.runs.map((_, at) => loadJobs(this.report, at)));
    drawFigures(this.report);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      drawFigures(this.report);
      this.choose(this.at);
    });
    await this.choose(0);
    document.body.dataset.ready = "yes";
  }

  async choose(at) {
    this.at = at;
    document.querySelectorAll("select.run").forEach((select) => select.value = at);
    document.querySelectorAll("[data-of-run]").forEach((part) => part.hidden = Number(part.dataset.ofRun) !== at);
    const run = await loadAttempts(this.report, at);
    if (this.at !== at) return; // another one was chosen meanwhile
    document.querySelectorAll(".run-name").forEach((name) => name.textContent = run.label);
    dots(document.getElementById("plot-jobs"), run.jobs, run, (job) => this.showJob(at, job));
    this.timeline.show(run);
  }

  async showJob(run, job) {
    if (run !== this.at) await this.choose(run);
    this.timeline.choose(job);
    document.getElementById("timeline").scrollIntoView();
    this.timeline.canvas.focus({preventScroll: true});
  }

  offer(text) {
    const {jobs} = this.report.runs[this.at].nameList;
    const found = jobs.filter((name) => name.includes(text)).slice(0, MOST_OFFERED);
    document.getElementById("job-names").replaceChildren(...found.map((name) => node("option", {value: name})));
  }

  showNamed(name) {
    const job = this.report.runs[this.at].nameList.jobs.indexOf(name);
    if (job >= 0) this.timeline.choose(job);
    else if (name) document.getElementById("timeline-status").textContent = `There is no job ${name}.`;
    else this.timeline.leaveJob();
  }
}

new Page(JSON.parse(document.getElementById("report-data").textContent)).begin().catch((error) => {
  document.getElementById("timeline-status").textContent =
    `Figures and timeline can't be drawn by this browser: ${error.message}`;
  throw error;
});
