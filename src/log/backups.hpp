// Which attempts were backups, by the decisions and events.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "base/ids.hpp"
#include "log/log.hpp"

namespace somnus {

class Backups {
 public:
  /// Of a log that keeps events and decisions; else none is known. Of one that was cut off those
  /// are known that were launched before its events end: behind that the attempt before may have
  /// ended.
  explicit Backups(const Log& log);

  /// Whether it was launched while the attempt before it, which took long, had not ended.
  [[nodiscard]] bool contains(TaskId task, std::uint32_t attempt) const {
    return attempts_.contains(key(task, attempt));
  }
  [[nodiscard]] std::uint64_t size() const { return attempts_.size(); }

 private:
  static std::uint64_t key(TaskId task, std::uint32_t attempt) {
    return (std::uint64_t{task.value()} << 32) | attempt;
  }

  std::unordered_set<std::uint64_t> attempts_;
};

}  // namespace somnus
