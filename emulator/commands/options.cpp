#include <spdlog/spdlog.h>

#include "emulator/commands/command.hpp"

namespace somnus {

std::vector<Override> overrides_of(const CommonOptions& options) {
  Mistakes mistakes;
  std::vector<Override> overrides;
  for (const std::string& text : options.set) {
    Checked<Override> one = parse_override(text);
    if (one) {
      overrides.push_back(std::move(*one));
    } else {
      mistakes.append(std::move(one.error()));
    }
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  if (options.seed) overrides.push_back({"run.seed", std::to_string(*options.seed)});
  if (options.speed) overrides.push_back({"run.speed", fmt::format("{}", *options.speed)});
  if (!options.log.empty()) overrides.push_back(text_override("log.file", options.log));
  return overrides;
}

void add_output(CLI::App& app, CommonOptions& options) {
  const auto be_quiet = [&options] {
    options.quiet = true;
    spdlog::set_level(spdlog::level::err);
  };
  app.add_flag_callback("-q,--quiet", be_quiet, "print only what is wrong");
  app.add_flag("--json", options.json, "results as JSON on stdout, also with -q");
}

void add_all_figures(CLI::App& app, CommonOptions& options) {
  app.add_flag("--all", options.all_figures, "all figures, not only the usual dozen");
}

void add_force(CLI::App& app, bool& force, const char* help) {
  app.add_flag("--force", force, help);
}

void add_set(CLI::App& app, CommonOptions& options, const std::string& example) {
  app.add_option("--set", options.set, "override, e.g. " + example + " (repeatable)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_settings(CLI::App& app, CommonOptions& options) {
  add_set(app, options, "run.speed=10");
  app.add_option("--log", options.log, "write the log there")->type_name("FILE");
  add_force(app, options.force, "replace a log that is there already");
  app.add_option("--seed", options.seed, "of all random streams (run.seed)");
  add_output(app, options);
  add_all_figures(app, options);
}

void add_logs(CLI::App& app, FinishedLogs& options) {
  app.add_option("log", options.logs, "logs of somnus")->required()->type_name("LOG");
  add_output(app, options.common);
}

}  // namespace somnus
