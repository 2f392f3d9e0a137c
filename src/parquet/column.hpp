// A column of a table: what is read and written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace somnus::parquet {

/// One for each cell that is there.
using Values = std::variant<std::vector<bool>, std::vector<std::int64_t>, std::vector<double>,
                            std::vector<std::string>>;

[[nodiscard]] inline std::size_t count_of(const Values& values) {
  return std::visit([](const auto& each) { return each.size(); }, values);
}

/// As it was read. A row has the values up to its end, from that of the row before: of a plain
/// column one, or none where it is null; of a list any number. What is null within a list is left
/// out.
struct Column {
  bool is_list = false;
  Values values;
  std::vector<std::uint64_t> ends;  // by row

  [[nodiscard]] std::size_t rows() const { return ends.size(); }
  /// The first value of a row, and the one behind its last.
  [[nodiscard]] std::pair<std::size_t, std::size_t> range(std::size_t row) const {
    return {row == 0 ? 0 : ends[row - 1], ends[row]};
  }
};

}  // namespace somnus::parquet
