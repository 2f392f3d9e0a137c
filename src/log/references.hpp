// What rows of /events and /decisions point at, and what their codes and estimates can be.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "base/describe.hpp"
#include "log/layout.hpp"
#include "log/log.hpp"
#include "model/event.hpp"

namespace somnus {

/// How many a log has of what rows name by id.
class Population {
 public:
  explicit Population(const LogTables& tables)
      : jobs_(tables.jobs.size()), stages_(tables.stages.size()), nodes_(tables.nodes.size()) {
    for (const StageRow& stage : tables.stages) tasks_ += stage.tasks;
  }
  [[nodiscard]] bool has(JobId id) const { return id.index() < jobs_; }
  [[nodiscard]] bool has(StageId id) const { return id.index() < stages_; }
  [[nodiscard]] bool has(TaskId id) const { return id.index() < tasks_; }
  [[nodiscard]] bool has(NodeId id) const { return id.index() < nodes_; }

 private:
  std::size_t jobs_;
  std::size_t stages_;
  std::size_t nodes_;
  std::uint64_t tasks_ = 0;
};

[[nodiscard]] inline bool possible_amount(double amount) {
  return amount >= 0 && amount <= Resources::most;  // false for NaN
}

/// The first column with a value that no run can have logged, in words; empty if there is none.
template <class Kind>
[[nodiscard]] std::string impossible_value(const Stamped<Kind>& row, const Population& population) {
  std::string error;
  for_each_field<Kind>([&](const auto& field) {
    const auto& value = row.*field.member;
    using Member = std::remove_cvref_t<decltype(value)>;
    if (!error.empty()) return;
    if constexpr (is_id<Member>) {
      if (!population.has(value))
        error = fmt::format("there is no {} {}", field.name, value.value());
    } else if constexpr (NamedEnum<Member>) {
      const auto& names = EnumNames<Member>::names;
      const bool named =
          std::ranges::any_of(names, [&](const auto& one) { return one.first == value; });
      if (!named) error = fmt::format("{} {}", field.name, static_cast<int>(value));
    } else if constexpr (OfSeconds<Member>) {
      if (!field.range.holds(value.seconds))
        error = fmt::format("{} {}", field.name, value.seconds);
    } else if constexpr (std::is_same_v<Member, double>) {
      if (!field.range.holds(value)) error = fmt::format("{} {}", field.name, value);
    }
  });
  if constexpr (PerResource<Stamped<Kind>>::any) {
    for (const double amount : row.demand) {
      if (!possible_amount(amount)) error = fmt::format("demand {}", amount);
    }
  }
  return error;
}

}  // namespace somnus
