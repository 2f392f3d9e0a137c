#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "advice/advice.hpp"
#include "base/wrapped.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/many_runs.hpp"
#include "emulator/commands/result.hpp"
#include "emulator/commands/signals.hpp"
#include "output/file.hpp"
#include "session/workload_source.hpp"

namespace somnus::command_advise {
namespace {

struct AdviseOptions {
  CommonOptions common;
  std::string config;
  std::string output;  // -o
  std::string aim = "mean";
  std::string beside;
  std::vector<std::string> limits;
  std::vector<std::string> kept;
  std::size_t seeds = 20;
  std::uint64_t first_seed = 1;
  int jobs = 0;
};

std::set<PartKind> kinds_of(const std::vector<std::string>& names, Mistakes& mistakes) {
  std::set<PartKind> kinds;
  for (const std::string& name : names) {
    bool known = false;
    std::string all;
    for (const PartKind kind : Candidates::kinds()) {
      if (name == name_of(kind)) {
        kinds.insert(kind);
        known = true;
      }
      all += fmt::format("{}{}", all.empty() ? "" : ", ", name_of(kind));
    }
    if (known) continue;
    mistakes.add({.location = {},
                  .key = "--keep",
                  .what = fmt::format("expected some of {}, found '{}'", all, name),
                  .hint = ""});
  }
  return kinds;
}

template <class T>
void take(Checked<T> checked, T& into, Mistakes& mistakes) {
  if (checked) {
    into = std::move(*checked);
  } else {
    mistakes.append(std::move(checked.error()));
  }
}

AdviceOptions options_of(const AdviseOptions& given, Mistakes& mistakes) {
  AdviceOptions options{
      .aim = {}, .beside = {}, .limits = {}, .first_seed = given.first_seed, .seeds = given.seeds};
  take(parse_aim("--aim", given.aim), options.aim, mistakes);
  if (given.beside.empty()) {
    options.beside = beside(options.aim);
  } else {
    take(parse_aim("--beside", given.beside), options.beside, mistakes);
  }
  for (const std::string& text : given.limits) {
    options.limits.emplace_back();
    take(parse_limit(text), options.limits.back(), mistakes);
  }
  if (given.output.empty()) {
    mistakes.add({.location = {},
                  .key = "-o",
                  .what = "the folder for the results is missing",
                  .hint = "add -o FOLDER"});
  }
  return options;
}

constexpr const char* config_file = "advised.toml";
constexpr const char* json_file = "advice.json";

using Files = std::vector<std::filesystem::path>;

/// Before anything is run.
void require_output_allowed(const AdviseOptions& options, const Files& inputs) {
  Mistakes mistakes;
  const std::filesystem::path folder = options.output;
  const bool may_replace = options.common.force || holds_results(folder);
  for (const char* const name : {config_file, json_file}) {
    mistakes.append(objections_to_output(folder / name, {.inputs = inputs, .replace = may_replace},
                                         Written::back_and_forth));
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
}

void write(const std::filesystem::path& file, const Files& inputs, const std::string& text) {
  OutputFile out(file, {.inputs = inputs, .replace = true});  // what is there has been looked at
  out.write(text);
  out.commit();
}

/// The best one's config, to start from.
std::string config_of_best(const Candidates& candidates, const Advice& advice) {
  Settings settings = candidates.settings(advice.best().label);
  if (!settings.workload.file.empty()) {
    settings.workload.file = std::filesystem::absolute(workload_path(settings)).string();
  }
  return fmt::format("# Of `somnus advise`: {}, the best of {} for {}.\n\n{}", advice.best().label,
                     advice.tried, advice.options.aim.figure, to_toml(settings));
}

int advise_with(const AdviseOptions& given, const MakeExecutor& make_executor) {
  Mistakes mistakes;
  const AdviceOptions options = options_of(given, mistakes);
  std::set<PartKind> kept = kinds_of(given.kept, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  kept.insert(PartKind::feedback);
  const std::vector<Override> overrides = overrides_of(given.common);
  Candidates candidates(given.config, overrides, std::move(kept));
  const Files inputs = files_read_by(candidates.settings(candidates.own()));
  require_output_allowed(given, inputs);
  const std::unique_ptr<RunExecutor> executor = make_executor();
  Trials trials(
      {.config = given.config,
       .overrides = overrides,
       .folder = given.output,
       .replace = given.common.force,
       .by_user = std::ranges::any_of(options.limits, &Limit::each_user),
       .campaign = {.share = {}, .show_progress = !given.common.quiet, .stop = &stop_flag()}},
      *executor);
  const Advice advice = advise(candidates, trials, options);
  const std::filesystem::path folder = given.output;
  write(folder / config_file, inputs, config_of_best(candidates, advice));
  write(folder / json_file, inputs, advice_to_json(advice).dump(2) + "\n");
  print_result(
      given.common, [&] { return advice_to_json(advice); },
      [&] {
        return advice_to_text(advice) +
               wrapped(fmt::format("advised.toml in {} is that config, advice.json all of this",
                                   trials.options().folder.string()),
                       0) +
               "\n";
      });
  return exit_fine;
}

int advise(const AdviseOptions& options, const CommandLine& line) {
  return with_many_runs({.jobs = options.jobs}, line, [&](const MakeExecutor& executor) {
    return advise_with(options, executor);
  });
}

void describe(CLI::App& app, AdviseOptions& options) {
  app.add_option("config", options.config, "TOML: the cluster, the workload, and your scheduler")
      ->required()
      ->type_name("CONFIG");
  app.add_option("-o,--output", options.output, "folder for the results")->type_name("FOLDER");
  app.add_option(
      "--aim", options.aim,
      "what is to be good: " + aims_in_words() + ", or a figure of somnus summary --json");
  app.add_option("--beside", options.beside, "what else is looked at: the same");
  app.add_option(
         "--limit", options.limits,
         "what must hold besides: 'wide_slowdown_mean <= 1.05 fair' (so many times fair's), "
         "'each user response_mean_s <= 1.05 fair', or 'utilisation >= 0.8'")
      ->type_name("TEXT");
  app.add_option("--keep", options.kept,
                 "kinds of parts that stay as they are, such as preemption; feedback always does")
      ->type_name("KIND");
  app.add_option("--seeds", options.seeds, "fresh ones, with which the best are measured")
      ->check(CLI::Range(2, 10000));
  app.add_option("--first-seed", options.first_seed, "of the search");
  app.add_option("-j,--jobs", options.jobs, "runs at once; 0: one a core")
      ->check(CLI::Range(0, 4096));
  add_set(app, options.common, "workload.load=0.9");
  add_force(app, options.common.force, "replace what is there of others");
  add_output(app, options.common);
  app.footer(
      "  somnus advise laptop.toml --aim p95 --limit 'slowdown_mean <= 1.1 fair' -o out\n"
      "Stopped and started again it goes on (docs/advice.md).");
}

const Registered<Command> row =
    command("advise", CommandGroup::runs,
            "which scheduler for this cluster and workload: races all that fit, says the best with "
            "intervals and what each part of it brings",
            describe, advise);

}  // namespace
}  // namespace somnus::command_advise
