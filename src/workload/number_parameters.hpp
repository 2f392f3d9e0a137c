// The numbers that a generator or a format takes by name: described once, read from text here.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"

namespace somnus {

struct NumberParameter {
  std::string name;
  std::string unit;  // "s", "1" for a plain number
  std::string meaning;
  std::string default_text;
  Range range;
  bool is_integer = false;
};

[[nodiscard]] NumberParameter number_parameter(std::string name, std::string unit,
                                               std::string meaning, std::string default_text,
                                               Range range);
/// Of things that are counted.
[[nodiscard]] NumberParameter whole_parameter(std::string name, std::string meaning,
                                              std::string default_text, Range range);

using NumberValues = std::map<std::string, double>;

/// Name and text, as given in a config or by --set.
using GivenParameters = std::vector<std::pair<std::string, std::string>>;

/// Of every parameter's value, each in its range; those not given have their defaults. The user's
/// mistakes, at `where`: one unknown, given twice, not a number, out of range. `owner` is whose
/// they are, in words: "generator google".
[[nodiscard]] Checked<NumberValues> read_numbers(std::span<const NumberParameter> parameters,
                                                 const GivenParameters& given,
                                                 std::string_view owner, const Place& where);

}  // namespace somnus
