#include <algorithm>
#include <span>

#include "base/wrapped.hpp"
#include "config/config.hpp"
#include "emulator/commands/command.hpp"
#include "emulator/commands/parameters_json.hpp"
#include "emulator/commands/result.hpp"
#include "formats/exports.hpp"
#include "formats/formats.hpp"
#include "generators/generators.hpp"
#include "print/reading_line.hpp"
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

std::string text_of(std::span<const ParameterInfo> parameters, std::size_t indent = 2) {
  constexpr std::size_t column = 26;
  std::string text;
  for (const ParameterInfo& info : parameters) {
    const std::string unit = info.unit.empty() || info.unit == "1" ? "" : " [" + info.unit + "]";
    const std::string given =
        info.fallback ? "; default " + somnus::text_of(*info.fallback) : std::string();
    text += fmt::format("{:{}}{:<{}} {}\n", "", indent, info.name, column - indent - 1,
                        wrapped(info.meaning + unit + given, column));
    text += text_of(info.nested, indent + 2);
  }
  return text;
}

/// All generators or formats: each with its sentence, and its parameters if it has any.
template <class All>
int list(const WorkloadOptions& options, const All& all) {
  using Each = All::value_type;
  constexpr bool has_parameters = requires(const Each& each) { each.parameters; };
  print_result(
      options.common,
      [&] {
        auto names = nlohmann::json::array();
        for (const Each& each : all) {
          nlohmann::json one = {{"name", each.name}, {"summary", each.summary}};
          if constexpr (has_parameters) one["parameters"] = as_json(std::span(each.parameters));
          names.push_back(std::move(one));
        }
        return names;
      },
      [&] {
        std::string text;
        for (const Each& each : all) {
          std::string words = fmt::format("{}: {}", each.name, each.summary);
          if constexpr (requires { each.source; }) {
            if (!each.source.empty()) words += fmt::format(" ({})", each.source);
          }
          text += wrapped(words, 4) + "\n";
          if constexpr (has_parameters) text += text_of(each.parameters);
        }
        return text;
      });
  return exit_fine;
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

/// What a file that has been written is of.
void print_written(const WorkloadOptions& options, const WorkloadSpec& spec,
                   const std::string& text) {
  print_result(
      options.common,
      [&] {
        nlohmann::json all = workload_to_json(spec);
        all["file"] = options.output;
        return all;
      },
      [&] {
        return is_standard_output(options.output) ? ""
                                                  : fmt::format("{}\n{}", options.output, text);
      });
}

int write(const WorkloadSpec& spec, const WorkloadOptions& options, const OutputRules& rules) {
  write_native(spec, options.output, rules);
  print_written(options, spec, describe_workload(spec));
  return exit_fine;
}

int show(const WorkloadOptions& options, const WorkloadSpec& spec,
         const Cluster* cluster = nullptr) {
  print_result(
      options.common, [&] { return workload_to_json(spec, cluster); },
      [&] { return describe_workload(spec, cluster) + "\n" + draw_workload(spec); });
  return exit_fine;
}

/// Reports progress, where reading takes long.
WorkloadSpec read_in_sight(const WorkloadOptions& options, const std::string& format = "",
                           const Parameters& parameters = {}) {
  ReadingLine line(options.file, options.common.quiet);
  return value_or_throw(read_workload(options.file, format, parameters, {}, line.on_read()));
}

int workload_make(const WorkloadOptions& options) {
  if (options.what.empty()) return list(options, generators());
  Mistakes mistakes;
  const Parameters parameters = given_to(generators(), "generator", options, mistakes);
  const OutputRules rules{.inputs = files_read_by(options.what, parameters),
                          .replace = options.common.force};
  require_output(options, rules, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  return write(value_or_throw(generate(options.what, parameters, options.common.seed.value_or(1))),
               options, rules);
}

int workload_import(const WorkloadOptions& options) {
  if (options.what.empty()) return list(options, formats());
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
  return write(read_in_sight(options, options.what, parameters), options, rules);
}

int workload_export(const WorkloadOptions& options) {
  if (options.what.empty()) return list(options, exports());
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
  std::string text;
  for (const std::string& lost : exported.lost) text += wrapped("  lost: " + lost, 4) + "\n";
  print_written(options, spec, text);
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
    return show(options, read_in_sight(options));
  }
  const Settings settings =
      value_or_throw(load_settings(options.file, overrides_of(options.common)));
  return show(options, value_or_throw(workload_spec_of(settings)), &settings.cluster);
}

void add_file_options(CLI::App& app, WorkloadOptions& options) {
  app.add_option("-o,--output", options.output, "where to; .gz is compressed")->type_name("FILE");
  add_force(app, options.common.force);
  add_output(app, options.common);
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
  add_output(app, options.common);
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
