#include "emulator/commands/closing.hpp"

#include <nlohmann/json.hpp>

#include "emulator/commands/result.hpp"
#include "print/terminal.hpp"

namespace somnus {

namespace {

std::string text_of(const CommonOptions& options, std::span<const Summary> summaries) {
  const Rows rows = options.all_figures ? Rows::all : Rows::headlines;
  std::string text = to_text(summaries, rows, terminal_size().columns);
  if (!options.all_figures) return text;
  const std::string resources = resources_to_text(summaries);
  return resources.empty() ? text : text + "\n" + resources;
}

}  // namespace

void print_summaries(const CommonOptions& options, std::span<const Summary> summaries) {
  print_result(
      options, [&] { return to_json(summaries); }, [&] { return text_of(options, summaries); });
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

void close_with_table(const CommonOptions& options, const Log& log) {
  const Summary one = summarise(log, "");
  require_conserved(one);
  print_summaries(options, std::span(&one, 1));
}

}  // namespace somnus
