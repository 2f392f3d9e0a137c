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
  std::uint32_t simulations = 20;  // as late as the run was
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

void print_comparison(const CompareOptions& options, const Experiment& run,
                      std::span<const FigureCompared> figures) {
  print_result(
      options.common,
      [&] {
        return nlohmann::json{{"run", run.path},
                              {"label", run.log.header.label},
                              {"speed", run.log.header.speed},
                              {"jobs", run.log.tables.jobs.size()},
                              {"simulations", options.simulations},
                              {"faithful", all_faithful(figures)},
                              {"figures", to_json(figures)}};
      },
      [&] {
        const std::string legend = fmt::format(
            "In %. Lateness: what {} simulations as late as this run's ranks show in the mean; "
            "sensitivity: what they show among themselves. A difference up to that, or to {:g} %, "
            "is the scheduler's; one that lateness explains is late, any other the emulator's "
            "error.",
            options.simulations, 100 * negligible_difference);
        return fmt::format("{}\n{}\n", to_text(figures), wrapped(legend, 0));
      },
      [&] { return all_faithful(figures) ? "" : to_text(figures); });
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

void describe(CLI::App& app, CompareOptions& options) {
  app.add_option("run", options.run, "log of a run")->required()->type_name("RUN");
  app.add_option("simulation", options.simulation,
                 "log of its simulation: the same config, workload and seed; without one it is "
                 "simulated now")
      ->type_name("SIMULATION");
  app.add_option("--simulations", options.simulations,
                 "how many are made that are as late as the run was (default 20)")
      ->check(CLI::Range(2, 1000));
  add_output(app, options.common);
  app.footer(
      "Each rank of a run looks a little late after what is due, and logs how late (/lateness). A "
      "scheduler may make much of that: so the run's config is simulated several times with ranks "
      "that are as late, by other draws. What these show among themselves is the scheduler's "
      "sensitivity; how far they are from the simulation in the mean is the machine's lateness, "
      "which grows with the speed. Exit code 0: no figure differs by more than 1 % or the "
      "sensitivity; 1: some does.\n"
      "  somnus compare run.h5 simulation.h5");
}

const Registered<Command> row = command(
    "compare", CommandGroup::logs,
    "a run beside its simulation, and how much of what differs is the scheduler's own sensitivity",
    describe, compare);

}  // namespace
}  // namespace somnus::command_compare
