// The invariants that `check` asks of a log, by name, and what it finds in a small log.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "audit/check.hpp"
#include "cli/small_log.hpp"

namespace somnus {

inline constexpr const char* references = "every row points at rows that exist";
inline constexpr const char* jobs_conserved =
    "jobs submitted = finished + failed + unfinished, and so are their tasks";
inline constexpr const char* finish_once =
    "no task finishes twice, every task of a finished job does once";
inline constexpr const char* numbered =
    "a task's attempts are 0, 1, 2, ..., and only the last may finish";
inline constexpr const char* placed_when_ready =
    "no task is ready before its job's submit, or placed before it is ready";
inline constexpr const char* queued_when_placed = "no task reaches its node before it was placed";
inline constexpr const char* started_when_queued =
    "no task starts before it reached its node, or ends before it started";
inline constexpr const char* parents_first =
    "no task starts before all tasks of its parent stages have finished";
inline constexpr const char* takes_exactly =
    "each finished attempt takes exactly what was intended";
inline constexpr const char* takes_no_less = "no finished attempt takes less than was intended";
inline constexpr const char* intended =
    "intended time = what the task takes after those before it in its slot x slowdown";
inline constexpr const char* job_spans =
    "a job starts with its first attempt and finishes with its last task";
inline constexpr const char* stage_spans =
    "a stage starts with its first attempt and finishes with its last task";
inline constexpr const char* slots_exist = "every attempt runs on a slot that its node has";
inline constexpr const char* slots_not_shared = "no two attempts share a slot";
inline constexpr const char* never_warm = "no slot is warm without a JVM model";
inline constexpr const char* warm_after_same =
    "a slot is warm exactly when its last task was of the same app";
inline constexpr const char* warm_after_two =
    "a slot is warm exactly when it has run decay_tasks tasks of the app since its node came up";
inline constexpr const char* warm_after_stage =
    "a slot is warm exactly when its last task was of the same stage";
inline constexpr const char* demands_fit = "what runs on a node never demands more than it has";
inline constexpr const char* samples_possible =
    "samples are in order of time, none shows more in use than there is";
inline constexpr const char* looks_as_late =
    "the latest look of each rank was as late as the latest thing that it did";
inline constexpr const char* work_conserved = "no slot is free while a runnable task waits";
inline constexpr const char* resources_conserved = "no node has room for a task that waits";
inline constexpr const char* decisions_launched =
    "every decision became one attempt, on its node and at its time";
inline constexpr const char* rows_numbered =
    "events are numbered from 0 without a gap over all kinds, and so are decisions";
inline constexpr const char* attempts_decided = "every attempt was decided";
inline constexpr const char* theorem_1 =
    "no job finishes later than in GPS by more than 2 l_max + L_max / M (Theorem 1)";

inline constexpr const char* bound_of_uwfq =
    "no job finishes later than in UJF by more than 2 l_max + L_max / M (UWFQ, A.5)";
inline constexpr const char* promises_kept = "no job ends later than it was last promised";
inline constexpr const char* followers =
    "no job comes before the one that it follows has ended, and its think time";

inline constexpr const char* ranks_have_nodes =
    "each rank has the nodes and slots that /nodes gives it";
inline constexpr const char* header_of_config =
    "label, seed, speed, ranks and resources are those of the config";
inline constexpr const char* backups_counted =
    "/scheduler counts the backups, those that won, and what the others wasted";
inline constexpr const char* nothing_measured = "nothing was measured in a simulation";
inline constexpr const char* tables_follow =
    "jobs, stages, nodes and users are what the workload and the config make of them";

inline constexpr const char* with_reuse = "[jvm]\nmodel = \"reuse\"\nfactor = 2\n";

inline bool was_asked(const Log& log, std::string_view invariant) {
  const auto findings = check_log(log);
  return std::ranges::find(findings, invariant, &Finding::invariant) != findings.end();
}

inline Finding finding(const Log& log, std::string_view invariant) {
  for (const Finding& one : check_log(log)) {
    if (one.invariant == invariant) return one;
  }
  ADD_FAILURE() << "not asked: " << invariant;
  return {};
}

/// The first offence after a change to the small log, "" if the invariant still holds.
inline std::string first(std::string_view invariant, auto&& change) {
  Log log = small_log();
  change(log);
  return finding(log, invariant).first;
}

inline TaskRow unfinished(std::uint32_t job, std::uint32_t stage, std::uint32_t index) {
  TaskRow row{.job = job, .stage = stage, .index = index, .ready = 5, .placed = 5};
  row.outcome = 3;
  return row;
}

}  // namespace somnus
