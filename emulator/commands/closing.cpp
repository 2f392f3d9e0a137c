#include "emulator/commands/closing.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "log/reader.hpp"

namespace somnus {

void print_summaries(const CommonOptions& options, std::span<const Summary> summaries) {
  if (options.json) {
    fmt::print("{}\n", to_json(summaries).dump(2));
  } else if (!options.quiet) {
    fmt::print("{}", to_text(summaries));
    const std::string resources = resources_to_text(summaries);
    if (!resources.empty()) fmt::print("\n{}", resources);
  }
}

void require_conserved(const Summary& summary) {
  SOMNUS_CHECK(
      summary.conserved(),
      "jobs or tasks are missing: {} jobs submitted, {} finished, {} failed, {} unfinished; "
      "{} tasks submitted, {} finished, {} failed, {} unfinished",
      summary.jobs_submitted, summary.jobs_finished, summary.jobs_failed, summary.jobs_unfinished,
      summary.tasks_submitted, summary.tasks_finished, summary.tasks_failed,
      summary.tasks_unfinished);
}

void close_with_table(const CommonOptions& options, const std::string& log) {
  if (log.empty() || (options.quiet && !options.json)) return;
  const Log read = value_or_throw(read_log(log));
  const Summary one = summarise(read, "");
  require_conserved(one);
  print_summaries(options, std::span(&one, 1));
}

}  // namespace somnus
