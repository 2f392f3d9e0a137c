#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/wrapped.hpp"
#include "emulator/commands/closing.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/signals.hpp"
#include "log/log_destination.hpp"
#include "log/reader.hpp"
#include "metrics/scheduler_words.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"
#include "session/compose.hpp"
#include "session/simulation.hpp"
#include "session/workload_source.hpp"

namespace somnus::command_simulate {
namespace {

struct SimulateOptions {
  CommonOptions common;
  std::vector<std::string> configs;
  std::vector<std::string> policies;  // labels, as overrides_of_label() takes them
  std::vector<std::uint64_t> seeds;   // instead of the config's
  int jobs = 0;                       // at once; 0: one a core
};

struct Case {
  std::string config;
  std::string policy;  // as the user asked for it, or else the config's label
  Settings settings;
  std::shared_ptr<const Workload> workload;
};

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::string as_part_of_file_name(std::string name) {
  const auto is_safe = [](char each) {
    return std::isalnum(static_cast<unsigned char>(each)) != 0 ||
           std::string_view("+-=._").find(each) != std::string_view::npos;
  };
  std::ranges::replace_if(name, std::not_fn(is_safe), '_');
  return name;
}

std::string log_name(const Case& one, const std::string& pattern, bool several) {
  if (pattern.empty()) return pattern;
  std::string name = pattern;
  replace_all(name, "{config}", std::filesystem::path(one.config).stem().string());
  replace_all(name, "{policy}", as_part_of_file_name(one.policy));
  replace_all(name, "{seed}", std::to_string(one.settings.run.seed));
  if (name != pattern || !several) return name;
  std::filesystem::path path(name);
  const auto ending = path.extension();
  path.replace_filename(fmt::format("{}-{}-{}{}", path.stem().string(),
                                    as_part_of_file_name(one.policy), one.settings.run.seed,
                                    ending.string()));
  return path.string();
}

/// The log of a config is a real run's; a simulation leaves one only where that is asked for.
bool asks_for_log(const std::vector<Override>& overrides) {
  return std::ranges::find(overrides, "log.file", &Override::key) != overrides.end();
}

/// What of a config is read by none of the cases that are made of it.
class Unread {
 public:
  /// The settings of one more case.
  [[nodiscard]] Checked<Settings> load(const std::string& config,
                                       const std::vector<Override>& overrides) {
    std::vector<std::string> here;
    Checked<Settings> settings = load_settings(config, overrides, &here);
    if (!settings) {
      any_wrong_ = true;
      return settings;  // with what it does not read itself
    }
    if (!never_) never_ = here;
    // A table that one does not read and a key in it that another does not: that key.
    std::vector<std::string> both;
    for (const std::string& path : here) {
      for (const std::string& other : *never_) {
        if (path == other || other.starts_with(path + ".")) both.push_back(other);
        if (path.starts_with(other + ".")) both.push_back(path);
      }
    }
    never_ = std::move(both);
    overrides_ = overrides;
    return settings;
  }
  [[nodiscard]] Mistakes mistakes(const std::string& config) const {
    Mistakes unread;
    if (any_wrong_ || !never_ || never_->empty()) return unread;
    const Checked<Settings> last = load_settings(config, overrides_);
    if (last) return unread;
    for (const Mistake& each : last.error().list()) {
      const bool is_never_read = std::ranges::any_of(*never_, [&](const std::string& path) {
        return path == each.key || path.starts_with(each.key + ".");
      });
      if (is_never_read) unread.add(each);
    }
    return unread;
  }

 private:
  std::optional<std::vector<std::string>> never_;  // paths; none: no case has been loaded
  std::vector<Override> overrides_;                // of the last case
  bool any_wrong_ = false;                         // so that not all are known
};

// Every config under every policy and seed asked for.
std::vector<Case> cases_of(const SimulateOptions& options) {
  Mistakes mistakes;
  std::vector<Case> cases;
  const bool only_one = options.policies.size() <= 1 && options.seeds.size() <= 1;
  const auto add = [&](const std::string& config, std::string policy,
                       const std::vector<Override>& overrides, Unread& unread) {
    Checked<Settings> settings = unread.load(config, overrides);
    if (!settings) {
      for (const Mistake& each : settings.error().list()) {
        if (!each.ignored || only_one) mistakes.add(each);  // others may read it
      }
      return;
    }
    if (!asks_for_log(overrides)) settings->log.file.clear();
    if (policy.empty()) policy = label_of(*settings);
    cases.push_back({config, std::move(policy), std::move(*settings), nullptr});
  };
  std::vector<std::vector<Override>> policy_overrides;
  for (const std::string& policy : options.policies) {
    Checked<std::vector<Override>> overrides = overrides_of_label(policy);
    if (!overrides) mistakes.append(std::move(overrides.error()));
    policy_overrides.push_back(std::move(overrides).value_or(std::vector<Override>()));
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  for (const std::string& config : options.configs) {
    Unread unread;
    const std::size_t policies = std::max<std::size_t>(1, options.policies.size());
    const std::size_t seeds = std::max<std::size_t>(1, options.seeds.size());
    for (std::size_t policy = 0; policy < policies; ++policy) {
      for (std::size_t seed = 0; seed < seeds; ++seed) {
        std::vector<Override> overrides = overrides_of(options.common);
        std::string asked_for;
        if (!options.policies.empty()) {
          asked_for = options.policies[policy];
          const std::vector<Override>& chosen = policy_overrides[policy];
          overrides.insert(overrides.end(), chosen.begin(), chosen.end());
        }
        if (!options.seeds.empty()) {
          overrides.push_back({"run.seed", std::to_string(options.seeds[seed])});
        }
        add(config, std::move(asked_for), overrides, unread);
      }
    }
    mistakes.append(unread.mistakes(config));
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  return cases;
}

// Cases that read the same workload share it.
void load_workloads(std::vector<Case>& cases) {
  Mistakes mistakes;
  std::map<std::string, std::shared_ptr<const Workload>> loaded;
  for (Case& one : cases) {
    const std::string key = workload_key(one.settings);
    if (const auto found = loaded.find(key); found != loaded.end()) {
      one.workload = found->second;
      mistakes.append(objections_to_shared(*one.workload, one.settings));
      continue;
    }
    Checked<Workload> workload = workload_of(one.settings);
    if (!workload) {
      mistakes.append(std::move(workload.error()));
      continue;
    }
    one.workload = loaded[key] = std::make_shared<const Workload>(std::move(*workload));
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
}

/// What any of the cases reads none of them writes.
void require_free_logs(const std::vector<Case>& cases, bool replace) {
  Mistakes mistakes;
  std::set<std::filesystem::path> inputs;
  for (const Case& one : cases) {
    const std::vector<std::filesystem::path> read = files_read_by(one.settings);
    inputs.insert(read.begin(), read.end());
  }
  const OutputRules rules{.inputs = {inputs.begin(), inputs.end()}, .replace = replace};
  for (const Case& one : cases) {
    const std::string& file = one.settings.log.file;
    if (!file.empty()) mistakes.append(objections_to_writing(file, rules));
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
}

void name_logs(std::vector<Case>& cases) {
  std::set<std::string> names;
  for (Case& one : cases) {
    std::string& file = one.settings.log.file;
    file = log_name(one, file, cases.size() > 1);
    if (file.empty() || names.insert(file).second) continue;
    throw UserError(mistake({.key = "--log",
                             .what = fmt::format("two runs would write {}", file),
                             .hint = "put {config}, {policy} or {seed} into the name"})
                        .value());
  }
}

// Each note once, however many cases it is of. What the closing table says of workloads is said
// here only where there is no table.
void warn(const std::vector<Case>& cases, bool no_table) {
  std::set<std::string> said;
  for (const Case& one : cases) {
    for (const std::string& note : notes_on_scheduler(one.settings, *one.workload)) {
      said.insert(fmt::format("{}: {}", printable(label_of(one.settings)), note));
    }
    if (std::string note = note_on_demands(*one.workload); !note.empty()) {
      said.insert(std::move(note));
    }
    if (!no_table) continue;
    const auto notes = notes_on_workload(one.settings, *one.workload);
    said.insert(notes.begin(), notes.end());
  }
  for (const std::string& note : said) spdlog::warn("{}", wrapped(note, 8));
}

int simulate(const SimulateOptions& options) {
  std::vector<Case> cases = cases_of(options);
  name_logs(cases);
  require_free_logs(cases, options.common.force);
  load_workloads(cases);

  warn(cases, options.common.json);
  const bool printed = !options.common.quiet || options.common.json;
  std::vector<Summary> summaries(cases.size());
  std::vector<std::string> labels;
  for (const Case& one : cases) labels.push_back(label_of(one.settings));
  const SchedulerWords schedulers(labels);
  std::vector<double> took_s(cases.size());
  std::vector<std::string> notes(cases.size());
  std::atomic<bool> all_complete = true;
  std::optional<tbb::global_control> limit;
  if (options.jobs > 0) {
    limit.emplace(tbb::global_control::max_allowed_parallelism,
                  static_cast<std::size_t>(options.jobs));
  }
  const auto simulate_case = [&](std::size_t at) {
    const Case& one = cases[at];
    const Simulation done =
        simulate_one(one.settings, *one.workload,
                     {.keep_rows = printed,
                      .outputs = {.show_progress = !options.common.quiet && cases.size() == 1,
                                  .replace_log = options.common.force},
                      .stop = &stop_flag()});
    if (!done.complete) all_complete = false;
    notes[at] = done.note;
    took_s[at] = done.took_s;
    if (!printed) return;
    const std::string label =
        cases.size() == 1 ? ""
                          : fmt::format("{}:{}", schedulers.of(labels[at]), one.settings.run.seed);
    const std::string& file = one.settings.log.file;
    summaries[at] = file.empty() ? summarise(done.log, label, one.settings)
                                 : summarise(value_or_throw(read_log(file)), label, one.settings);
  };
  // Each writes into its own place; what is printed does not depend on who was first.
  tbb::parallel_for(std::size_t{0}, cases.size(), simulate_case);

  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (notes[at].empty()) continue;
    const Settings& settings = cases[at].settings;
    spdlog::warn("{}", wrapped(fmt::format("{}, seed {}: {}", printable(label_of(settings)),
                                           settings.run.seed, notes[at]),
                               8));
  }
  if (printed) std::ranges::for_each(summaries, require_conserved);
  print_summaries(options.common, summaries);
  if (!options.common.quiet && !options.common.json) {
    for (std::size_t at = 0; at < cases.size(); ++at) {
      const double tasks = summaries[at].tasks_finished;  // of which a run that is cut has few
      const Scale scale = scale_for("s", {&took_s[at], 1});
      fmt::print("{}, seed {}: {:.0f} tasks simulated in {:.3g} {}, {:.2f} M tasks/s\n",
                 printable(schedulers.of(labels[at]), 24), cases[at].settings.run.seed, tasks,
                 took_s[at] * scale.factor, scale.unit, tasks / took_s[at] / 1e6);
    }
  }
  if (all_complete) return exit_fine;
  spdlog::error("stopped early");
  return exit_world;
}

void describe(CLI::App& app, SimulateOptions& options) {
  app.add_option("config", options.configs, "TOML configs")->required()->type_name("CONFIG");
  app.add_option("--policy", options.policies,
                 "to compare, instead of the config's: presets or orders, each with what is "
                 "exchanged, e.g. fair,fair+order=srpt,yaq-c+queue.length=8; +order=srpt: the "
                 "config's own, with that")
      ->type_name("A,B,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--seeds", options.seeds, "seeds to run, instead of the config's")
      ->type_name("1,2,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("-j,--jobs", options.jobs, "at once; 0: one a core")->check(CLI::Range(0, 4096));
  add_settings(app, options.common);
  app.footer(
      "A log is written only if --log or --set log.file=FILE asks for one; that of the config is "
      "of "
      "real runs. With several runs, --log names one log each: {config}, {policy} and {seed} in it "
      "are replaced, or else '-policy-seed' is put before its ending.");
}

const Registered<Command> row =
    command("simulate", CommandGroup::runs, "the same under the virtual clock, many at once",
            describe, simulate);

}  // namespace
}  // namespace somnus::command_simulate
