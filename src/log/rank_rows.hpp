// Rows of the log's tables about the ranks of a run, how often it was resumed, and its scheduler.
#pragma once

#include <cstdint>

#include "base/describe.hpp"

namespace somnus {

/// /ranks, one row an MPI rank. In simulate one row of zeros.
struct RankRow {
  std::uint32_t rank = 0;
  std::uint32_t host = 0;
  std::uint32_t nodes = 0;
  std::uint32_t slots = 0;
  double clock_offset = 0;
  double clock_uncertainty = 0;
  double sleep_error_p50 = 0;
  double sleep_error_p99 = 0;
  double late_p50 = 0;
  double late_p99 = 0;
  double late_max = 0;
  std::uint64_t messages_in = 0;
  std::uint64_t messages_out = 0;
  double cpu = 0;
  double silent_max = 0;
  double silent = 0;

  static constexpr auto fields() {
    using R = RankRow;
    return in_order(
        field("rank", &R::rank, "1", "MPI rank"),
        field("host", &R::host, "1", "number of its host, from 0 in order of ranks"),
        field("nodes", &R::nodes, "1", "nodes emulated"),
        field("slots", &R::slots, "1", "slots emulated"),
        field("clock_offset", &R::clock_offset, "s", "its clock minus rank 0's, real seconds"),
        field("clock_uncertainty", &R::clock_uncertainty, "s",
              "half the smallest round trip of the offset, the most during the run, real seconds"),
        field("sleep_error_p50", &R::sleep_error_p50, "s",
              "median real lateness of the end of a task's sleep"),
        field("sleep_error_p99", &R::sleep_error_p99, "s", "99th percentile of the same"),
        field(
            "late_p50", &R::late_p50, "s",
            "how late it did what was due: rank 0 events, a worker launches, ends and heartbeats; "
            "emulated seconds"),
        field("late_p99", &R::late_p99, "s", "99th percentile of the same"),
        field("late_max", &R::late_max, "s", "largest of the same"),
        field("messages_in", &R::messages_in, "1", "MPI messages received"),
        field("messages_out", &R::messages_out, "1", "MPI messages sent"),
        field("cpu", &R::cpu, "1", "share of one core used"),
        field(
            "silent_max", &R::silent_max, "s",
            "longest time for which rank 0 heard nothing of it, or the workers nothing of rank 0; "
            "real seconds"),
        field("silent", &R::silent, "s",
              "for how long rank 0 had heard nothing of it when this was written, if that is more "
              "than 3 s; real seconds"));
  }
};

/// /lateness, ranks in turn, `up_to` rising: how late each was when it looked after what was due.
/// No rows in simulate. Of a run that was resumed: of its last part (README.md).
struct LatenessRow {
  std::uint32_t rank = 0;
  double up_to = 0;
  std::uint64_t looks = 0;

  static constexpr auto fields() {
    using R = LatenessRow;
    return in_order(
        field("rank", &R::rank, "1", "MPI rank"),
        field("up_to", &R::up_to, "s",
              "how late the latest was of what a look dealt with, at most 3 % less; real seconds"),
        field("looks", &R::looks, "1", "how many looks were so late; those of rank 0 are rounds"));
  }
};

/// /resumes, one row each time that the run was resumed. Not in the file of one that never was.
struct ResumeRow {
  double time = 0;
  double date = 0;
  std::uint32_t round = 0;
  std::uint32_t ranks_before = 0;
  std::uint32_t ranks = 0;
  double clock_uncertainty = 0;

  static constexpr auto fields() {
    using R = ResumeRow;
    return in_order(
        field("time", &R::time, "s", "where the clock had stopped, and went on"),
        field("date", &R::date, "s since 1970", "when that was, UTC, by the host of rank 0"),
        field("round", &R::round, "1", "its events say that every node and attempt was lost"),
        field("ranks_before", &R::ranks_before, "1", "MPI ranks until then"),
        field("ranks", &R::ranks, "1", "MPI ranks from then on"),
        field("clock_uncertainty", &R::clock_uncertainty, "s",
              "the largest in /ranks until then, real seconds; 0 where it is not known"));
  }
};

/// /scheduler, one row. Latencies are real; zero in simulate, whose log does not depend on speed.
struct SchedulerRow {
  std::uint64_t events = 0;
  std::uint64_t decisions = 0;
  std::uint64_t rounds = 0;
  double lag_p50 = 0;
  double lag_p99 = 0;
  double lag_max = 0;
  double decision_p50 = 0;
  double decision_p99 = 0;
  double decision_max = 0;
  std::uint64_t backups = 0;
  std::uint64_t backups_won = 0;
  double wasted = 0;

  static constexpr auto fields() {
    using R = SchedulerRow;
    return in_order(
        field("events", &R::events, "1", "events handled"),
        field("decisions", &R::decisions, "1", "tasks placed"),
        field("rounds", &R::rounds, "1", "instants at which the policy was asked"),
        field("lag_p50", &R::lag_p50, "s", "how late rank 0 handled an event, emulated seconds"),
        field("lag_p99", &R::lag_p99, "s", "99th percentile of the same"),
        field("lag_max", &R::lag_max, "s", "largest of the same"),
        field("decision_p50", &R::decision_p50, "s", "real time of a round, events to commands"),
        field("decision_p99", &R::decision_p99, "s", "99th percentile of the same"),
        field("decision_max", &R::decision_max, "s", "largest of the same"),
        field("backups", &R::backups, "1", "launched beside an attempt that took long"),
        field("backups_won", &R::backups_won, "1", "that finished their task"),
        field("wasted", &R::wasted, "s",
              "slot-time of attempts that were killed as another one had finished their task"));
  }
};

}  // namespace somnus
