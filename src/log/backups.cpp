#include "log/backups.hpp"

#include <limits>
#include <unordered_map>

#include "log/in_order.hpp"

namespace somnus {
namespace {

/// Before it, all events are in the log.
std::uint32_t first_round_in_doubt(const Log& log) {
  if (log.header.complete) return std::numeric_limits<std::uint32_t>::max();
  const InOrder<EventRows> events(log.events);
  std::uint32_t last = 0;
  if (events.size() == 0) return last;
  events.visit(events.size() - 1, [&](const auto& row, std::size_t) { last = row.round; });
  return last;
}

}  // namespace

Backups::Backups(const Log& log) {
  constexpr std::uint32_t no_round = std::numeric_limits<std::uint32_t>::max();
  std::unordered_map<std::uint64_t, std::uint32_t> ended;  // round, of attempts that took long
  for (const auto& row : log.decisions.get<Stamped<Backup>>()) {
    ended[key(row.task, row.attempt)] = no_round;
  }
  if (ended.empty()) return;
  for (const auto& row : log.events.get<Stamped<TaskEnded>>()) {
    const auto found = ended.find(key(row.task, row.attempt));
    if (found != ended.end()) found->second = row.round;
  }
  const std::uint32_t in_doubt = first_round_in_doubt(log);
  for (const auto& row : log.decisions.get<Stamped<Launch>>()) {
    if (row.attempt == 0 || row.round >= in_doubt) continue;
    const auto before = ended.find(key(row.task, row.attempt - 1U));
    // What ends in a round does so before anything is launched.
    if (before != ended.end() && row.round < before->second) {
      attempts_.insert(key(row.task, row.attempt));
    }
  }
}

}  // namespace somnus
