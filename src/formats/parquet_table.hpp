// The rows of a Parquet file as texts, as a table of separated cells has them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "parquet/file.hpp"
#include "text/table_record.hpp"

namespace somnus {

class ParquetTable {
 public:
  /// The file must outlive it.
  explicit ParquetTable(const parquet::File& file) : file_(file), read_(file.columns().size()) {}

  [[nodiscard]] std::vector<std::string> names() const;
  /// Before rows are asked for. A column that has not been read has empty cells. The user's
  /// mistakes: what is wrong with it.
  [[nodiscard]] std::optional<Mistakes> read(std::size_t column);

  /// From 0. A null is an empty cell, instants are dates, lists have blanks between their elements.
  /// Texts are those of the table, or of the record.
  void row(std::size_t row, TableRecord& record) const;

 private:
  [[nodiscard]] std::string text_of(std::size_t column, std::size_t value) const;

  const parquet::File& file_;
  std::vector<std::optional<parquet::Column>> read_;
};

}  // namespace somnus
