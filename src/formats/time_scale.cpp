#include "formats/time_scale.hpp"

#include <fmt/format.h>

namespace somnus {
namespace {

/// From the year 2000 to 2100, with a time of day.
bool may_be_days(const ColumnFacts& facts) {
  return facts.numbers > 0 && facts.least_positive >= 36'526 && facts.most <= 73'050 &&
         2 * facts.fractions > facts.numbers;
}

}  // namespace

const char* name_of_unit(double unit_s) {
  if (unit_s == 1e-3) return "milliseconds";
  if (unit_s == 1e-6) return "microseconds";
  if (unit_s == 1e-9) return "nanoseconds";
  if (unit_s == 60) return "minutes";
  if (unit_s == 86'400) return "days";
  return unit_s == 3600 ? "hours" : "seconds";
}

std::optional<double> unit_since_1970(const ColumnFacts& facts) {
  if (facts.least_positive == 0) return std::nullopt;
  for (const double unit_s : {1.0, 1e-3, 1e-6, 1e-9}) {
    if (facts.least_positive * unit_s >= 1e9 && facts.most * unit_s <= 4.2e9) return unit_s;
  }
  return std::nullopt;
}

TimeScale scale_of(const GuessColumn& column) {
  const ColumnFacts& facts = column.facts;
  if (facts.spans > 0) return {.words = "lengths of time"};
  if (facts.dates > 0) {
    return {.words = facts.zones > 0 ? "dates with a zone"
                                     : "dates without a zone, read as they are: where clocks are "
                                       "changed, an hour is too much or too little"};
  }
  const bool is_instant = rank_of(ColumnRole::duration, column.words) == std::nullopt;
  const auto since_1970 = is_instant ? unit_since_1970(facts) : std::nullopt;
  const auto unit_s = column.words.unit_s ? column.words.unit_s : since_1970;
  if (!unit_s) {
    return {.words = fmt::format("numbers, taken for seconds: the name has no unit (milliseconds "
                                 "are {0}/1000, microseconds {0}/1000000)",
                                 column.name),
            .is_known = false,
            .may_be_days = is_instant && may_be_days(facts)};
  }
  return {
      .words = fmt::format("{}{}, by {}", name_of_unit(*unit_s), since_1970 ? " since 1970" : "",
                           column.words.unit_s ? "its name" : "the size of its numbers"),
      .seconds = *unit_s};
}

}  // namespace somnus
