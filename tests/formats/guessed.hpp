// What tests ask of a guess.
#pragma once

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/table_check.hpp"
#include "formats/table_guess.hpp"
#include "workload/support.hpp"

namespace somnus::test {

inline TableSample sample_in(const std::string& rows) {
  return value_or_throw(sample_of(text_file("w.csv", rows), {}));
}
inline TableGuess guess_in(const std::string& rows, const Parameters& given = {}) {
  return guess_table(sample_in(rows), given);
}
inline TableCheck check_in(const std::string& rows, const Parameters& parameters) {
  return check_table(sample_in(rows), "w.csv", parameters);
}

/// "duration: took or took/1000"
inline std::string asked(const TableGuess& guess) {
  std::string all;
  for (const GuessChoice& choice : guess.choices) {
    all += fmt::format("{}: {}\n", choice.parameter, fmt::join(choice.candidates, " or "));
  }
  return all;
}
inline std::string why(const TableGuess& guess) {
  return guess.choices.empty() ? "nothing is asked" : guess.choices.front().why;
}
inline std::string text_of(const TableGuess& guess, const char* parameter) {
  const auto found = guess.parameters.find(parameter);
  if (found == guess.parameters.end() || found->second.text() == nullptr) return "";
  return *found->second.text();
}
inline bool says(const std::vector<std::string>& sentences, std::string_view words) {
  return std::ranges::any_of(
      sentences, [&](const std::string& each) { return each.find(words) != std::string::npos; });
}
inline std::string joined(const std::vector<std::string>& sentences) {
  return fmt::format("{}", fmt::join(sentences, "\n"));
}

/// That many rows: job i comes at 1714032000 + 60 i, starts 10 s later and runs for 100 + i s.
template <class Row>
std::string table(const std::string& names, int rows, Row&& row) {
  std::string all = names + "\n";
  for (int job = 0; job < rows; ++job) {
    const int submit = 1'714'032'000 + 60 * job;
    all += row(job, submit, submit + 10, submit + 110 + job) + "\n";
  }
  return all;
}

}  // namespace somnus::test
