#include "fidelity/comparison.hpp"

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

// Its size does not say in which direction a job is off, so it is measured between each two.
FigureCompared compare_jobs(JobRows run, JobRows simulation,
                            std::span<const std::vector<JobRow>> late) {
  FigureCompared line{.name = "job_deviation_p95",
                      .unit = "%",
                      .meaning = "job by job, p95",
                      .run = job_deviation_p95(run, simulation)};
  line.difference = line.run;
  for (std::size_t at = 0; at < late.size(); ++at) {
    line.lateness += job_deviation_p95(late[at], simulation) / static_cast<double>(late.size());
    for (std::size_t other = 0; other < at; ++other) {
      line.sensitivity = std::max(line.sensitivity, job_deviation_p95(late[at], late[other]));
    }
  }
  return line;
}

}  // namespace

double FigureCompared::allowed() const { return std::max(negligible_difference, sensitivity); }

Verdict FigureCompared::verdict() const {
  if (std::abs(difference) <= allowed()) return Verdict::faithful;
  return std::abs(difference - lateness) <= allowed() ? Verdict::late : Verdict::error;
}

std::vector<FigureCompared> compare_figures(JobRows run, JobRows simulation,
                                            std::span<const std::vector<JobRow>> late) {
  SOMNUS_CHECK(!late.empty(), "nothing to see sensitivity by");
  const Figures ran = figures_of(run);
  const Figures simulated = figures_of(simulation);
  std::vector<Figures> others;
  for (const std::vector<JobRow>& one : late) others.push_back(figures_of(one));
  std::vector<FigureCompared> lines;
  for_each_field<Figures>([&](const auto& field) {
    FigureCompared line{.name = field.name,
                        .unit = field.unit,
                        .meaning = field.meaning,
                        .run = ran.*field.member,
                        .simulation = simulated.*field.member};
    if (std::isnan(line.run) || !(line.simulation > 0)) return;
    std::vector<double> values;
    values.reserve(others.size());
    for (const Figures& one : others) {
      values.push_back(one.*field.member / line.simulation - 1);
    }
    const Spread spread = spread_of(values);
    line.difference = line.run / line.simulation - 1;
    line.lateness = spread.mean;
    line.sensitivity = spread.width;
    lines.push_back(std::move(line));
  });
  if (!lines.empty()) lines.push_back(compare_jobs(run, simulation, late));
  return lines;
}

bool all_faithful(std::span<const FigureCompared> figures) {
  return std::ranges::all_of(
      figures, [](const FigureCompared& one) { return one.verdict() == Verdict::faithful; });
}

}  // namespace somnus
