// A log small enough to check by hand, that breaks no invariant. Two nodes of one slot each, FIFO,
// two jobs; job 1 has two stages:
//
//     node 0   |  job 0, index 0: 0-4 s    |      | 1/2/0: 5-6 s |
//     node 1   |  0/0/1: 0-2 s  |  1/1/0: 2-5 s   | 1/2/1: 5-6 s |
#pragma once

#include <string>
#include <vector>

#include "log/log.hpp"

namespace somnus {

/// The config of a small log: its cluster and scheduler, and what `more` says beside.
inline std::string small_config(const std::string& policy, const std::string& more = {}) {
  return "[cluster]\nnodes = 2\nslots_per_node = 1\n[scheduler]\npolicy = \"" + policy +
         "\"\n[workload]\nfile = \"small.jsonl\"\n" + more;
}

struct Attempt {
  std::uint32_t job;
  std::uint32_t stage;
  std::uint32_t index;
  std::uint32_t node;
  double ready;
  double start;
  double finish;
};

/// Finished, at once where it was placed.
inline TaskRow row_of(const Attempt& attempt) {
  return {.job = attempt.job,
          .stage = attempt.stage,
          .index = attempt.index,
          .node = attempt.node,
          .ready = attempt.ready,
          .placed = attempt.start,
          .queued = attempt.start,
          .start = attempt.start,
          .finish = attempt.finish,
          .intended = attempt.finish - attempt.start,
          .nominal = attempt.finish - attempt.start};
}

inline std::vector<Stamped<Launch>>& launches_of(Log& log) {
  return log.decisions.get<Stamped<Launch>>();
}

inline Log small_log() {
  const auto finished = static_cast<std::uint8_t>(JobState::finished);
  Log log;
  log.header = {.mode = "simulate",
                .config = small_config("fifo", "[run]\nseed = 7\n"),
                .label = "fifo",
                .seed = 7,
                .complete = true};
  log.tables.jobs = {{.job = 0,
                      .tasks = 2,
                      .stages = 1,
                      .state = finished,
                      .submit = 0,
                      .first_start = 0,
                      .finish = 4,
                      .slot_time = 6,
                      .critical_path = 4,
                      .alone = 4,
                      .gps_finish = 5,
                      .ujf_finish = 5},
                     {.job = 1,
                      .user = 1,
                      .app = 1,
                      .tasks = 3,
                      .stages = 2,
                      .state = finished,
                      .submit = 1,
                      .first_start = 2,
                      .finish = 6,
                      .slot_time = 5,
                      .critical_path = 4,
                      .alone = 4,
                      .gps_finish = 5.5,
                      .ujf_finish = 5.5}};
  log.tables.stages = {
      {.job = 0, .stage = 0, .tasks = 2, .ready = 0, .first_start = 0, .finish = 4, .slot_time = 6},
      {.job = 1, .stage = 0, .tasks = 1, .ready = 1, .first_start = 2, .finish = 5, .slot_time = 3},
      {.job = 1,
       .stage = 1,
       .tasks = 2,
       .ready = 5,
       .first_start = 5,
       .finish = 6,
       .slot_time = 2}};
  log.tables.stage_parents = {{.job = 1, .stage = 2, .parent = 1}};
  log.tables.nodes = {{.node = 0, .slots = 1}, {.node = 1, .slots = 1}};
  log.tables.users = {{.user = 0}, {.user = 1}};
  log.tables.names.groups = {"nodes"};
  log.tables.ranks = {{}};
  log.tasks = {
      row_of({.job = 0, .stage = 0, .index = 1, .node = 1, .ready = 0, .start = 0, .finish = 2}),
      row_of({.job = 0, .stage = 0, .index = 0, .node = 0, .ready = 0, .start = 0, .finish = 4}),
      row_of({.job = 1, .stage = 1, .index = 0, .node = 1, .ready = 1, .start = 2, .finish = 5}),
      row_of({.job = 1, .stage = 2, .index = 0, .node = 0, .ready = 5, .start = 5, .finish = 6}),
      row_of({.job = 1, .stage = 2, .index = 1, .node = 1, .ready = 5, .start = 5, .finish = 6})};
  const auto launch = [&](double time, std::uint32_t round, std::uint32_t node,
                          std::uint32_t stage) {
    auto& rows = launches_of(log);
    const auto number = static_cast<std::uint32_t>(rows.size());
    rows.push_back({{time, number, round},
                    {.task = TaskId(number), .node = NodeId(node), .stage = StageId(stage)}});
  };
  launch(0, 0, 0, 0);
  launch(0, 0, 1, 0);
  launch(2, 2, 1, 1);
  launch(5, 4, 0, 2);
  launch(5, 4, 1, 2);
  log.samples = {{.time = 0, .busy_slots = 2}, {.time = 4.5, .busy_slots = 1}};
  return log;
}

/// The same, of one stage each under CFQ: job 1 is its first stage only.
inline Log small_cfq_log() {
  Log log = small_log();
  log.header.config = small_config("cfq", "[run]\nseed = 7\n");
  log.header.label = "cfq";
  log.tables.jobs[0].gps_finish = log.tables.jobs[0].ujf_finish = 4.5;
  log.tables.jobs[1] = {.job = 1,
                        .user = 1,
                        .app = 1,
                        .tasks = 1,
                        .stages = 1,
                        .state = static_cast<std::uint8_t>(JobState::finished),
                        .submit = 1,
                        .first_start = 2,
                        .finish = 5,
                        .slot_time = 3,
                        .critical_path = 3,
                        .alone = 3,
                        .gps_finish = 4,
                        .ujf_finish = 4};
  log.tables.stages.pop_back();
  log.tables.stage_parents.clear();
  log.tasks.resize(3);
  launches_of(log).resize(3);
  return log;
}

}  // namespace somnus
