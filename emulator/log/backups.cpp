#include "emulator/log/backups.hpp"

#include <limits>
#include <unordered_map>

namespace somnus {

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
  for (const auto& row : log.decisions.get<Stamped<Launch>>()) {
    if (row.attempt == 0) continue;
    const auto before = ended.find(key(row.task, row.attempt - 1U));
    // What ends in a round does so before anything is launched.
    if (before != ended.end() && row.round < before->second) {
      attempts_.insert(key(row.task, row.attempt));
    }
  }
}

}  // namespace somnus
