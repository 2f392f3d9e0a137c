#include "workload/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/suggest.hpp"
#include "workload/check.hpp"
#include "workload/parse_number.hpp"

namespace somnus {
namespace {

std::string describe_range(const GeneratorParameter& parameter) {
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

// Texts to numbers, against a generator's parameters.
class Reading {
 public:
  Reading(const Generator& generator, const Place& where) : generator_(generator), where_(where) {
    for (const GeneratorParameter& parameter : generator.parameters) {
      const auto value = parse_number<double>(parameter.default_text);
      SOMNUS_CHECK(value.has_value(), "{} has a default that is no number", parameter.name);
      values_[parameter.name] = *value;
      names_.push_back(parameter.name);
    }
  }

  void read(const std::string& name, const std::string& text) {
    const auto parameter =
        std::ranges::find(generator_.parameters, name, &GeneratorParameter::name);
    if (parameter == generator_.parameters.end()) {
      wrong(name, fmt::format("unknown parameter of generator {}", generator_.name),
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

  void wrong(std::string key, std::string what, std::string hint = "") {
    mistakes_.add(
        {.place = where_, .key = std::move(key), .what = std::move(what), .hint = std::move(hint)});
  }
  [[nodiscard]] const Generator::Values& values() const { return values_; }
  [[nodiscard]] const Mistakes& mistakes() const { return mistakes_; }

 private:
  const Generator& generator_;
  const Place& where_;
  Generator::Values values_;
  std::vector<std::string> names_;
  std::vector<std::string> given_;
  Mistakes mistakes_;
};

Mistakes at(const Place& where, const Mistakes& mistakes) {
  Mistakes placed;
  for (Mistake each : mistakes.list()) {
    each.place = where;
    placed.add(std::move(each));
  }
  return placed;
}

}  // namespace

tl::unexpected<Mistakes> refuse(std::string parameter, std::string what) {
  Mistake one;
  one.key = std::move(parameter);
  one.what = std::move(what);
  return mistake(std::move(one));
}

std::span<const Generator> generators() {
  static const std::array<Generator, 3> table = {google_generator(), fixed_generator(),
                                                 elephant_and_mice_generator()};
  return table;
}

Checked<WorkloadSpec> generate(const std::string& name,
                               const std::vector<std::pair<std::string, std::string>>& parameters,
                               std::uint64_t seed, const Place& where) {
  const auto generator = std::ranges::find(generators(), name, &Generator::name);
  if (generator == generators().end()) {
    std::vector<std::string> names;
    for (const Generator& each : generators()) names.push_back(each.name);
    return mistake({.place = where,
                    .key = "generator",
                    .what = fmt::format("expected a workload generator, found '{}'", name),
                    .hint = suggest(name, names)});
  }
  Reading reading(*generator, where);
  for (const auto& [parameter, text] : parameters) reading.read(parameter, text);
  if (reading.mistakes().any()) return tl::unexpected(reading.mistakes());

  auto workload = generator->make(reading.values(), seed);
  if (!workload) return tl::unexpected(at(where, workload.error()));
  Mistakes mistakes;
  check_workload(*workload, mistakes, where);
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return workload;
}

}  // namespace somnus
