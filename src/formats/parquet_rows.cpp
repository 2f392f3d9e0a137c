#include "formats/parquet_rows.hpp"

#include <algorithm>
#include <cmath>

namespace somnus {

bool has_possible_rows(const parquet::File& file, std::string_view bytes,
                       MistakeCollector& report) {
  constexpr std::uint64_t always = 4'000'000;
  const std::uint64_t most = std::max<std::uint64_t>(always, bytes.size());
  if (file.rows() <= most) return true;
  report.add(0, 0, "",
             fmt::format("expected at most {} rows in {} bytes, found {}", most, bytes.size(),
                         file.rows()));
  return false;
}

std::optional<std::int64_t> whole(const parquet::Values& values, std::size_t at) {
  if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&values)) return (*numbers)[at];
  const auto* const fractions = std::get_if<std::vector<double>>(&values);
  if (fractions == nullptr) return std::nullopt;
  const double number = (*fractions)[at];
  const bool is_whole = std::abs(number) <= 9e15 && number == std::floor(number);
  return is_whole ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
}

std::optional<double> real(const parquet::Values& values, std::size_t at) {
  if (const auto* fractions = std::get_if<std::vector<double>>(&values)) return (*fractions)[at];
  const auto number = whole(values, at);
  return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
}

}  // namespace somnus
