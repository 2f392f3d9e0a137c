// Columns of instants and lengths of time beside each other: which lies between which, and which is
// as long as the time from one to another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/guess_state.hpp"

namespace somnus {

[[nodiscard]] bool are_instants(const ColumnFacts& facts);

/// Columns of instants whose names say nothing, and which come never before the one and never after
/// the other.
[[nodiscard]] std::vector<std::size_t> columns_between(const GuessState& state,
                                                       std::optional<std::size_t> low,
                                                       std::size_t high);

/// "end - start", "(end - start)/1000": a parameter in seconds, of columns that count so many.
[[nodiscard]] std::string difference(const GuessState& state, std::size_t from, std::size_t to,
                                     double unit_s);

/// In which the column is as long as the time from start to end, in nine of ten rows: the one that
/// its name says, or of the usual ones.
[[nodiscard]] std::vector<double> units_that_fit(const GuessState& state, std::size_t column,
                                                 std::size_t start, std::size_t end);
/// As what was asked for is.
[[nodiscard]] bool is_never_shorter(const GuessState& state, std::size_t column, std::size_t start,
                                    std::size_t end);

/// Of durations in a unit that nothing shows: those in which they are neither moments nor months.
/// One: they are likely seconds.
[[nodiscard]] std::vector<double> possible_units(const std::vector<std::optional<double>>& of);

}  // namespace somnus
