// How users name the columns of a table: `cores`, `runtime/1000`, `nodes*ppn`, `end - start`, `=4`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace somnus {

/// A number of each row: (column - minus) * factor / divisor * times / by, or a constant.
struct TableNumber {
  std::optional<std::size_t> column;  // none: `constant`
  std::optional<std::size_t> minus;
  std::optional<std::size_t> factor;
  std::optional<std::size_t> divisor;
  double times = 1;
  double by = 1;
  double constant = 0;
};

/// A text of each row: a column's, or a constant.
struct TableText {
  std::optional<std::size_t> column;
  std::string constant;
};

class TableColumns {
 public:
  struct ColumnError {
    std::string what;
    std::string hint;
  };

  /// By the names of the first row.
  explicit TableColumns(std::vector<std::string> names) : names_(std::move(names)) {}
  /// There is no such row: columns are 1, 2, ...
  explicit TableColumns(std::size_t count);

  /// A column's name, perhaps with numbers and another column behind it, `runtime/1000`,
  /// `nodes*ppn`, `mem/cores/1000`; or the difference of two, `end - start` or
  /// `(end - start) / 1000`; or a constant, `=4`. A number that names no column is
  /// a constant, too, where columns have names. Names win: a column may well be called cpu/core.
  [[nodiscard]] tl::expected<TableNumber, ColumnError> number(std::string_view text) const;
  /// A column's name, or a constant: `=batch`.
  [[nodiscard]] tl::expected<TableText, ColumnError> text(std::string_view text) const;

  [[nodiscard]] const std::string& name(std::size_t column) const { return names_[column]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  /// "the file has a, b, c"
  [[nodiscard]] std::string listed() const;

 private:
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] tl::expected<std::size_t, ColumnError> column(std::string_view name) const;
  [[nodiscard]] tl::expected<TableNumber, ColumnError> product(std::string_view text) const;
  [[nodiscard]] tl::expected<TableNumber, ColumnError> difference(std::string_view text) const;

  std::vector<std::string> names_;
  bool are_numbers_ = false;
};

}  // namespace somnus
