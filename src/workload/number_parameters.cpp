#include "workload/number_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "base/suggest.hpp"
#include "workload/parse_number.hpp"

namespace somnus {
namespace {

std::string describe_range(const NumberParameter& parameter) {
  const Range& range = parameter.range;
  std::string text = parameter.is_integer ? "a whole number" : "a number";
  if (std::isfinite(range.low) && std::isfinite(range.high)) {
    return text +
           fmt::format("{} {} to {}", range.open ? " above" : " from", range.low, range.high);
  }
  if (std::isfinite(range.low)) {
    text += range.open ? fmt::format(" above {}", range.low) : fmt::format(" from {}", range.low);
  }
  return text;
}

class Reading {
 public:
  Reading(std::span<const NumberParameter> parameters, std::string_view owner, const Place& where)
      : parameters_(parameters), owner_(owner), where_(where) {
    for (const NumberParameter& parameter : parameters) {
      const auto value = parse_number<double>(parameter.default_text);
      SOMNUS_CHECK(value.has_value(), "{} has a default that is no number", parameter.name);
      values_[parameter.name] = *value;
      names_.push_back(parameter.name);
    }
  }

  void read(const std::string& name, const std::string& text) {
    const auto parameter = std::ranges::find(parameters_, name, &NumberParameter::name);
    if (parameter == parameters_.end()) {
      wrong(name,
            names_.empty() ? fmt::format("{} has no parameters", owner_)
                           : fmt::format("unknown parameter of {}", owner_),
            suggest(name, names_));
      return;
    }
    if (std::ranges::find(given_, name) != given_.end()) {
      wrong(name, "expected once, found again");
      return;
    }
    given_.push_back(name);
    const auto value = parse_number<double>(text);
    const bool fits = value && parameter->range.holds(*value) &&
                      (!parameter->is_integer || *value == std::floor(*value));
    if (!fits) {
      wrong(name, fmt::format("expected {}, found '{}'", describe_range(*parameter), text));
      return;
    }
    values_[name] = *value;
  }

  Checked<NumberValues> take() && {
    if (mistakes_.any()) return tl::unexpected(std::move(mistakes_));
    return std::move(values_);
  }

 private:
  void wrong(std::string key, std::string what, std::string hint = "") {
    mistakes_.add(
        {.place = where_, .key = std::move(key), .what = std::move(what), .hint = std::move(hint)});
  }

  std::span<const NumberParameter> parameters_;
  std::string_view owner_;
  const Place& where_;
  NumberValues values_;
  std::vector<std::string> names_;
  std::vector<std::string> given_;
  Mistakes mistakes_;
};

}  // namespace

NumberParameter number_parameter(std::string name, std::string unit, std::string meaning,
                                 std::string default_text, Range range) {
  return {.name = std::move(name),
          .unit = std::move(unit),
          .meaning = std::move(meaning),
          .default_text = std::move(default_text),
          .range = range};
}

NumberParameter whole_parameter(std::string name, std::string meaning, std::string default_text,
                                Range range) {
  return {.name = std::move(name),
          .unit = "1",
          .meaning = std::move(meaning),
          .default_text = std::move(default_text),
          .range = range,
          .is_integer = true};
}

Checked<NumberValues> read_numbers(std::span<const NumberParameter> parameters,
                                   const GivenParameters& given, std::string_view owner,
                                   const Place& where) {
  Reading reading(parameters, owner, where);
  for (const auto& [name, text] : given) reading.read(name, text);
  return std::move(reading).take();
}

}  // namespace somnus
