#include "queueing/reordering.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace somnus {

constexpr ReorderingRow detail::reorderings[] = {
    {.name = "fifo",
     .summary = "the one that came first",
     .source = "Yaq section 3.3",
     .key = [](const QueuedTask&) { return std::int64_t{0}; },
     .reorders = false},
    {.name = "srjf",
     .summary = "shortest remaining job: least estimated work of its unfinished tasks",
     .source = "Yaq section 3.3",
     .key = [](const QueuedTask& task) -> std::int64_t { return task.remaining.count(); },
     .follows_jobs = true},
    {.name = "lrtf",
     .summary = "least remaining tasks: fewest unfinished tasks of its job",
     .source = "Yaq section 3.3",
     .key = [](const QueuedTask& task) { return std::int64_t{task.unfinished}; },
     .follows_jobs = true},
    {.name = "stf",
     .summary = "shortest task, as estimated",
     .source = "Yaq section 3.3",
     .key = [](const QueuedTask& task) -> std::int64_t { return task.estimate.count(); }},
    {.name = "ejf",
     .summary = "earliest job, by its arrival",
     .source = "Yaq section 3.3",
     .key = [](const QueuedTask& task) -> std::int64_t {
       return task.arrival.time_since_epoch().count();
     }},
};

std::span<const ReorderingRow> Reordering::all() { return detail::reorderings; }

Reordering Reordering::named(std::string_view name) {
  const auto found = parse(name);
  SOMNUS_CHECK(found.has_value(), "{}", found.error());
  return *found;
}

tl::expected<Reordering, std::string> Reordering::parse(std::string_view name) {
  const auto found = std::ranges::find(all(), name, &ReorderingRow::name);
  if (found == all().end()) {
    return tl::unexpected(fmt::format("there is no reordering of queues called '{}'", name));
  }
  return Reordering(*found);
}

std::vector<std::string> Reordering::choices() {
  std::vector<std::string> names;
  for (const ReorderingRow& row : all()) names.emplace_back(row.name);
  return names;
}

}  // namespace somnus
