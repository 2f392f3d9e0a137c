// Which of the tasks that wait in a node's queue starts next (Yaq, section 3.3; policies.md 4.1):
// an open set. Each way is one row of the table in reordering.cpp; configs, `somnus policies`,
// nodes and audits know it by what the row says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/time.hpp"

namespace somnus {

/// What a node knows of a task in its queue. Of jobs it knows what came with the task, or at its
/// last heartbeat since.
struct QueuedTask {
  Duration estimate{};           // of the task
  Time arrival;                  // of its job
  Duration remaining{};          // estimated work of the job's unfinished tasks
  std::uint32_t unfinished = 0;  // tasks of the job
};

/// One way to put a queue in order.
struct ReorderingRow {
  const char* name;     // as in the config, e.g. `reorder = "srjf"`
  const char* summary;  // which task starts next
  const char* source;   // paper and section
  /// The least starts first; of equal ones that which came first.
  std::int64_t (*key)(const QueuedTask&);
  bool reorders = true;       // a task may start before one that came earlier
  bool follows_jobs = false;  // the key changes as jobs progress, so nodes have to hear of it
};

namespace detail {
extern const ReorderingRow reorderings[];  // the table
}

/// A row, chosen by name; the first one unless said otherwise.
class Reordering {
 public:
  constexpr Reordering() : row_(detail::reorderings) {}
  /// Throws Bug if there is none of that name.
  [[nodiscard]] static Reordering named(std::string_view name);
  [[nodiscard]] static std::span<const ReorderingRow> all();

  // As a choice in configs (Textual, base/parameters.hpp).
  [[nodiscard]] static tl::expected<Reordering, std::string> parse(std::string_view name);
  [[nodiscard]] static std::vector<std::string> choices();
  [[nodiscard]] const char* name() const { return row_->name; }

  [[nodiscard]] const ReorderingRow* operator->() const { return row_; }
  friend bool operator==(const Reordering&, const Reordering&) = default;

 private:
  explicit Reordering(const ReorderingRow& row) : row_(&row) {}
  const ReorderingRow* row_;
};

}  // namespace somnus
