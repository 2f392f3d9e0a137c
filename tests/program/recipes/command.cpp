// somnus count-jobs: how many jobs a workload has.
#include <fmt/format.h>

#include "emulator/commands/command.hpp"
#include "formats/formats.hpp"

namespace somnus::command_count_jobs {
namespace {

struct CountOptions {
  std::string file;
};

int count_jobs(const CountOptions& options) {
  fmt::print("{} jobs\n", value_or_throw(read_workload(options.file)).jobs.size());
  return exit_fine;
}

void describe(CLI::App& app, CountOptions& options) {
  app.add_option("file", options.file, "a workload in any format")->required()->type_name("FILE");
}

const Registered<Command> row = command("count-jobs", CommandGroup::workloads,
                                        "how many jobs a workload has", describe, count_jobs);

}  // namespace
}  // namespace somnus::command_count_jobs
