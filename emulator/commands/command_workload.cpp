#include <fmt/format.h>

#include "emulator/commands/commands.hpp"
#include "workload/formats.hpp"
#include "workload/generators.hpp"
#include "workload/native.hpp"
#include "workload/summary.hpp"

namespace somnus {
namespace {

void list_parameters(const std::vector<NumberParameter>& parameters) {
  for (const NumberParameter& parameter : parameters) {
    fmt::print("  {:<20} {:<8} {:>10}  {}\n", parameter.name, parameter.unit,
               parameter.default_text, parameter.meaning);
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

GivenParameters parameters_of(const WorkloadOptions& options, Mistakes& mistakes) {
  GivenParameters parameters;
  for (const std::string& text : options.common.set) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      mistakes.add({.key = "--set " + text, .what = "expected NAME=VALUE"});
      continue;
    }
    parameters.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return parameters;
}

void require_output(const WorkloadOptions& options, Mistakes& mistakes) {
  if (!options.output.empty()) return;
  mistakes.add({.key = "-o", .what = "where to write is missing", .hint = "add -o FILE"});
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
  const GivenParameters parameters = parameters_of(options, mistakes);
  require_output(options, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  write(value_or_throw(generate(options.what, parameters, options.common.seed.value_or(1))),
        options.output);
  return exit_fine;
}

int workload_import(const WorkloadOptions& options) {
  if (options.what.empty()) {
    list_formats();
    return exit_fine;
  }
  Mistakes mistakes;
  const GivenParameters parameters = parameters_of(options, mistakes);
  if (options.file.empty()) {
    mistakes.add({.key = "FILE",
                  .what = "the file to import is missing",
                  .hint = "somnus workload import FORMAT FILE -o OUT"});
  }
  require_output(options, mistakes);
  if (mistakes.any()) throw UserError(std::move(mistakes));
  write(value_or_throw(read_workload(options.file, options.what, parameters)), options.output);
  return exit_fine;
}

int workload_show(const WorkloadOptions& options) {
  fmt::print("{}", describe_workload(value_or_throw(read_workload(options.file))));
  return exit_fine;
}

}  // namespace somnus
