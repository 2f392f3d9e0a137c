// What the name of a table's column says: its words, and the unit among them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace somnus {

struct ColumnWords {
  std::vector<std::string>
      words;                     // lower case, without the unit: "SubmitTime (ms)" -> submit, time
  std::optional<double> unit_s;  // seconds that a number there is worth; none: the name has none
};

[[nodiscard]] ColumnWords words_of_column(std::string_view name);

/// What a column may be, by its name.
enum class ColumnRole {
  submit,
  start,
  end,
  duration,
  tasks,
  job,
  task,  // the name of one of a job's tasks
  user,
  queue,
  account,
  qos,
  app,
  limit,
  nodes,     // how many a row had
  per_node,  // how many processors or tasks on each
  cpu,       // what a task demands of processors
  memory,    // of memory
  gpu,       // and of GPUs
  attempt,
  state,
  stage,
  parents
};

/// A name of counts, such as threads or gpu_num, that may say how wide a row is.
[[nodiscard]] bool is_like_a_width(const ColumnWords& name);

/// GB that a number of memory is worth, by the words of the name.
[[nodiscard]] std::optional<double> memory_unit_gb(const ColumnWords& name);

/// How well the words fit the role: 1 best; none: they do not.
[[nodiscard]] std::optional<int> rank_of(ColumnRole role, const ColumnWords& name);

}  // namespace somnus
