// The figures of a described struct as members of a JSON object: counts whole, NaN as null.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/describe.hpp"

namespace somnus {

template <Described Figures>
void add_figures(const Figures& from, nlohmann::json& into) {
  for_each_field<Figures>([&](const auto& figure) {
    const double value = from.*figure.member;
    const bool whole = std::string_view(figure.unit) == "1" && !std::isnan(value);
    if (whole) {
      into[figure.name] = static_cast<std::uint64_t>(value);
    } else {
      into[figure.name] = value;
    }
  });
}

}  // namespace somnus
