// A Parquet file of plain columns, written a row group at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parquet/column.hpp"
#include "parquet/metadata.hpp"

namespace somnus::parquet {

/// What a column's cells are to readers; whole numbers are given as std::int64_t and
/// have to fit, u64 by its bits.
enum class CellKind : std::uint8_t { boolean, u8, u16, u32, u64, i64, real, text };

struct ColumnSpec {
  std::string name;
  CellKind kind{};
  std::string unit;       // key "<name>.unit" of the file's metadata; empty: none
  std::string meaning;    // key "<name>.meaning"
  bool optional = false;  // a cell may be null
};

class Writer {
 public:
  /// Given the file's bytes, piece by piece. What it throws goes through.
  using Sink = std::function<void(std::string_view)>;

  Writer(std::vector<ColumnSpec> columns, Sink sink, Codec codec = Codec::snappy);

  /// As many rows, at least one, of each column. Of an optional column `there` says which cells are
  /// not null, row by row, and the values are of those alone; where it has no row they all are. A
  /// chunk is one page: its values take less than 2 GiB.
  void add_rows(std::span<const Values> columns, std::span<const std::vector<bool>> there = {});
  /// The footer. Without it there is no file.
  void finish();

 private:
  void put(std::string_view bytes);
  [[nodiscard]] ChunkMetadata add_chunk(const ColumnSpec& column, const Values& values,
                                        const std::vector<bool>& there);
  [[nodiscard]] std::string footer() const;

  std::vector<ColumnSpec> columns_;
  Sink sink_;
  Codec codec_;
  std::uint64_t written_ = 0;
  std::vector<GroupMetadata> groups_;
};

}  // namespace somnus::parquet
