#include "experiment/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/wrapped.hpp"
#include "experiment/comparisons.hpp"
#include "experiment/warnings.hpp"
#include "metrics/scheduler_words.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

// A table of more points shows a dozen of them, or one of each policy.
constexpr std::size_t most_points_shown = 24;
constexpr std::size_t points_of_many_shown = 12;

using Texts = std::vector<std::string>;

SchedulerWords schedulers_of(const ExperimentPlan& plan) {
  Texts labels;
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    if (plan.keys[key] != "policy") continue;
    for (const Point& point : plan.points) labels.push_back(point.values[key]);
  }
  return SchedulerWords(labels);
}

/// The points that a table shows, by their place: the first ones of each policy.
std::vector<std::size_t> points_shown(const ExperimentPlan& plan, Lines lines) {
  const auto key =
      static_cast<std::size_t>(std::ranges::find(plan.keys, "policy") - plan.keys.begin());
  const auto policy = [&](const Point& point) {
    return key < plan.keys.size() ? point.values[key] : "";
  };
  std::map<std::string, std::size_t> shown;
  for (const Point& point : plan.points) shown[policy(point)] = 0;
  const bool all = lines == Lines::all || plan.points.size() <= most_points_shown;
  const std::size_t most =
      all ? plan.points.size() : std::max<std::size_t>(points_of_many_shown / shown.size(), 1);
  std::vector<std::size_t> points;
  for (std::size_t at = 0; at < plan.points.size(); ++at) {
    if (shown[policy(plan.points[at])]++ < most) points.push_back(at);
  }
  return points;
}

std::string shown(const ExperimentPlan& plan, const SchedulerWords& schedulers, const Point& point,
                  std::size_t key) {
  const std::string& value = point.values[key];
  return printable(plan.keys[key] == "policy" ? schedulers.of(value) : value);
}

/// A line of keys, then one of each point's values, in columns.
Texts lines_of_points(const ExperimentPlan& plan, const std::vector<std::size_t>& points) {
  const SchedulerWords schedulers = schedulers_of(plan);
  Texts lines(1 + points.size());
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    Texts column = {plan.keys[key]};
    for (const std::size_t at : points) {
      column.push_back(shown(plan, schedulers, plan.points[at], key));
    }
    std::size_t width = 0;
    for (const std::string& text : column) width = std::max(width, character_count(text));
    for (std::size_t at = 0; at < column.size(); ++at) {
      lines[at] += column[at] + std::string(width - character_count(column[at]) + 2, ' ');
    }
  }
  return lines;
}

/// The same where columns would be too wide: a sentence a point, and nothing above them.
Texts sentences_of_points(const ExperimentPlan& plan, const std::vector<std::size_t>& points) {
  const SchedulerWords schedulers = schedulers_of(plan);
  Texts sentences = {""};
  for (const std::size_t at : points) {
    const Point& point = plan.points[at];
    std::string sentence;
    for (std::size_t key = 0; key < plan.keys.size(); ++key) {
      sentence += fmt::format("{}{} {}", key == 0 ? "" : ", ", plan.keys[key],
                              shown(plan, schedulers, point, key));
    }
    sentences.push_back(wrapped(sentence, 4) + "\n");
  }
  return sentences;
}

std::string difference_in_words(const MeanInterval& difference) {
  if (!std::isfinite(difference.mean)) return "-";  // no run yet, or a share of nothing
  const std::string mean = fmt::format("{:+.2f} %", 100 * difference.mean);
  if (std::isnan(difference.half_width)) return mean;
  return fmt::format("{} +- {:.2f}{}", mean, 100 * difference.half_width,
                     difference.differs_from_zero() ? "  " : " ~");
}

/// Of each point, below a head: its mean and what belongs to it.
std::vector<TextRow> rows_of(const ExperimentPlan& plan, const std::vector<PointFigure>& figures,
                             const FigureInfo& info, const Scale& scale) {
  const bool compares = !plan.file.baseline.empty();
  std::vector<TextRow> rows{{.title = "", .cells = {"mean", "+- 95 %", replicates_of(plan)}}};
  if (compares) rows.front().cells.emplace_back("to the baseline");
  for (const PointFigure& figure : figures) {
    rows.push_back({.title = "",
                    .cells = {cell(figure.interval.mean, info.unit, scale),
                              cell(figure.interval.half_width, info.unit, scale),
                              fmt::format("{}", figure.interval.runs)}});
    if (!compares) continue;
    rows.back().cells.push_back(figure.difference ? difference_in_words(*figure.difference)
                                                  : "baseline");
  }
  return rows;
}

/// figures: of these points.
std::string table_of(const ExperimentPlan& plan, const std::vector<std::size_t>& places,
                     const std::vector<PointFigure>& figures, const FigureInfo& info, bool dim) {
  std::vector<double> shown;
  for (const PointFigure& figure : figures) shown.push_back(figure.interval.mean);
  const Scale scale = scale_for(info.unit, shown);
  const std::string table = aligned(rows_of(plan, figures, info, scale));
  Texts points = lines_of_points(plan, places);
  const std::size_t width = character_count(points.front()) + table.find('\n');
  if (width > usual_width) points = sentences_of_points(plan, places);
  std::string text = with_unit(info.name, scale) + "\n";
  std::string_view rest = table;
  for (std::size_t at = 0; at < points.size(); ++at) {
    const std::size_t end = rest.find('\n');
    std::string line = points[at] + std::string(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    const bool is_sure =
        at == 0 || !figures[at - 1].difference || figures[at - 1].difference->differs_from_zero();
    if (dim && !is_sure) line = "\x1b[2m" + line + "\x1b[0m";
    text += line + "\n";
  }
  return text;
}

}  // namespace

const char* replicates_of(const ExperimentPlan& plan) {
  return plan.file.keys.batches > 0 ? "batches" : "runs";
}

std::vector<PointFigure> outcome_of(const ExperimentPlan& plan, const Results& results,
                                    const Campaign& campaign, std::size_t figure) {
  const PairedValues values(plan, results, campaign, figure);
  std::vector<PointFigure> figures;
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    figures.push_back({.interval = mean_interval(values.of(point)), .difference = std::nullopt});
    if (const std::optional<std::size_t> baseline = plan.points[point].baseline) {
      figures.back().difference = values.difference(point, *baseline);
    }
  }
  return figures;
}

std::string outcome_to_text(const ExperimentPlan& plan, const Results& results,
                            const Campaign& campaign, bool dim, Lines lines) {
  std::string text;
  bool unsure = false;
  const auto places = points_shown(plan, lines);
  const std::size_t left = plan.points.size() - places.size();
  for (const std::string& name : plan.file.keys.metrics) {
    const std::size_t figure = figure_index(name);
    const auto all = outcome_of(plan, results, campaign, figure);
    std::vector<PointFigure> figures;
    for (const std::size_t at : places) figures.push_back(all[at]);
    text +=
        (text.empty() ? "" : "\n") + table_of(plan, places, figures, figure_infos()[figure], dim);
    if (left > 0) text += fmt::format("and {} more points; --all has them\n", left);
    unsure = unsure || std::ranges::any_of(figures, [](const PointFigure& each) {
               return each.difference && !each.difference->differs_from_zero();
             });
  }
  text += schedulers_of(plan).meanings();
  if (unsure) text += "~ its 95 % interval holds 0: no difference is shown\n";
  return text + to_text(warnings_of(plan, results, campaign));
}

nlohmann::json outcome_to_json(const ExperimentPlan& plan, const Results& results,
                               const Campaign& campaign) {
  auto all = nlohmann::json::array();
  for (std::size_t figure = 0; figure < figure_infos().size(); ++figure) {
    const auto figures = outcome_of(plan, results, campaign, figure);
    for (std::size_t at = 0; at < figures.size(); ++at) {
      if (figures[at].interval.runs == 0) continue;
      nlohmann::json one = {{"metric", figure_infos()[figure].name},
                            {"unit", figure_infos()[figure].unit},
                            {replicates_of(plan), figures[at].interval.runs},
                            {"mean", figures[at].interval.mean},
                            {"half_width", figures[at].interval.half_width}};
      for (std::size_t key = 0; key < plan.keys.size(); ++key) {
        one["point"][plan.keys[key]] = as_utf8(plan.points[at].values[key]);
      }
      if (const auto& difference = figures[at].difference) {
        one["difference"] = {{"mean", difference->mean}, {"half_width", difference->half_width}};
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace somnus
