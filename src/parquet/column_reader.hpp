// From the pages of a column to its values.
#pragma once

#include <cstdint>
#include <string_view>

#include "parquet/column.hpp"
#include "parquet/metadata.hpp"
#include "parquet/schema.hpp"

namespace somnus::parquet {

/// How much memory and work a file may still cost: pages can say of themselves that a few bytes are
/// millions of rows, and several can lie in the same place.
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : most_(bytes), left_(bytes) {}
  /// Throws FormatError when there is no more.
  void take(std::uint64_t bytes);

 private:
  std::uint64_t most_;
  std::uint64_t left_;
};

/// Appends a row group's rows to the column, whose values have to be those of the leaf's type.
/// Throws FormatError, which says in which page.
void read_chunk(std::string_view file, const Leaf& leaf, const ChunkMetadata& chunk,
                std::int64_t rows, Budget& budget, Column& column);

/// For such a leaf, without rows yet. Throws FormatError where its type is none that is read.
[[nodiscard]] Column empty_column(const Leaf& leaf);

}  // namespace somnus::parquet
