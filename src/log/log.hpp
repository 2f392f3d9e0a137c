// What a log holds, in memory. The file's format is described in README.md, its rows in schema.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "log/schema.hpp"

namespace somnus {

inline constexpr const char* log_format = "somnus-log";
inline constexpr int log_format_version = 6;

/// The root attributes.
struct LogHeader {
  std::string mode;  // "run" or "simulate"
  std::string somnus_version;
  std::string commit;
  std::string config;       // TOML text
  std::string config_path;  // the file from which that was read; empty: nobody knows
  std::string label;        // what tables and figures call the scheduler
  std::string workload_name;
  std::string workload_digest;
  std::uint64_t seed = 0;
  double speed = 1;         // emulated seconds per real second
  std::uint32_t ranks = 1;  // MPI ranks
  std::vector<std::string> resources;
  std::uint32_t rigid_jobs = 0;  // wider than one slot, whose tasks did not run at once here
  bool complete = false;         // the run came to its end

  friend bool operator==(const LogHeader&, const LogHeader&) = default;
};

/// /names, by id. Any bytes.
struct LogNames {
  std::vector<std::string> jobs;
  std::vector<std::string> users;
  std::vector<std::string> queues;
  std::vector<std::string> accounts;  // not in the file if no job names an account or a QOS
  std::vector<std::string> qos;       // the same
  std::vector<std::string> apps;
  std::vector<std::string> groups;

  friend bool operator==(const LogNames&, const LogNames&) = default;
};

/// All but the tables that grow.
struct LogTables {
  std::vector<JobRow> jobs;
  std::vector<StageRow> stages;
  std::vector<StageParentRow> stage_parents;
  std::vector<StageAffinityRow> stage_affinity;
  std::vector<CurveRow> curves;           // empty, and not in the file: none is known
  std::vector<GangRow> gangs;             // empty, and not in the file: there are none
  std::vector<AccountingRow> accounting;  // the same
  std::vector<LimitRow> limits;           // the same
  std::vector<ColdTaskRow> cold_tasks;    // by task; empty, and not in the file: none is listed
  std::vector<NodeRow> nodes;
  std::vector<UserRow> users;
  std::vector<Amounts> stage_demands;  // by stage; not in the file without resources
  LogNames names;
  std::vector<RankRow> ranks;
  std::vector<LatenessRow> lateness;  // empty: of a simulation, or not yet known
  std::vector<ResumeRow> resumes;     // empty, and not in the file: the run was never resumed
  SchedulerRow scheduler;
};

/// Whether a file is as the run wrote it (seal.hpp).
struct SealAudit {
  std::uint64_t checked = 0;           // rows, names and attributes
  std::uint64_t broken = 0;            // and those that are not
  std::vector<std::string> sentences;  // of the first of these, "/tasks row 7 is not as ..."
};

struct Log {
  LogHeader header;
  LogTables tables;
  std::vector<TaskRow> tasks;
  std::vector<SampleRow> samples;
  std::vector<TargetRow> targets;
  std::vector<InstantRow> instants;  // empty: nothing was so late
  Batches<EventRows> events;
  Batches<DecisionRows> decisions;
  std::optional<SealAudit> seals;  // none: it was not read from a file
};

/// Its table of such rows.
template <class Row>
[[nodiscard]] std::vector<Row>& rows_of(Log& log) {
  if constexpr (std::is_same_v<Row, TaskRow>) {
    return log.tasks;
  } else if constexpr (std::is_same_v<Row, SampleRow>) {
    return log.samples;
  } else if constexpr (std::is_same_v<Row, TargetRow>) {
    return log.targets;
  } else if constexpr (std::is_same_v<Row, InstantRow>) {
    return log.instants;
  } else if constexpr (EventRows::has<Row>) {
    return log.events.get<Row>();
  } else {
    return log.decisions.get<Row>();
  }
}
template <class Row>
[[nodiscard]] const std::vector<Row>& rows_of(const Log& log) {
  return rows_of<Row>(const_cast<Log&>(log));
}

}  // namespace somnus
