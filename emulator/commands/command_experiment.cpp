#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "emulator/commands/commands.hpp"
#include "emulator/commands/signals.hpp"
#include "emulator/experiment/outcome.hpp"
#include "emulator/print/printable.hpp"

namespace somnus {
namespace {

void require_output(const ExperimentOptions& options) {
  if (!options.output.empty()) return;
  throw UserError(
      mistake(
          {.key = "-o", .what = "the folder for the results is missing", .hint = "add -o FOLDER"})
          .value());
}

/// A table of widths zero would be believed.
void tell_what_is_not_random(const ExperimentPlan& plan) {
  const auto fixed = std::ranges::count(plan.points, false, &Point::random);
  if (fixed == 0) return;
  spdlog::warn(
      "{} of {} points draw nothing at random: one run each, and no interval. To have one, draw "
      "the "
      "workload: a generator, or workload.resample = JOBS_IN_A_BLOCK",
      fixed, plan.points.size());
}

int code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const UserError&) {
    return exit_mistake;
  } catch (const Bug&) {
    return exit_bug;
  } catch (...) {
    return exit_world;
  }
}

/// Each reason once, with the first run that met it. Returns the worst exit code.
int tell_failures(const std::vector<Failure>& failures) {
  constexpr std::size_t most_told = 10;
  int code = exit_fine;
  std::map<std::string, std::size_t> runs;  // by what went wrong
  for (const Failure& failure : failures) {
    code = std::max(code, code_of(failure.error));
    ++runs[failure.what];
  }
  std::size_t told = 0;
  for (const Failure& failure : failures) {
    const std::size_t others = std::exchange(runs[failure.what], 0);
    if (others == 0 || ++told > most_told) continue;
    spdlog::error("{}{}: {}", printable(failure.run),
                  others == 1 ? "" : fmt::format(" and {} more runs", others - 1), failure.what);
  }
  if (told > most_told) spdlog::error("and {} more reasons", told - most_told);
  return code;
}

}  // namespace

int experiment(const ExperimentOptions& options) {
  require_output(options);
  const ExperimentPlan plan = value_or_throw(
      plan_of(value_or_throw(load_experiment(options.file)), overrides_of(options.common)));
  Results results(options.output, plan, options.common.force);
  const bool talks = !options.common.quiet && !options.common.json;
  if (!options.common.quiet) tell_what_is_not_random(plan);
  const Campaign campaign = run_campaign(
      plan, results,
      {.jobs = options.jobs, .show_progress = !options.common.quiet, .stop = &stop_flag()});
  write_tables(plan, results, campaign);
  if (options.common.json) fmt::print("{}\n", outcome_to_json(plan, results, campaign).dump(2));
  if (talks) {
    fmt::print("{}", outcome_to_text(plan, results, campaign, isatty(STDOUT_FILENO) != 0));
    fmt::print("{} points, {} runs of which {} were there; results.csv and summary.csv in {}\n",
               plan.points.size(), campaign.ran + results.found(), results.found(),
               results.folder().string());
  }
  const int code = tell_failures(campaign.failures);
  if (campaign.complete) return code;
  spdlog::error("stopped early; the same command goes on");
  return exit_world;
}

}  // namespace somnus
