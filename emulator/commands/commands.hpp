// The program's commands. Each returns its exit code (design: 0 fine, 1 a check or replay found a
// difference, 2 the user's mistake, 3 the world failed, 4 our mistake) or throws UserError,
// WorldError or Bug, which main() turns into 2, 3 and 4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "export/log_export.hpp"

namespace somnus {

enum ExitCode {
  exit_fine = 0,
  exit_difference = 1,
  exit_mistake = 2,
  exit_world = 3,
  exit_bug = 4
};

/// What most commands take.
struct CommonOptions {
  std::vector<std::string> set;  // table.key=value
  std::string log;
  std::optional<std::uint64_t> seed;
  std::optional<double> speed;
  bool force = false;  // replace an old log
  bool quiet = false;
  bool json = false;
};

/// Of --set, --seed, --speed and --log. Throws UserError.
[[nodiscard]] std::vector<Override> overrides_of(const CommonOptions& options);

struct RunOptions {
  CommonOptions common;
  std::string config;  // empty: a run is resumed
  std::string resume;  // the log of that run
  int ranks = 0;       // 0: chosen for this machine; 1: no MPI, the nodes in a thread
};
int run(const RunOptions& options, int argc, char** argv);

struct SimulateOptions {
  CommonOptions common;
  std::vector<std::string> configs;
  std::vector<std::string> policies;  // labels, as overrides_of_label() takes them
  std::vector<std::uint64_t> seeds;   // instead of the config's
  int jobs = 0;                       // at once; 0: one a core
};
int simulate(const SimulateOptions& options);

struct ExperimentOptions {
  CommonOptions common;
  std::string file;
  std::string output;  // -o
  int jobs = 0;        // at once; 0: one a core
  std::string share;   // "3/8"; empty: all of it
};
int experiment(const ExperimentOptions& options, int argc, char** argv);

struct FollowOptions {
  CommonOptions common;
  std::string log;
  bool once = false;
  double interval_s = 1;
  std::uint16_t prometheus_port = 0;  // 0: nothing is served
};
int follow(const FollowOptions& options);

struct FinishedLogs {
  CommonOptions common;
  std::vector<std::string> logs;
};
int replay(const FinishedLogs& options);
int check(const FinishedLogs& options);
int recover(const FinishedLogs& options);
int summary(const FinishedLogs& options);

struct CompareOptions {
  CommonOptions common;
  std::string run;                 // logs
  std::string simulation;          // empty: it is simulated now
  std::uint32_t simulations = 20;  // as late as the run was
};
int compare(const CompareOptions& options);

int export_a_log(const LogExportRequest& request, const CommonOptions& output);

struct WorkloadOptions {
  CommonOptions common;
  std::string what;    // generator, format or file
  std::string file;    // of import, export and show
  std::string output;  // -o
};
int workload_make(const WorkloadOptions& options);
int workload_import(const WorkloadOptions& options);
int workload_export(const WorkloadOptions& options);
int workload_show(const WorkloadOptions& options);

struct ProfileOptions {
  CommonOptions common;
  std::string source;  // a config or a workload file
  std::string output;  // -o
};
int profile(const ProfileOptions& options);

struct PoliciesOptions {
  std::string name;  // empty: all
  bool json = false;
};
int policies(const PoliciesOptions& options);

struct ConfigOptions {
  std::string name;          // of a table or a key; empty: all
  std::string template_for;  // a label: print a config to begin with instead
  bool json = false;
};
int config(const ConfigOptions& options);

struct CalibrateOptions {
  CommonOptions common;
  std::string config;
  int ranks = 0;
};
int calibrate(const CalibrateOptions& options);

/// As texts, so that all that is wrong with them is reported at once.
struct QueueLengthOptions {
  std::optional<std::string> slots;
  std::optional<std::string> heartbeat;      // s
  std::optional<std::string> task_duration;  // s
  std::optional<std::string> utilization;
  bool json = false;
};
int queue_length(const QueueLengthOptions& options);

}  // namespace somnus
