// Ways to spoil the file of a log, found by walking through it: whatever a log has one day is
// spoilt as well.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace somnus::testing {

enum class Harm { value, row_gone, row_twice, rows_exchanged, attribute };

/// One thing to do to a file. Of a dataset without rows there is nothing to damage.
struct Damage {
  Harm harm;
  std::string dataset;  // "/tasks"; "/" of a root attribute
  std::string name;     // of the column or attribute; "" of the other harms
  std::size_t row = 0;

  [[nodiscard]] std::string text() const;
  /// What a complaint about it must say: the table, or the attribute.
  [[nodiscard]] std::vector<std::string> clues() const;
};

/// Each value of each column (of one row), each row harm of each dataset, each attribute.
[[nodiscard]] std::vector<Damage> damages_of(const std::filesystem::path& log);

/// All columns that the file has, as "/tasks.start", with those of empty tables.
[[nodiscard]] std::vector<std::string> columns_of(const std::filesystem::path& log);

void apply(const Damage& damage, const std::filesystem::path& log);

/// Rewrites each dataset in one piece without room to grow, so that the file is small.
void repack(const std::filesystem::path& log);

}  // namespace somnus::testing
