#include "fidelity/comparison.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"

namespace somnus {
namespace {

struct Spread {
  double mean = 0;
  double width = 0;
};

Spread spread_of(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax(values);
  double sum = 0;
  for (const double value : values) sum += value;
  return {.mean = sum / static_cast<double>(values.size()), .width = most - least};
}

std::string names_of(std::span<const FigureCompared> figures, std::string_view verdict) {
  std::vector<std::string> names;
  for (const FigureCompared& one : figures) {
    if (one.verdict() == verdict) names.push_back(one.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

double FigureCompared::allowed() const { return std::max(negligible_difference, sensitivity); }

std::string_view FigureCompared::verdict() const {
  if (std::abs(difference) <= allowed()) return "faithful";
  const bool explained = std::abs(difference - lateness) <= std::max(allowed(), spread);
  return stalled || explained ? "late" : "error";
}

std::vector<FigureCompared> compare_figures(JobRows run, Pace pace,
                                            const Simulations& simulations) {
  SOMNUS_CHECK(!simulations.late.empty(), "nothing to see lateness by");
  const Figures exact = figures_of(simulations.exact, simulations.exact);
  const Figures ran = figures_of(run, simulations.exact);
  std::vector<Figures> late;
  std::vector<Figures> disturbed = {exact};
  for (const auto& one : simulations.late) late.push_back(figures_of(one, simulations.exact));
  for (const auto& one : simulations.disturbed) {
    disturbed.push_back(figures_of(one, simulations.exact));
  }
  std::vector<FigureCompared> lines;
  for_each_field<Figures>([&](const auto& field) {
    const double simulated = exact.*field.member;
    const bool is_share = std::string_view(field.unit) == "%";
    const auto share = [&](const Figures& one) {
      return is_share ? one.*field.member : one.*field.member / simulated - 1;
    };
    if (!std::isfinite(share(ran))) return;
    const auto spread = [&](const std::vector<Figures>& all) {
      std::vector<double> shares;
      for (const Figures& one : all) shares.push_back(share(one));
      return spread_of(shares);
    };
    const Spread of_late = spread(late);
    lines.push_back({.name = field.name,
                     .unit = field.unit,
                     .meaning = field.meaning,
                     .run = ran.*field.member,
                     .simulation = simulated,
                     .difference = share(ran),
                     .lateness = of_late.mean,
                     .spread = of_late.width,
                     .sensitivity = spread(disturbed).width,
                     .stalled = pace == Pace::stalled});
  });
  return lines;
}

RunVerdict verdict_of(const Summary& run, std::span<const FigureCompared> figures) {
  if (run.pace() == Pace::resumed) return {"not comparable", pace_in_words(run)};
  if (figures.empty()) return {"not comparable", "no job has finished in both."};
  const std::string wrong = names_of(figures, "error");
  const std::string late = names_of(figures, "late");
  if (!wrong.empty()) {
    return {"error", "neither the scheduler's sensitivity nor the lateness of the ranks explains " +
                         wrong + ". It is an error of the emulator."};
  }
  if (late.empty()) {
    return {"faithful", "no figure differs by more than 1 % or the scheduler's sensitivity."};
  }
  if (run.pace() == Pace::stalled) return {"stalled", pace_in_words(run)};
  return {"late",
          "the lateness of the ranks explains " + late + "; a lower speed mends it" +
              (run.outran() ? ": " + pace_in_words(run) : ". `somnus calibrate` finds one.")};
}

}  // namespace somnus
