#include "experiment/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/wrapped.hpp"
#include "model/offered_load.hpp"
#include "model/rigid_jobs.hpp"
#include "print/printable.hpp"
#include "print/text_table.hpp"

namespace somnus {
namespace {

std::optional<MeanInterval> difference_of(const ExperimentPlan& plan, const Results& results,
                                          const Campaign& campaign, std::size_t point,
                                          std::size_t figure) {
  const std::optional<std::size_t> baseline = plan.points[point].baseline;
  if (!baseline) return std::nullopt;
  const std::vector<std::uint64_t>& seeds =
      campaign.seeds[point].size() < campaign.seeds[*baseline].size() ? campaign.seeds[point]
                                                                      : campaign.seeds[*baseline];
  const std::vector<double> ours = results.values(point, figure, seeds);
  const std::vector<double> theirs = results.values(*baseline, figure, seeds);
  MeanInterval difference = paired_difference(ours, theirs);
  const double whole = std::abs(mean_interval(theirs).mean);
  difference.mean /= whole;
  difference.half_width /= whole;
  return difference;
}

/// The points' values of the axes, a column each.
std::vector<std::size_t> widths_of_keys(const ExperimentPlan& plan) {
  std::vector<std::size_t> widths;
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    std::size_t width = plan.keys[key].size();
    for (const Point& point : plan.points) width = std::max(width, point.values[key].size());
    widths.push_back(width);
  }
  return widths;
}

std::string in_columns(const std::vector<std::string>& values,
                       const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t at = 0; at < values.size(); ++at) {
    line += fmt::format("{:<{}}  ", printable(values[at]), widths[at]);
  }
  return line;
}

std::string difference_in_words(const MeanInterval& difference) {
  if (std::isnan(difference.half_width)) return fmt::format("{:>+9.2f} %", 100 * difference.mean);
  return fmt::format("{:>+9.2f} % +- {:.2f}{}", 100 * difference.mean, 100 * difference.half_width,
                     difference.differs_from_zero() ? "" : " ~");
}

std::string table_of(const ExperimentPlan& plan, const std::vector<PointFigure>& figures,
                     const FigureInfo& info, bool dim) {
  std::vector<double> shown;
  for (const PointFigure& figure : figures) shown.push_back(figure.interval.mean);
  const Scale scale = scale_for(info.unit, shown);
  const std::vector<std::size_t> widths = widths_of_keys(plan);
  const bool compares = !plan.file.baseline.empty();
  std::string text = fmt::format("{}\n{}{:>12}{:>12}{:>6}{}\n", with_unit(info.name, scale),
                                 in_columns(plan.keys, widths), "mean", "+- 95 %", "runs",
                                 compares ? "  to the baseline" : "");
  for (std::size_t at = 0; at < figures.size(); ++at) {
    const PointFigure& figure = figures[at];
    std::string line =
        fmt::format("{}{:>12}{:>12}{:>6}", in_columns(plan.points[at].values, widths),
                    cell(figure.interval.mean, info.unit, scale),
                    cell(figure.interval.half_width, info.unit, scale), figure.interval.runs);
    if (figure.difference) {
      line += difference_in_words(*figure.difference);
      if (dim && !figure.difference->differs_from_zero()) line = "\x1b[2m" + line + "\x1b[0m";
    } else if (compares) {
      line += "   baseline";
    }
    text += line + "\n";
  }
  return text;
}

double largest_mean(const std::vector<PointFigure>& figures) {
  double largest = 0;
  for (const PointFigure& figure : figures) {
    largest = std::fmax(largest, figure.interval.mean);  // also of NaN
  }
  return largest;
}

/// What the tables must not be read without.
std::string warnings(const ExperimentPlan& plan, const Results& results, const Campaign& campaign) {
  const auto of = [&](const char* name) {
    return outcome_of(plan, results, campaign, figure_index(name));
  };
  std::string text;
  const double rigid = largest_mean(of("rigid_jobs"));
  const double jobs = std::max(rigid, largest_mean(of("jobs_submitted")));
  const std::string note =
      note_on_rigid_jobs(static_cast<std::uint64_t>(rigid), static_cast<std::uint64_t>(jobs));
  if (!note.empty()) text += fmt::format("WARNING: {}\n", wrapped(note, 9));
  const auto loads = of("offered_load");
  const auto too_much = std::ranges::count_if(loads, [](const PointFigure& figure) {
    return !note_on_load({.share = figure.interval.mean}).empty();
  });
  if (too_much > 0) {
    const std::string words = fmt::format(
        "OFFERED LOAD up to {:.3g}, above 1 in {} of {} points: jobs wait longer there the later "
        "they come",
        largest_mean(loads), too_much, loads.size());
    text += fmt::format("WARNING: {}\n", wrapped(words, 9));
  }
  return text;
}

}  // namespace

std::vector<PointFigure> outcome_of(const ExperimentPlan& plan, const Results& results,
                                    const Campaign& campaign, std::size_t figure) {
  std::vector<PointFigure> figures;
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    figures.push_back(
        {.interval = mean_interval(results.values(point, figure, campaign.seeds[point])),
         .difference = difference_of(plan, results, campaign, point, figure)});
  }
  return figures;
}

std::string outcome_to_text(const ExperimentPlan& plan, const Results& results,
                            const Campaign& campaign, bool dim) {
  std::string text;
  bool unsure = false;
  for (const std::string& name : plan.file.keys.metrics) {
    const std::size_t figure = figure_index(name);
    const auto figures = outcome_of(plan, results, campaign, figure);
    text += (text.empty() ? "" : "\n") + table_of(plan, figures, figure_infos()[figure], dim);
    unsure = unsure || std::ranges::any_of(figures, [](const PointFigure& each) {
               return each.difference && !each.difference->differs_from_zero();
             });
  }
  if (unsure) text += "~ its 95 % interval holds 0: no difference is shown\n";
  return text + warnings(plan, results, campaign);
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
                            {"runs", figures[at].interval.runs},
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
