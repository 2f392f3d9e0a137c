#include "fidelity/same_experiment.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "config/config.hpp"
#include "log/log_tables.hpp"
#include "log/reader.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

Mistake wrong_with(const std::string& path, std::string what, std::string hint) {
  return {.location = {.file = path}, .what = std::move(what), .hint = std::move(hint)};
}

/// What is emulated, one key a line.
std::string emulated(Settings settings) {
  const double until_s = settings.run.until_s;
  settings.run = {.seed = settings.run.seed};
  settings.run.until_s = until_s;
  settings.log = {};
  return to_toml(settings);
}

/// The first line in which they differ, "here 'x = 1', there 'x = 2'"; empty if none does.
std::string first_difference(const std::string& here, const std::string& there) {
  std::istringstream lines_here(here);
  std::istringstream lines_there(there);
  for (;;) {
    std::string one;
    std::string other;
    const bool more_here = static_cast<bool>(std::getline(lines_here, one));
    const bool more_there = static_cast<bool>(std::getline(lines_there, other));
    if (!more_here && !more_there) return {};
    if (one != other) return fmt::format("here '{}', there '{}'", one, other);
  }
}

}  // namespace

Checked<Experiment> experiment_of(const std::string& path) {
  Checked<Log> log = read_log(path);
  if (!log) return tl::unexpected(std::move(log.error()));
  if (!log->header.complete) {
    return mistake(wrong_with(path, "did not come to its end, so its jobs are not all there",
                              "`somnus run --resume` goes on with a run that was cut off"));
  }
  if (const std::string error = table_error(*log); !error.empty()) {
    return mistake(wrong_with(path, error, "`somnus check` shows what else is damaged"));
  }
  const std::string& origin = log->header.config_path;
  Checked<Settings> settings =
      parse_settings(log->header.config, origin.empty() ? "the log's config" : origin, {});
  if (!settings) return tl::unexpected(std::move(settings.error()));
  return Experiment{path, std::move(*log), std::move(*settings)};
}

Mistakes differences_of(const Experiment& run, const Experiment& simulation) {
  Mistakes mistakes;
  const LogHeader& here = run.log.header;
  const LogHeader& there = simulation.log.header;
  if (there.mode != "simulate") {
    mistakes.add(wrong_with(simulation.path, "is the log of a run, expected that of a simulation",
                            here.mode == "simulate"
                                ? "the run comes first: somnus compare RUN SIMULATION"
                                : "leave it out, and the run is simulated"));
  }
  if (here.workload_digest != there.workload_digest) {
    mistakes.add(
        wrong_with(run.path,
                   fmt::format("is of another workload ('{}', seed {}) than {} ('{}', seed {})",
                               here.workload_name, here.seed, simulation.path, there.workload_name,
                               there.seed),
                   "compare a run with the simulation of its own config, workload and seed"));
  }
  const std::string first = first_difference(emulated(run.settings), emulated(simulation.settings));
  if (!first.empty()) {
    mistakes.add(wrong_with(run.path,
                            fmt::format("is of another config than {}: {}", simulation.path, first),
                            "only [run] but for seed and until_s, and [log], may differ"));
  }
  return mistakes;
}

Checked<Workload> workload_again(const Experiment& run) {
  Checked<Workload> workload = workload_of(run.settings);
  if (!workload || workload->digest == run.log.header.workload_digest) return workload;
  return mistake(wrong_with(
      run.path, fmt::format("the workload '{}' is not what it was", run.log.header.workload_name),
      "put it back as it was in that run"));
}

}  // namespace somnus
