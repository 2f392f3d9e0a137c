#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "emulator/commands/commands.hpp"
#include "emulator/commands/signals.hpp"
#include "fidelity/comparison.hpp"
#include "fidelity/late_simulations.hpp"
#include "fidelity/same_experiment.hpp"

namespace somnus {
namespace {

/// nullptr: none was given.
Checked<std::unique_ptr<Experiment>> simulation_of(const CompareOptions& options) {
  if (options.simulation.empty()) return nullptr;
  return experiment_of(options.simulation).map([](Experiment one) {
    return std::make_unique<Experiment>(std::move(one));
  });
}

void warn_of_damage(const Experiment& one) {
  if (!one.log.seals || one.log.seals->broken == 0) return;
  spdlog::warn("{}: {}; its figures are not to be trusted (see `somnus check`)", one.path,
               one.log.seals->sentences.front());
}

void require_lateness(const Experiment& run) {
  if (run.log.header.mode == "simulate" || !run.log.tables.lateness.empty()) return;
  throw UserError(mistake({.location = {.file = run.path},
                           .what = "has no /lateness: an older somnus wrote it",
                           .hint = "run it again"})
                      .value());
}

void print_comparison(const CompareOptions& options, const Experiment& run,
                      std::span<const FigureCompared> figures) {
  if (options.common.json) {
    const nlohmann::json all = {{"run", run.path},
                                {"label", run.log.header.label},
                                {"speed", run.log.header.speed},
                                {"jobs", run.log.tables.jobs.size()},
                                {"simulations", options.simulations},
                                {"faithful", all_faithful(figures)},
                                {"figures", to_json(figures)}};
    fmt::print("{}\n", all.dump(2));
    return;
  }
  if (options.common.quiet && all_faithful(figures)) return;
  fmt::print("{}", to_text(figures));
  if (options.common.quiet) return;
  fmt::print(
      "\nlateness: what {} simulations as late as this run's ranks show in the mean; sensitivity: "
      "what they show\namong themselves. A difference up to that, or to {:g} %, is the "
      "scheduler's.\n",
      options.simulations, 100 * negligible_difference);
}

}  // namespace

int compare(const CompareOptions& options) {
  Mistakes mistakes;
  Checked<Experiment> run = experiment_of(options.run);
  Checked<std::unique_ptr<Experiment>> simulation = simulation_of(options);
  if (!run) mistakes.append(std::move(run.error()));
  if (!simulation) mistakes.append(std::move(simulation.error()));
  if (run && simulation && *simulation != nullptr) {
    mistakes.append(differences_of(*run, **simulation));
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  warn_of_damage(*run);
  if (*simulation != nullptr) warn_of_damage(**simulation);
  require_lateness(*run);
  const Workload workload = value_or_throw(workload_again(*run));
  const Settings& settings = run->settings;
  const std::vector<JobRow> exact = *simulation != nullptr
                                        ? (*simulation)->log.tables.jobs
                                        : simulated_jobs(settings, workload, &stop_flag());
  const auto late = late_simulations(settings, workload, late_machine_of(run->log.tables),
                                     run->log.header.speed, options.simulations, &stop_flag());
  const std::vector<FigureCompared> figures = compare_figures(run->log.tables.jobs, exact, late);
  print_comparison(options, *run, figures);
  return all_faithful(figures) ? exit_fine : exit_difference;
}

}  // namespace somnus
