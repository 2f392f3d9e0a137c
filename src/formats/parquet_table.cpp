#include "formats/parquet_table.hpp"

#include <fmt/format.h>

#include <chrono>

namespace somnus {
namespace {

namespace chrono = std::chrono;

std::string date_text(std::int64_t days) {
  const chrono::year_month_day date{chrono::sys_days(chrono::days(days))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

/// The digits of a fraction say how fine the column is.
std::string instant_text(std::int64_t parts, const parquet::Timestamp& timestamp) {
  constexpr std::int64_t seconds_of_day = 86'400;
  constexpr std::int64_t most_days = 1'000'000;  // beyond these no calendar goes
  const auto floored = [](std::int64_t number, std::int64_t by) {
    return number / by - (number % by < 0 ? 1 : 0);
  };
  const std::int64_t seconds = floored(parts, timestamp.per_second);
  const std::int64_t days = floored(seconds, seconds_of_day);
  if (days < -most_days || days > most_days) return fmt::format("{}", parts);
  const std::int64_t of_day = seconds - days * seconds_of_day;
  const std::int64_t fraction = parts - seconds * timestamp.per_second;
  const int digits = timestamp.per_second == 1'000 ? 3 : timestamp.per_second == 1'000'000 ? 6 : 9;
  return fmt::format("{}T{:02}:{:02}:{:02}.{:0{}}{}", date_text(days), of_day / 3600,
                     of_day / 60 % 60, of_day % 60, fraction, digits,
                     timestamp.has_zone ? "Z" : "");
}

}  // namespace

std::vector<std::string> ParquetTable::names() const {
  std::vector<std::string> names;
  names.reserve(file_.columns().size());
  for (const parquet::Leaf& leaf : file_.columns()) names.push_back(leaf.name);
  return names;
}

std::optional<Mistakes> ParquetTable::read(std::size_t column) {
  auto found = file_.read(file_.columns()[column].name);
  if (!found) return std::move(found.error());
  read_[column] = std::move(*found);
  return std::nullopt;
}

std::string ParquetTable::text_of(std::size_t column, std::size_t value) const {
  const parquet::Leaf& leaf = file_.columns()[column];
  const parquet::Values& values = read_[column]->values;
  if (const auto* truths = std::get_if<std::vector<bool>>(&values)) {
    return (*truths)[value] ? "true" : "false";
  }
  if (const auto* fractions = std::get_if<std::vector<double>>(&values)) {
    return fmt::format("{}", (*fractions)[value]);
  }
  if (const auto* texts = std::get_if<std::vector<std::string>>(&values)) return (*texts)[value];
  const std::int64_t number = std::get<std::vector<std::int64_t>>(values)[value];
  if (leaf.timestamp) return instant_text(number, *leaf.timestamp);
  const bool is_date = leaf.converted == parquet::ConvertedType::date;
  return is_date && number >= -1'000'000 && number <= 1'000'000 ? date_text(number)
                                                                : fmt::format("{}", number);
}

void ParquetTable::row(std::size_t row, TableRecord& record) const {
  record.line = static_cast<int>(row) + 1;
  record.is_whole = true;
  record.cells.clear();
  record.unquoted.clear();
  for (std::size_t column = 0; column < read_.size(); ++column) {
    TableCell& cell = record.cells.emplace_back();
    cell.line = record.line;
    if (!read_[column]) continue;
    const auto [begin, end] = read_[column]->range(row);
    if (begin == end) continue;
    const auto* const texts = std::get_if<std::vector<std::string>>(&read_[column]->values);
    if (texts != nullptr && end == begin + 1) {
      cell.text = (*texts)[begin];
      continue;
    }
    std::string& text = record.unquoted.emplace_back();
    for (std::size_t value = begin; value < end; ++value) {
      if (value > begin) text += ' ';
      text += text_of(column, value);
    }
    cell.text = text;
  }
}

}  // namespace somnus
