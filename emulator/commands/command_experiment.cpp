#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/emulation_executor.hpp"
#include "emulator/commands/many_runs.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "experiment/outcome.hpp"
#include "experiment/share.hpp"
#include "experiment/warnings.hpp"
#include "mpi/mpi_wire.hpp"
#include "print/printable.hpp"

namespace somnus::command_experiment {
namespace {

struct ExperimentOptions {
  CommonOptions common;
  std::string file;
  std::string output;  // -o
  int jobs = 0;        // at once; 0: one a core
  std::string share;   // "3/8"; empty: all of it
  bool decide = false;
  bool all = false;  // lines of tables and sentences
};

void require_output(const ExperimentOptions& options) {
  if (!options.output.empty()) return;
  throw UserError(
      mistake(
          {.key = "-o", .what = "the folder for the results is missing", .hint = "add -o FOLDER"})
          .value());
}

Share share_of(const ExperimentOptions& options, const ExperimentPlan& plan) {
  if (options.share.empty()) return {};
  const Share share = value_or_throw(parse_share(options.share));
  const bool decides = !plan.file.keys.decide.empty();
  if (share.is_whole() || (plan.file.keys.precision == 0 && !decides)) return share;
  throw UserError(mistake({.location = {.file = plan.file.origin},
                           .key = decides ? "experiment.decide" : "experiment.precision",
                           .what = "what all runs of a point gave says whether it needs more, and "
                                   "a share does not know that",
                           .hint = "set `seeds` instead, or do without --share"})
                      .value());
}

void require_no_batches_to_decide(const ExperimentOptions& options, const ExperimentPlan& plan) {
  if (!options.decide || plan.file.keys.batches == 0) return;
  throw UserError(mistake({.location = {.file = plan.file.origin},
                           .key = "--decide",
                           .what = "adds seeds, and experiment.batches are of one run",
                           .hint = "leave one of the two out"})
                      .value());
}

/// A table of widths zero would be believed. Batches have an interval.
void print_what_is_not_random(const ExperimentPlan& plan) {
  if (plan.file.keys.batches > 0) return;
  const auto fixed = std::ranges::count(plan.points, false, &Point::random);
  if (fixed == 0) return;
  const std::string words = fmt::format(
      "{} of {} points draw nothing at random: one run each, and no interval. To have one, draw "
      "the workload: a generator, or workload.resample = JOBS_IN_A_BLOCK; or cut the run into "
      "batches of its jobs: experiment.batches = 20",
      fixed, plan.points.size());
  spdlog::warn("{}", wrapped(words, 8));
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
int print_failures(const std::vector<FailedRun>& failures) {
  constexpr std::size_t most_printed = 10;
  int code = exit_fine;
  std::map<std::string, std::size_t> runs;  // by what went wrong
  for (const FailedRun& failure : failures) {
    code = std::max(code, code_of(failure.error));
    ++runs[failure.what];
  }
  std::size_t printed = 0;
  for (const FailedRun& failure : failures) {
    const std::size_t others = std::exchange(runs[failure.what], 0);
    if (others == 0 || ++printed > most_printed) continue;
    spdlog::error("{}{}: {}", printable(failure.run),
                  others == 1 ? "" : fmt::format(" and {} more runs", others - 1), failure.what);
  }
  if (printed > most_printed) spdlog::error("and {} more reasons", printed - most_printed);
  return code;
}

int code_after(const Campaign& campaign) {
  const int code = print_failures(campaign.failures);
  if (campaign.complete) return code;
  spdlog::error("stopped early; the same command goes on");
  return exit_world;
}

std::unique_ptr<RunExecutor> executor_of(const ExperimentPlan& plan, const Results& results,
                                         const MakeExecutor& simulating) {
  if (plan.file.keys.mode == ExperimentMode::simulate) return simulating();
  if (MpiWorld::launched()) {
    throw UserError(
        mistake({.location = {.file = plan.file.origin},
                 .key = "experiment.mode",
                 .what = "\"run\" starts an mpirun for each run, and can't be started by "
                         "one itself",
                 .hint = "start it without mpirun or srun"})
            .value());
  }
  return emulation_executor(results.folder(), 0);
}

int run_and_print(const ExperimentOptions& options, const MakeExecutor& executor) {
  require_output(options);
  ExperimentPlan plan = value_or_throw(
      plan_of(value_or_throw(load_experiment(options.file)), overrides_of(options.common)));
  require_no_batches_to_decide(options, plan);
  ExperimentKeys& keys = plan.file.keys;
  if (options.decide && keys.decide.empty()) keys.decide = {keys.metrics.front()};
  const Share share = share_of(options, plan);
  Results results(options.output, plan, share, options.common.force);
  print_what_is_not_random(plan);
  const Campaign campaign =
      run_campaign(plan, results, *executor_of(plan, results, executor),
                   {.share = share, .show_progress = !options.common.quiet, .stop = &stop_flag()});
  if (campaign.lacking > 0) {
    print_result(
        options.common,
        [&] { return nlohmann::json{{"ran", campaign.ran}, {"lacking", campaign.lacking}}; },
        [&] {
          const std::string words = fmt::format(
              "share {} of {}: {} runs; {} runs of other shares are not there yet, and the last "
              "one to end writes the tables",
              share.number, share.of, campaign.ran, campaign.lacking);
          return wrapped(words, 0) + "\n";
        });
    return code_after(campaign);
  }
  const Answers answers = answers_of(plan, results, campaign);
  write_tables(plan, results, campaign, answers);
  print_result(
      options.common,
      [&] {
        return nlohmann::json{{"figures", outcome_to_json(plan, results, campaign)},
                              {"answers", answers_to_json(answers, plan)},
                              {"warnings", warnings_of(plan, results, campaign)}};
      },
      [&] {
        const bool may_dim =
            isatty(STDOUT_FILENO) != 0 && !MpiWorld::launched();  // a pty of mpirun's
        const std::string words = fmt::format(
            "{} points, {} runs of which {} were there; results.csv, summary.csv and answers.json "
            "in "
            "{}",
            plan.points.size(), campaign.ran + results.found(), results.found(),
            results.folder().string());
        const Lines lines = options.all ? Lines::all : Lines::dozen;
        return outcome_to_text(plan, results, campaign, may_dim, lines) +
               answers_to_text(answers, lines) + wrapped(words, 0) + "\n";
      });
  return code_after(campaign);
}

int experiment(const ExperimentOptions& options, const CommandLine& line) {
  return with_many_runs(
      {.jobs = options.jobs, .one_of_many = !options.share.empty()}, line,
      [&](const MakeExecutor& executor) { return run_and_print(options, executor); });
}

void describe(CLI::App& app, ExperimentOptions& options) {
  app.add_option("file", options.file, "TOML: [experiment], [axes], [[zip]], [set], [baseline]")
      ->required()
      ->type_name("FILE");
  app.add_option("-o,--output", options.output, "folder for the results")->type_name("FOLDER");
  app.add_option("-j,--jobs", options.jobs, "at once; 0: one a core")->check(CLI::Range(0, 4096));
  app.add_option("--share", options.share, "only this share of the runs")->type_name("K/N");
  app.add_flag(
      "--decide", options.decide,
      "more seeds until it is decided who differs from the baseline, or who is best, in the "
      "figures of `decide`, or else in the first of `metrics`");
  add_set(app, options.common, "workload.jobs=500 (in all runs)");
  app.add_flag("--all", options.all, "all points and sentences, not only a dozen of many");
  add_force(app, options.common.force, "replace what is there of others");
  add_output(app, options.common);
  app.footer(
      "  [experiment]\n"
      "  config = \"google.toml\"\n"
      "  seeds = 10                          # or batches = 20: of the jobs of one run\n"
      "  [axes]                              # crossed\n"
      "  policy = [\"fair\", \"cfq\"]\n"
      "  workload.load = [0.5, 0.7, 0.9]\n"
      "  [baseline]\n"
      "  policy = \"fair\"\n"
      "Stopped and started again it goes on (docs/experiments.md).");
}

const Registered<Command> row = command("experiment", CommandGroup::runs,
                                        "many simulations from one file: every combination of "
                                        "policies, loads and other keys, with confidence intervals",
                                        describe, experiment);

}  // namespace
}  // namespace somnus::command_experiment
