// A log's tables as rows of columns, whatever their type.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "log/layout.hpp"
#include "log/log.hpp"

namespace somnus {

/// A column for other programs: a number of the row, or the name that an id of it stands for.
struct ViewColumn {
  Column of;  // of a name: the id's
  std::string name;
  const std::vector<std::string>* names = nullptr;  // by id; none: a number
  bool may_be_none = false;  // an id, of which the highest number stands for none
};

/// A table of the log, which has to outlive it.
struct TableView {
  std::string path;  // in the log, "/events/task_ended"
  std::vector<ViewColumn> columns;
  const std::byte* rows = nullptr;
  std::size_t row_bytes = 0;
  std::size_t count = 0;

  /// Of a column that is no name.
  using Cell = std::variant<std::uint64_t, double>;
  [[nodiscard]] Cell cell(std::size_t row, const ViewColumn& column) const;
  /// Whether the id there, or the one of the name, is none.
  [[nodiscard]] bool is_none(std::size_t row, const ViewColumn& column) const;
  /// Of a column that is one; empty where the id names nobody.
  [[nodiscard]] const std::string& name(std::size_t row, const ViewColumn& column) const;
};

/// All that have a row. Behind a column with the id of a job, user, queue, app or group is one with
/// its name, "<column>_name".
[[nodiscard]] std::vector<TableView> tables_of(const Log& log);

}  // namespace somnus
