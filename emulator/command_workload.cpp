#include <fmt/format.h>

#include "emulator/commands.hpp"
#include "workload/formats.hpp"
#include "workload/generators.hpp"
#include "workload/native.hpp"
#include "workload/summary.hpp"

namespace somnus {
namespace {

void list_generators() {
  for (const Generator& generator : generators()) {
    fmt::print("{}: {} ({})\n", generator.name, generator.summary, generator.source);
    for (const NumberParameter& parameter : generator.parameters) {
      fmt::print("  {:<16} {:<8} {:>10}  {}\n", parameter.name, parameter.unit,
                 parameter.default_text, parameter.meaning);
    }
  }
}

void write(const WorkloadSpec& spec, const std::string& output) {
  write_native(spec, output);
  fmt::print("{}\n{}", output, describe_workload(spec));
}

}  // namespace

int workload_make(const WorkloadOptions& options) {
  if (options.what.empty()) {
    list_generators();
    return exit_fine;
  }
  Mistakes mistakes;
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const std::string& text : options.common.set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      mistakes.add({.key = "--set " + text, .what = "expected NAME=VALUE"});
      continue;
    }
    parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  if (options.output.empty()) {
    mistakes.add({.key = "-o", .what = "where to write is missing", .hint = "add -o FILE"});
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  write(value_or_throw(generate(options.what, parameters, options.common.seed.value_or(1))),
        options.output);
  return exit_fine;
}

int workload_import(const WorkloadOptions& options) {
  write(value_or_throw(read_workload(options.file, options.what)), options.output);
  return exit_fine;
}

int workload_show(const WorkloadOptions& options) {
  fmt::print("{}", describe_workload(value_or_throw(read_workload(options.file))));
  return exit_fine;
}

}  // namespace somnus
