// What readers of Parquet tables have in common. In messages a row is a line, counted from 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "parquet/file.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {

/// Whether the table has no more rows than its bytes account for: what is kept of each takes some
/// hundred bytes, and a few bytes can say that there are millions. Else that is reported.
[[nodiscard]] bool has_possible_rows(const parquet::File& file, std::string_view bytes,
                                     MistakeCollector& report);

/// A value that is a whole number, which some writers have as fractions; nothing else.
[[nodiscard]] std::optional<std::int64_t> whole(const parquet::Values& values, std::size_t at);
[[nodiscard]] std::optional<double> real(const parquet::Values& values, std::size_t at);

/// Whether the bytes are Parquet with all of these columns.
template <class... Names>
[[nodiscard]] bool has_columns(std::string_view bytes, Names... names) {
  if (!parquet::looks_parquet(bytes)) return false;
  const auto file = parquet::File::open("", bytes);
  return file && (file->has(names) && ...);
}

}  // namespace somnus
