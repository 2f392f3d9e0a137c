// Logs for tests: tables with distinct values, and rows by number.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/fresh_folder.hpp"
#include "log/layout.hpp"
#include "log/log.hpp"
#include "log/writer.hpp"

namespace somnus::testing {

using harness::FreshFolder;

/// Two resources; a config longer than HDF5's usual limit of 64 KiB for an attribute.
[[nodiscard]] LogHeader sample_header();

/// Three jobs of two users; four stages, the first two of job 0 in a row, of ten tasks each.
[[nodiscard]] LogTables sample_tables();

/// The n-th row of a table that grows, different in every column.
[[nodiscard]] TaskRow task_row(std::size_t n);
[[nodiscard]] SampleRow sample_row(std::size_t n);
template <class Row>
[[nodiscard]] Row long_row(std::size_t n);

/// Adds rows [first, last) to each table that grows.
void add_rows(LogWriter& writer, std::size_t first, std::size_t last);

/// What a column holds, as a number.
template <class Member>
[[nodiscard]] auto plain(const Member& member) {
  if constexpr (is_id<Member>) {
    return member.value();
  } else if constexpr (std::is_enum_v<Member>) {
    return static_cast<int>(member);
  } else if constexpr (OfSeconds<Member>) {
    return member.seconds;
  } else {
    return member;
  }
}

/// Rows in words, NaN equal to NaN, so that a failing comparison shows them.
template <class Row>
[[nodiscard]] std::string text(const Row& row) {
  std::string result;
  for_each_field<Row>([&](const auto& field) {
    result += fmt::format("{}={} ", field.name, plain(row.*field.member));
  });
  if constexpr (requires { row.allocated; }) {
    result += fmt::format("allocated={},{}", row.allocated[0], row.allocated[1]);
  }
  if constexpr (requires { row.resources; }) {
    result += fmt::format("resources={},{}", row.resources[0], row.resources[1]);
  }
  return result;
}

template <class Row>
[[nodiscard]] std::vector<std::string> texts(const std::vector<Row>& rows) {
  std::vector<std::string> result;
  for (const Row& row : rows) result.push_back(text(row));
  return result;
}

/// The first row that isn't the one of its number, NaN equal to NaN; their count if all are.
template <class Row>
[[nodiscard]] std::size_t right_rows(const std::vector<Row>& rows,
                                     Row (*row_of)(std::size_t) = long_row<Row>);

/// So many rows in each table that grows, all of them right.
[[nodiscard]] bool all_right(const Log& log, std::size_t rows);

void expect_equal(const LogTables& actual, const LogTables& expected);

}  // namespace somnus::testing
