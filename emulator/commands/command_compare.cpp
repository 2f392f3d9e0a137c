#include <memory>
#include <utility>

#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "fidelity/comparison.hpp"
#include "fidelity/late_simulations.hpp"
#include "fidelity/same_experiment.hpp"

namespace somnus::command_compare {
namespace {

struct CompareOptions {
  CommonOptions common;
  std::string run;                 // logs
  std::string simulation;          // empty: it is simulated now
  std::uint32_t simulations = 20;  // of each kind
};

/// nullptr: none was given.
Checked<std::unique_ptr<Experiment>> simulation_of(const CompareOptions& options) {
  if (options.simulation.empty()) return nullptr;
  return experiment_of(options.simulation).map([](Experiment one) {
    return std::make_unique<Experiment>(std::move(one));
  });
}

void warn_if_damaged(const Experiment& one) {
  if (!one.log.seals || one.log.seals->broken == 0) return;
  warn_of_damage(one.path, one.log.seals->sentences.front(), "its figures are");
}

void require_lateness(const Experiment& run) {
  if (run.log.header.mode == "simulate" || !run.log.tables.lateness.empty()) return;
  throw UserError(mistake({.location = {.file = run.path},
                           .what = "has no /lateness: an older somnus wrote it",
                           .hint = "run it again"})
                      .value());
}

std::vector<FigureCompared> compared(const CompareOptions& options, const Experiment& run,
                                     const Experiment* simulation, Pace pace) {
  const Workload workload = value_or_throw(workload_again(run));
  const Settings& settings = run.settings;
  const std::vector<JobRow> exact = simulation != nullptr
                                        ? simulation->log.tables.jobs
                                        : simulated_jobs(settings, workload, &stop_flag());
  const LateMachine machine = late_machine_of(run.log.tables);
  const auto late = late_simulations(settings, workload, machine, run.log.header.speed,
                                     options.simulations, &stop_flag());
  const auto disturbed =
      late_simulations(settings, workload, barely_late_machine(workload, machine.size()), 1,
                       options.simulations, &stop_flag());
  return compare_figures(run.log.tables.jobs, pace,
                         {.exact = exact, .late = late, .disturbed = disturbed});
}

void print_comparison(const CompareOptions& options, const Experiment& run,
                      std::span<const FigureCompared> figures, const RunVerdict& verdict) {
  const auto text = [&] {
    const std::string table = figures.empty() ? "" : to_text(figures) + "\n";
    return table + wrapped(fmt::format("{}: {}", verdict.word, verdict.why), 0) + "\n";
  };
  print_result(
      options.common,
      [&] {
        return nlohmann::json{{"run", run.path},
                              {"label", run.log.header.label},
                              {"speed", run.log.header.speed},
                              {"jobs", run.log.tables.jobs.size()},
                              {"simulations", options.simulations},
                              {"verdict", verdict.word},
                              {"why", verdict.why},
                              {"faithful", verdict.word == "faithful"},
                              {"figures", to_json(figures)}};
      },
      text, [&] { return verdict.word == "faithful" ? "" : text(); });
}

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
  warn_if_damaged(*run);
  if (*simulation != nullptr) warn_if_damaged(**simulation);
  const Summary summary = summarise(run->log, "");
  std::vector<FigureCompared> figures;
  if (summary.pace() != Pace::resumed) {
    require_lateness(*run);
    figures = compared(options, *run, simulation->get(), summary.pace());
  }
  const RunVerdict verdict = verdict_of(summary, figures);
  print_comparison(options, *run, figures, verdict);
  if (verdict.word == "not comparable") return exit_mistake;
  return verdict.word == "faithful" ? exit_fine : exit_difference;
}

void describe(CLI::App& app, CompareOptions& options) {
  app.add_option("run", options.run, "log of a run")->required()->type_name("RUN");
  app.add_option("simulation", options.simulation,
                 "log of its simulation: the same config, workload and seed; without one it is "
                 "simulated now")
      ->type_name("SIMULATION");
  app.add_option(
         "--simulations", options.simulations,
         "how many are made with ranks as late as the run's, and with ranks that are barely "
         "late (default 20)")
      ->check(CLI::Range(2, 1000));
  add_output(app, options.common);
  app.footer(
      "All in %. lateness: the mean of simulations whose ranks are as late as the run's were "
      "(/lateness). sensitivity: how far simulations are apart whose ranks are late by up to a "
      "thousandth of the median task. A figure is faithful if it differs by at most 1 % or the "
      "sensitivity, late if the lateness explains the difference, else it is an error of the "
      "emulator. A run is stalled if a rank was silent for more than 3 s, and not comparable if it "
      "was resumed. Exit code 0: faithful; 1: late, stalled or an error; 2: not comparable.\n"
      "  somnus compare run.h5 simulation.h5");
}

const Registered<Command> row = command(
    "compare", CommandGroup::logs,
    "a run beside its simulation, and how much of what differs is the scheduler's own sensitivity",
    describe, compare);

}  // namespace
}  // namespace somnus::command_compare
