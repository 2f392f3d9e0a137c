#include <fmt/format.h>

#include <algorithm>

#include "config/config.hpp"
#include "emulator/commands/command.hpp"
#include "formats/exports.hpp"
#include "formats/formats.hpp"
#include "generators/generators.hpp"
#include "print/printable.hpp"
#include "print/status_line.hpp"
#include "session/workload_source.hpp"
#include "text/write_text.hpp"
#include "workload/native.hpp"
#include "workload/summary.hpp"

namespace somnus::command_workload {
namespace {

struct WorkloadOptions {
  CommonOptions common;
  std::string what;    // generator, format or file
  std::string file;    // of import, export and show
  std::string output;  // -o
};

template <class Infos>
void list_parameters(const Infos& parameters, std::size_t indent = 2) {
  for (const ParameterInfo& info : parameters) {
    fmt::print("{:{}}{:<20} {:<8} {:>10}  {}\n", "", indent, info.name, info.unit,
               info.fallback ? text_of(*info.fallback) : "-", info.meaning);
    list_parameters(info.nested, indent + 2);
  }
}

void list_generators() {
  for (const Generator& generator : generators()) {
    fmt::print("{}: {}{}\n", generator.name, generator.summary,
               generator.source.empty() ? "" : fmt::format(" ({})", generator.source));
    list_parameters(generator.parameters);
  }
}

void list_formats() {
  for (const Format& format : formats()) {
    fmt::print("{}: {}\n", format.name, format.summary);
    list_parameters(format.parameters);
  }
}

/// As --set gives them. What has no such name, others will say.
template <class All>
Parameters given_to(const All& all, const char* what, const WorkloadOptions& options,
                    Mistakes& mistakes) {
  std::vector<Override> given;
  for (const std::string& text : options.common.set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      mistakes.add({.key = "--set " + text, .what = "expected NAME=VALUE"});
    } else {
      given.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
  }
  const auto named = std::ranges::find(all, options.what, &All::value_type::name);
  if (named == all.end() || mistakes.any()) return {};
  auto parameters =
      read_parameters(named->parameters, fmt::format("{} {}", what, options.what), given);
  if (parameters) return std::move(*parameters);
  mistakes.append(std::move(parameters.error()));
  return {};
}

void require_output(const WorkloadOptions& options, const OutputRules& rules, Mistakes& mistakes) {
  if (!options.output.empty()) return mistakes.append(objections_to_output(options.output, rules));
  mistakes.add({.key = "-o", .what = "where to write is missing", .hint = "add -o FILE"});
}

OutputRules rules_of(const WorkloadOptions& options) {
  OutputRules rules{.inputs = {}, .replace = options.common.force};
  if (!options.file.empty()) rules.inputs.emplace_back(options.file);
  return rules;
}

void write(const WorkloadSpec& spec, const WorkloadOptions& options, const OutputRules& rules) {
  write_native(spec, options.output, rules);
  if (options.common.quiet || is_standard_output(options.output)) return;
  fmt::print("{}\n{}", options.output, describe_workload(spec));
}

/// Reports progress, where reading takes long.
WorkloadSpec read_in_sight(const WorkloadOptions& options, const std::string& format = "",
                           const Parameters& parameters = {}) {
  StatusLine line(options.common.quiet);
  const OnRead look = [&](std::uint64_t bytes, std::uint64_t of_bytes) {
    const auto mb = [](std::uint64_t count) { return static_cast<double>(count) / 1e6; };
    line.look([&] {
      const double share = of_bytes > 0 ? 100 * mb(bytes) / mb(of_bytes) : 0;
      return fmt::format("{}: read {:.0f} of {:.0f} MB, {:.0f} %", printable(options.file),
                         mb(bytes), mb(of_bytes), share);
    });
  };
  return value_or_throw(read_workload(options.file, format, parameters, {}, look));
}

int workload_make(const WorkloadOptions& options) {
  if (options.what.empty()) {
    list_generators();
    return exit_fine;
  }
  Mistakes mistakes;
  const Parameters parameters = given_to(generators(), "generator", options, mistakes);
  const OutputRules rules{.inputs = files_read_by(options.what, parameters),
                          .replace = options.common.force};
  require_output(options, rules, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  write(value_or_throw(generate(options.what, parameters, options.common.seed.value_or(1))),
        options, rules);
  return exit_fine;
}

int workload_import(const WorkloadOptions& options) {
  if (options.what.empty()) {
    list_formats();
    return exit_fine;
  }
  Mistakes mistakes;
  const Parameters parameters = given_to(formats(), "format", options, mistakes);
  if (options.file.empty()) {
    mistakes.add({.key = "FILE",
                  .what = "the file to import is missing",
                  .hint = "somnus workload import FORMAT FILE -o OUT"});
  }
  const OutputRules rules = rules_of(options);
  require_output(options, rules, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  write(read_in_sight(options, options.what, parameters), options, rules);
  return exit_fine;
}

int workload_export(const WorkloadOptions& options) {
  if (options.what.empty()) {
    for (const Export& format : exports()) fmt::print("{}: {}\n", format.name, format.summary);
    return exit_fine;
  }
  Mistakes mistakes;
  if (options.file.empty()) {
    mistakes.add({.key = "FILE",
                  .what = "the workload to export is missing",
                  .hint = "somnus workload export FORMAT FILE -o OUT"});
  }
  const OutputRules rules = rules_of(options);
  require_output(options, rules, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  const WorkloadSpec spec = read_in_sight(options);
  const Exported exported = value_or_throw(export_workload(spec, options.what, options.file));
  write_text(exported.text, options.output, rules);
  if (options.common.quiet || is_standard_output(options.output)) return exit_fine;
  fmt::print("{}\n", options.output);
  for (const std::string& lost : exported.lost) fmt::print("  lost: {}\n", lost);
  return exit_fine;
}

int workload_show(const WorkloadOptions& options) {
  if (!options.file.ends_with(".toml")) {
    if (!options.common.set.empty()) {
      throw UserError(mistake({.key = "--set " + options.common.set.front(),
                               .what = "changes a config, and this is a workload file",
                               .hint = "show a config (.toml) that names it"})
                          .value());
    }
    const WorkloadSpec spec = read_in_sight(options);
    fmt::print("{}\n{}", describe_workload(spec), draw_workload(spec));
    return exit_fine;
  }
  const Settings settings =
      value_or_throw(load_settings(options.file, overrides_of(options.common)));
  const WorkloadSpec spec = value_or_throw(workload_spec_of(settings));
  fmt::print("{}\n{}", describe_workload(spec, &settings.cluster), draw_workload(spec));
  return exit_fine;
}

void add_file_options(CLI::App& app, WorkloadOptions& options) {
  app.add_option("-o,--output", options.output, "where to; .gz is compressed")->type_name("FILE");
  add_force(app, options.common.force);
  app.add_flag("-q,--quiet", options.common.quiet, "no progress, no figures");
}

void describe_make(CLI::App& app, WorkloadOptions& options) {
  app.add_option("generator", options.what, "e.g. google")->type_name("GENERATOR");
  add_set(app, options.common, "jobs=500");
  app.add_option("--seed", options.common.seed, "of its random streams");
  add_file_options(app, options);
}

void describe_import(CLI::App& app, WorkloadOptions& options) {
  app.add_option("format", options.what, "e.g. tr, google-uwfq")->type_name("FORMAT");
  app.add_option("file", options.file, "the trace")->type_name("FILE");
  add_set(app, options.common, "filter=10");
  add_file_options(app, options);
}

void describe_export(CLI::App& app, WorkloadOptions& options) {
  app.add_option("format", options.what, "e.g. csv")->type_name("FORMAT");
  app.add_option("file", options.file, "a workload in any format")->type_name("WORKLOAD");
  add_file_options(app, options);
}

void describe_show(CLI::App& app, WorkloadOptions& options) {
  app.add_option("file", options.file,
                 "in any format that can be imported; or a config (.toml): what it makes, and "
                 "the load of its cluster")
      ->required()
      ->type_name("WORKLOAD|CONFIG");
  add_set(app, options.common, "workload.load=0.8 (of a config)");
  app.add_option("--seed", options.common.seed, "of a generated workload (run.seed)");
}

constexpr CommandGroup group = CommandGroup::workloads;
const Registered<Command> rows[] = {
    command_of_commands("workload", group, "make, import, export and show workloads"),
    command("workload make", group, "generate one; without a name: list the generators",
            describe_make, workload_make),
    command("workload import", group,
            "turn another format into ours; without a name: list the formats", describe_import,
            workload_import),
    command("workload export", group,
            "turn a workload into another format; without a name: list them", describe_export,
            workload_export),
    command("workload show", group, "counts, load, quantiles and pictures of a workload",
            describe_show, workload_show)};

}  // namespace
}  // namespace somnus::command_workload
