// One job: a row an attempt on the canvas, and in words what it waited for.

// What may be seen of an attempt, and how it is drawn.
const PARTS = {
  pending: "waits for a place", travel: "on its way to its node, or in the node's queue",
  warm: "runs", cold: "runs, in a slot that is not warm", straggler: "runs twice as long as is usual in its stage",
  broken: "failed, lost, killed, suspended or returned",
};

const BITS = {warm: 1, straggler: 2, noStart: 4};

function outcomeOf(flags) {
  return flags >> 3;
}

// The parts of an attempt as [part, from tick, to tick].
function partsOf(attempts, at) {
  const flags = attempts.flags[at];
  const queued = attempts.start[at] - attempts.in_queue[at];
  const placed = queued - attempts.to_node[at];
  const found = [["pending", attempts.ready[at], placed], ["travel", placed, attempts.start[at]]];
  const outcome = outcomeOf(flags);
  if (outcome !== 0 && outcome !== 3) found.push(["broken", attempts.start[at], attempts.end[at]]);
  else if (flags & BITS.straggler) found.push(["straggler", attempts.start[at], attempts.end[at]]);
  else found.push([flags & BITS.warm ? "warm" : "cold", attempts.start[at], attempts.end[at]]);
  return found;
}

// Told apart by height and pattern too, not by colour alone.
function drawPart(pen, part, left, top, width, height) {
  const thin = Math.max(height * 0.25, 1);
  const middle = top + (height - thin) / 2;
  if (part === "pending") {
    pen.fillStyle = colour("parents");
    pen.fillRect(left, middle, width, thin);
    return;
  }
  if (part === "travel") {
    pen.fillStyle = colour("news");
    pen.fillRect(left, top + height * 0.25, width, Math.max(height * 0.5, 1));
    return;
  }
  pen.fillStyle = colour({warm: "series-0", cold: "series-4", straggler: "series-3", broken: "again"}[part]);
  pen.fillRect(left, top, width, height);
  if (height < 5 || width < 5) return;
  pen.strokeStyle = colour("ground");
  pen.lineWidth = 1.5;
  pen.beginPath();
  if (part === "cold") hatch(pen, left, top, width, height);
  if (part === "broken") cross(pen, left, top, width, height);
  pen.stroke();
  if (part !== "straggler") return;
  pen.strokeStyle = colour("ink");
  pen.strokeRect(left + 0.75, top + 0.75, width - 1.5, height - 1.5);
}

function hatch(pen, left, top, width, height) {
  for (let at = left - height + 6; at < left + width; at += 8) {
    const from = Math.max(at, left);
    const to = Math.min(at + height, left + width);
    pen.moveTo(from, top + height - (from - at));
    pen.lineTo(to, top + height - (to - at));
  }
}

function cross(pen, left, top, width, height) {
  pen.moveTo(left, top);
  pen.lineTo(left + width, top + height);
  pen.moveTo(left, top + height);
  pen.lineTo(left + width, top);
}

function drawJob(run, view, job) {
  const pen = view.begin();
  const {attempts} = run;
  const first = attempts.firstOf[job];
  const total = attempts.firstOf[job + 1] - first;
  const height = Math.max(Math.min(view.rowHeight * 0.85, 18), 0.75);
  const used = new Set();
  view.inside(pen, () => {
    for (let row = Math.max(Math.floor(view.y0), 0); row < Math.min(Math.ceil(view.y1), total); ++row) {
      const top = view.top(row) + (view.rowHeight - height) / 2;
      for (const [part, from, to] of partsOf(attempts, first + row)) {
        if (to <= from || from > view.x1 || to < view.x0) continue;
        const left = Math.max(view.left(from), MARGIN.left - 20);
        const right = Math.min(view.left(to), MARGIN.left + view.width + 20);
        drawPart(pen, part, left, top, Math.max(right - left, 0.75), height);
        used.add(part);
      }
    }
  });
  view.axes(pen, run, stageHeads(run, first, total), "tasks, by stage");
  return {
    used: [...used],
    words: `Job ${jobName(run, job)}: ${countOf(total, "attempt")}, from ${number(seconds(run, view.x0))} s to ${
      number(seconds(run, view.x1))} s.`,
  };
}

function stageHeads(run, first, total) {
  const heads = [];
  for (let row = 0; row < total; ++row) {
    const stage = run.attempts.stage[first + row];
    if (row === 0 || stage !== run.attempts.stage[first + row - 1]) heads.push([row, stageName(run, stage)]);
  }
  return heads.length <= 24 ? heads : heads.filter((_, at) => at % Math.ceil(heads.length / 24) === 0);
}

function stageName(run, stage) {
  return run.stages.length ? `stage ${run.stages[stage]}` : "stage 0";
}

function jobName(run, job) {
  return run.nameList.jobs[job];
}

function attemptWords(run, at) {
  const {attempts} = run;
  const flags = attempts.flags[at];
  const length = (ticks) => `${number(ticks * run.tick)} s`;
  const queued = attempts.start[at] - attempts.in_queue[at];
  const placed = queued - attempts.to_node[at];
  return [
    `job ${jobName(run, attempts.job[at])}, ${stageName(run, attempts.stage[at])}`,
    `node ${attempts.node[at]}, slot ${attempts.slot[at]}`,
    `ready ${number(seconds(run, attempts.ready[at]))} s, waited ${length(placed - attempts.ready[at])}`,
    ...(attempts.in_queue[at] > 0 ? [`in its node's queue ${length(attempts.in_queue[at])}`] : []),
    flags & BITS.noStart ? "its start is not known" : `started ${number(seconds(run, attempts.start[at]))} s, took ${
      length(attempts.end[at] - attempts.start[at])}`,
    `${OUTCOMES[outcomeOf(flags)]}${flags & BITS.warm ? "" : ", slot not warm"}${
      flags & BITS.straggler ? ", a straggler" : ""}`,
  ].join("\n");
}

// The job in words and numbers, beside its picture.
function describeJob(place, run, job, causes) {
  const {jobs} = run;
  const fact = (name, ...content) => node("div", {}, node("dt", {}, name), node("dd", {}, ...content));
  const found = Object.keys(causes).filter((cause) => jobs[cause]?.[job] > 0)
    .map((cause) => [cause, jobs[cause][job]]).sort((one, two) => two[1] - one[1]);
  const whole = found.reduce((sum, [, each]) => sum + each, 0);
  const bar = node("span", {class: "bar", "aria-hidden": "true"});
  for (const [cause, each] of found) {
    const part = node("i", {class: `c-${cause}`});
    part.style.width = `${(100 * each) / whole}%`;
    bar.append(part);
  }
  const rows = found.map(([cause, each]) => node("tr", {},
    node("th", {scope: "row"}, node("i", {class: `key c-${cause}`, "aria-hidden": "true"}), causes[cause]),
    node("td", {class: "number"}, number(each / jobs.tasks[job])),
    node("td", {class: "number"}, `${((100 * each) / whole).toFixed(1)} %`)));
  place.replaceChildren(
    node("h3", {}, `Job ${jobName(run, job)}`),
    node("dl", {},
      fact("user", run.nameList.users[jobs.user[job]]), fact("state", STATES[jobs.state[job]]),
      fact("tasks", count(jobs.tasks[job])), fact("submit [s]", jobs.submit[job] === NO_TICK ? "–" : number(seconds(run, jobs.submit[job]))),
      fact("response time [s]", number(jobs.response[job])), fact("slowdown", number(jobs.slowdown[job]))),
    ...(whole ? [bar, node("table", {}, node("caption", {}, "Why its tasks waited"),
      node("thead", {}, node("tr", {}, node("th", {scope: "col"}, "cause"),
        node("th", {scope: "col", class: "number"}, "s a task"), node("th", {scope: "col", class: "number"}, "share"))),
      node("tbody", {}, ...rows))] : [node("p", {}, "Its tasks did not wait.")]));
}
