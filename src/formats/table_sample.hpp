// The first rows of any table, as texts: what is guessed from.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "text/table_columns.hpp"
#include "text/text_file.hpp"

namespace somnus {

struct TableSample {
  static constexpr std::size_t most_rows = 10'000;

  std::vector<std::string> names;  // of the columns; where the file has none, 1, 2, ...
  std::vector<std::vector<std::string>> columns;    // cells, by row
  std::vector<int> lines;                           // of the rows
  std::vector<std::pair<int, std::size_t>> uneven;  // rows with another number of cells, by line
  int line = 0;                                     // which names the columns; 0: Parquet
  char separator = 0;                               // between cells; 0: Parquet
  bool has_header = true;
  bool is_whole = true;  // the file has no more rows

  [[nodiscard]] std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

/// By their names, where the file has any.
[[nodiscard]] TableColumns columns_of(const TableSample& sample);

/// The user's mistakes: what is wrong with the file, or its first rows. A separator of 0 and a
/// header that is not known are told from the file.
struct SampleOptions {
  char separator = 0;
  bool knows_header = false;
  bool has_header = true;
};
[[nodiscard]] Checked<TableSample> sample_of(const TextFile& file, const SampleOptions& options);

}  // namespace somnus
