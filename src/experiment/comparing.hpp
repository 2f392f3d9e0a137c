// What an experiment compares, and along which axis.
//
// Compared are the steps of the axes that [baseline] names; without one, the policies. Of the other
// axes the numeric one with the most steps is the axis; each combination of the rest is a panel,
// with a comparison of its own. Without a numeric axis, these combinations are the places along it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiment/plan.hpp"

namespace somnus {

struct Place {
  std::string name;
  double x = 0;                                    // of a numeric axis
  std::vector<std::optional<std::size_t>> points;  // by what is compared; none: no such point
};

struct ComparedPanel {
  std::string name;  // empty, if there is one only
  std::vector<Place> places;
};

struct Comparing {
  std::vector<std::string> names;       // of what is compared
  std::optional<std::size_t> baseline;  // of names
  std::string axis;                     // its key; empty: it is not numeric
  std::vector<ComparedPanel> panels;
};

[[nodiscard]] Comparing comparing_of(const ExperimentPlan& plan);

}  // namespace somnus
