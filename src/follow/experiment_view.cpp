#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiment/results.hpp"
#include "experiment/statistics.hpp"
#include "follow/experiment_follower.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

constexpr std::size_t lines_above = 4;
constexpr std::size_t longest_point = 40;

MeanInterval interval_of(const PointProgress& point, std::size_t metric) {
  std::vector<double> values;
  for (const auto& [seed, figures] : point.runs) {
    values.insert(values.end(), figures[metric].begin(), figures[metric].end());
  }
  return mean_interval(values);
}

std::string unit_of(const std::string& metric) {
  const auto found = std::ranges::find(figure_infos(), metric, &FigureInfo::name);
  return found == figure_infos().end() ? "1" : found->unit;
}

nlohmann::json known(double value) {
  return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
}

std::string state_of(const ExperimentProgress& progress) {
  if (progress.ended) return progress.complete() ? "ended" : "stopped early";
  if (progress.complete()) return progress.adds_seeds ? "adding seeds" : "ending";
  if (std::isnan(progress.left_s)) return "running";
  const auto left_s = static_cast<std::uint64_t>(progress.left_s);
  return fmt::format("{}:{:02} left", left_s / 60, left_s % 60);
}

std::string row_of(const std::vector<std::string>& cells, std::size_t name_width) {
  std::string row =
      cells.front() +
      std::string(name_width - std::min(name_width, character_count(cells.front())), ' ');
  for (std::size_t at = 1; at < cells.size(); ++at) row += fmt::format(" {:>12}", cells[at]);
  return row;
}

}  // namespace

std::string to_line(const ExperimentProgress& progress) {
  const std::size_t left = progress.planned - std::min(progress.planned, progress.runs);
  return printable(fmt::format("{}: {} runs done, {} left, {}", progress.folder, progress.runs,
                               left, state_of(progress)));
}

std::string to_text(const ExperimentProgress& progress, std::size_t columns, std::size_t lines) {
  std::string text = printable(to_line(progress), columns) + "\n";
  if (progress.metrics.empty() || lines <= lines_above) return text;
  const std::string unit = unit_of(progress.metrics.front());
  const std::size_t room = lines - lines_above;
  const std::size_t all = progress.points.size();
  const std::size_t shown = all <= room ? all : room - 1;
  std::size_t width = 5;
  std::vector<MeanInterval> intervals;
  std::vector<double> means;
  for (std::size_t at = 0; at < shown; ++at) {
    width = std::max(width, character_count(printable(progress.points[at].name, longest_point)));
    intervals.push_back(interval_of(progress.points[at], 0));
    means.push_back(intervals.back().mean);
  }
  const Scale scale = scale_for(unit, means);
  text += "\n" + printable(with_unit(progress.metrics.front(), scale), columns) + "\n";
  text += printable(row_of({"point", "mean", "+- 95 %", "runs"}, width), columns) + "\n";
  for (std::size_t at = 0; at < shown; ++at) {
    const MeanInterval& one = intervals[at];
    text += printable(row_of({printable(progress.points[at].name, longest_point),
                              cell(one.mean, unit, scale), cell(one.half_width, unit, scale),
                              fmt::format("{}", progress.points[at].runs.size())},
                             width),
                      columns) +
            "\n";
  }
  if (shown < all) text += fmt::format("and {} more points\n", all - shown);
  return text;
}

nlohmann::json to_json(const ExperimentProgress& progress) {
  nlohmann::json json = {{"runs", progress.runs},
                         {"planned", progress.planned},
                         {"adds_seeds", progress.adds_seeds},
                         {"ended", progress.ended},
                         {"left_s", known(progress.left_s)}};
  json["points"] = nlohmann::json::array();
  for (const PointProgress& point : progress.points) {
    nlohmann::json one = {{"point", as_utf8(point.name)}, {"runs", point.runs.size()}};
    one["figures"] = nlohmann::json::object();
    for (std::size_t metric = 0; metric < progress.metrics.size(); ++metric) {
      const MeanInterval interval = interval_of(point, metric);
      one["figures"][progress.metrics[metric]] = {{"mean", known(interval.mean)},
                                                  {"half_width", known(interval.half_width)}};
    }
    json["points"].push_back(std::move(one));
  }
  return json;
}

}  // namespace somnus
