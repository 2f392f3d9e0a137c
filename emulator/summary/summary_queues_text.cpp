#include <fmt/format.h>

#include <algorithm>

#include "emulator/print/block_table.hpp"
#include "emulator/summary/summary.hpp"

namespace somnus {
namespace {

constexpr std::size_t queues_shown = 40;

constexpr PartColumn<QueueSummary> queue_columns[] = {
    {"jobs", "1", [](const QueueSummary& queue) { return queue.jobs_submitted; }},
    {"tasks", "1", [](const QueueSummary& queue) { return queue.tasks_submitted; }},
    {"response", "s", [](const QueueSummary& queue) { return queue.response_mean_s; }},
    {"share", "%", [](const QueueSummary& queue) { return queue.share_mean; }},
    {"deviation", "%", [](const QueueSummary& queue) { return queue.share_deviation; }},
    {"farthest", "%", [](const QueueSummary& queue) { return queue.share_farthest; }},
};

}  // namespace

std::string queues_to_text(std::span<const Summary> summaries) {
  auto lines = lines_of(summaries, &Summary::queues, &QueueSummary::queue);
  if (lines.empty()) return {};
  std::ranges::sort(lines, {}, &PartLine<QueueSummary>::name);
  const std::size_t all = lines.size();
  lines.resize(std::min(all, queues_shown));
  std::string text = block_table<QueueSummary>("queue", labels_of(summaries), lines, queue_columns);
  if (all > lines.size()) {
    text += fmt::format("{} more queues; --json has them all\n", all - lines.size());
  }
  return text +
         "share: of occupied slots (without slots: of running tasks), while every queue has "
         "demand\n";
}

}  // namespace somnus
