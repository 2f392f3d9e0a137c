#include "experiment/comparing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "print/printable.hpp"
#include "text/parse_number.hpp"

namespace somnus {
namespace {

using Values = std::vector<std::string>;
using PointsByValues = std::map<Values, std::vector<std::size_t>>;

/// Keys of a plan, as a range of them.
struct KeyRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

Values values_at(const Values& all, const std::vector<std::size_t>& keys) {
  Values some;
  for (const std::size_t key : keys) some.push_back(all[key]);
  return some;
}

bool is_unread(const Values& values) {
  return !values.empty() &&
         std::ranges::all_of(values, [](const std::string& each) { return each == unread_value; });
}

class Arrangement {
 public:
  explicit Arrangement(const ExperimentPlan& plan) : plan_(plan) {
    std::size_t first = 0;
    for (const Axis& axis : plan.file.axes) {
      ranges_.push_back({.first = first, .count = axis.keys.size()});
      first += axis.keys.size();
    }
  }

  Comparing operator()() {
    Comparing found;
    const std::vector<bool> compared = compared_axes();
    if (std::ranges::find(compared, true) == compared.end()) return found;
    const std::optional<std::size_t> along = longest_numeric(compared);
    std::vector<std::size_t> along_keys;
    for (std::size_t axis = 0; axis < ranges_.size(); ++axis) {
      std::vector<std::size_t>& keys = compared[axis]  ? compared_keys_
                                       : axis == along ? along_keys
                                                       : other_keys_;
      for (std::size_t key = 0; key < ranges_[axis].count; ++key) {
        keys.push_back(ranges_[axis].first + key);
      }
    }
    name_compared(found);
    if (along) {
      found.axis = plan_.file.axes[*along].keys.front();
      const std::vector<Values> steps = distinct(along_keys);
      PointsByValues by_panel;
      for (std::size_t point = 0; point < plan_.points.size(); ++point) {
        by_panel[values_at(plan_.points[point].values, other_keys_)].push_back(point);
      }
      for (const Values& panel : distinct(other_keys_)) {
        found.panels.push_back(
            {.name = other_keys_.empty() ? "" : words(panel, other_keys_), .places = {}});
        add_places(found.panels.back(), points_of(by_panel, panel), steps, along_keys, true);
      }
    } else {
      found.panels.push_back({});
      std::vector<std::size_t> all(plan_.points.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      add_places(found.panels.back(), all, distinct(other_keys_), other_keys_, false);
    }
    std::erase_if(found.panels, [](const ComparedPanel& panel) { return panel.places.empty(); });
    return found;
  }

 private:
  [[nodiscard]] std::vector<bool> compared_axes() const {
    std::vector<bool> compared;
    for (const Axis& axis : plan_.file.axes) {
      compared.push_back(std::ranges::any_of(axis.keys, [&](const std::string& key) {
        return plan_.file.baseline.empty() ? key == "policy" : plan_.file.baseline.contains(key);
      }));
    }
    return compared;
  }

  [[nodiscard]] std::optional<std::size_t> longest_numeric(const std::vector<bool>& without) const {
    std::optional<std::size_t> longest;
    std::size_t most = 1;
    for (std::size_t axis = 0; axis < ranges_.size(); ++axis) {
      const std::size_t steps = without[axis] ? 0 : numeric_steps(ranges_[axis]);
      if (steps <= most) continue;
      most = steps;
      longest = axis;
    }
    return longest;
  }

  /// 0: it is not numeric.
  [[nodiscard]] std::size_t numeric_steps(const KeyRange& range) const {
    std::set<std::string> steps;
    for (const Point& point : plan_.points) {
      for (std::size_t key = range.first; key < range.first + range.count; ++key) {
        const std::string& value = point.values[key];
        if (value == unread_value) continue;
        if (!number_in(value)) return 0;
        if (key == range.first) steps.insert(value);
      }
    }
    return steps.size();
  }

  static std::optional<double> number_in(const std::string& text) {
    const auto number = parse_number<double>(text);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    return *number;
  }

  /// In the order of points; unread ones only if there are no others.
  [[nodiscard]] std::vector<Values> distinct(const std::vector<std::size_t>& keys) const {
    std::vector<Values> all;
    std::set<Values> known;
    for (const Point& point : plan_.points) {
      Values values = values_at(point.values, keys);
      if (known.insert(values).second) all.push_back(std::move(values));
    }
    if (!std::ranges::all_of(all, is_unread)) std::erase_if(all, is_unread);
    return all;
  }

  [[nodiscard]] std::string words(const Values& values,
                                  const std::vector<std::size_t>& keys) const {
    std::string text;
    for (std::size_t key = 0; key < keys.size(); ++key) {
      if (values[key] == unread_value) continue;
      const std::string& name = plan_.keys[keys[key]];
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name == "policy" ? "" : name + " = ",
                          printable(values[key], 40));
    }
    return text.empty() ? "not read" : text;
  }

  void name_compared(Comparing& found) {
    std::vector<Values> all;
    for (const Point& point : plan_.points) {
      Values values = values_at(point.values, compared_keys_);
      if (!numbers_.try_emplace(values, numbers_.size()).second) continue;
      found.names.push_back(words(values, compared_keys_));
      all.push_back(std::move(values));
    }
    for (const Point& point : plan_.points) {
      if (!point.baseline) continue;
      found.baseline = numbers_.at(values_at(plan_.points[*point.baseline].values, compared_keys_));
      return;
    }
  }

  /// Those that do not read the keys stand for all their values.
  static std::vector<std::size_t> points_of(const PointsByValues& by_panel, const Values& panel) {
    std::vector<std::size_t> points;
    for (const Values& own : {panel, Values(panel.size(), unread_value)}) {
      const auto found = by_panel.find(own);
      if (found == by_panel.end() || (own == panel && !points.empty())) continue;
      points.insert(points.end(), found->second.begin(), found->second.end());
    }
    return points;
  }

  void add_places(ComparedPanel& panel, const std::vector<std::size_t>& points,
                  const std::vector<Values>& steps, const std::vector<std::size_t>& step_keys,
                  bool numeric) const {
    std::map<Values, std::size_t> place_of;
    for (const Values& step : steps) {
      place_of[step] = panel.places.size();
      Place place{.name = numeric             ? step.front()
                          : step_keys.empty() ? ""
                                              : words(step, step_keys),
                  .x = numeric ? *number_in(step.front()) : 0,
                  .points = std::vector<std::optional<std::size_t>>(numbers_.size())};
      panel.places.push_back(std::move(place));
    }
    for (const std::size_t point : points) {
      const Values& values = plan_.points[point].values;
      const std::size_t compared = numbers_.at(values_at(values, compared_keys_));
      const Values step = values_at(values, step_keys);
      const auto found = place_of.find(step);
      if (found != place_of.end()) {
        panel.places[found->second].points[compared] = point;
      } else if (is_unread(step)) {
        for (Place& place : panel.places) place.points[compared] = point;
      }
    }
    std::erase_if(panel.places, [](const Place& place) {
      return std::ranges::count_if(place.points,
                                   [](const auto& each) { return each.has_value(); }) < 2;
    });
    if (numeric) std::ranges::stable_sort(panel.places, {}, &Place::x);
  }

  const ExperimentPlan& plan_;
  std::vector<KeyRange> ranges_;  // by axis
  std::vector<std::size_t> compared_keys_;
  std::vector<std::size_t> other_keys_;    // neither compared nor the axis
  std::map<Values, std::size_t> numbers_;  // of what is compared
};

}  // namespace

Comparing comparing_of(const ExperimentPlan& plan) { return Arrangement(plan)(); }

}  // namespace somnus
