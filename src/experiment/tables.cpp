#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/value.hpp"
#include "experiment/outcome.hpp"
#include "log/plain_table.hpp"
#include "output/file.hpp"
#include "output/folder.hpp"
#include "text/csv_cell.hpp"

namespace somnus {
namespace {

/// Empty for NaN; else what reads back as the same number.
std::string csv(double value) { return std::isnan(value) ? "" : number_text(value); }

std::string key_columns(const std::vector<std::string>& cells) {
  std::string columns;
  for (const std::string& each : cells) columns += csv_cell(each) + ',';
  return columns;
}

// The old tables stay until the new ones are whole. Shares that end together all write them, alike.

OutputRules rules_of(const Results& results) {
  return {.inputs = results.inputs(), .replace = true};  // what is there has been looked at
}

void write_text(const Results& results, const char* name, const std::string& text) {
  OutputFile out(results.folder() / name, rules_of(results));
  out.write(text);
  out.commit();
}

void write_table(const Results& results, const char* name,
                 const std::vector<PlainColumn>& columns) {
  const std::filesystem::path file = results.folder() / name;
  const ScratchFolder scratch(results.folder());
  write_plain_table(scratch.file(name), "results", columns);
  require_output_allowed(file, rules_of(results), Written::back_and_forth);
  std::error_code error;
  std::filesystem::rename(scratch.file(name), resolved_path(file), error);
  if (error) {
    throw WorldError(fmt::format("{}: cannot be written: {}", file.string(), error.message()));
  }
}

struct OneFigure {
  const Point& point;
  std::uint64_t seed;
  std::size_t batch;  // from 1 on; 0: the whole run
  const FigureInfo& info;
  double value;
};

/// visit(OneFigure) in order of points, seeds, batches and figures.
template <class Visit>
void for_each_figure(const ExperimentPlan& plan, const Results& results, const Campaign& campaign,
                     Visit&& visit) {
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    for (const std::uint64_t seed : campaign.seeds[point]) {
      const RunResult* const run = results.find(point, seed);
      if (run == nullptr) continue;
      const std::size_t batches = plan.file.keys.batches > 0 ? run->batches.size() : 0;
      for (std::size_t batch = 0; batch <= batches; ++batch) {
        const RunFigures& figures = batch == 0 ? run->figures : run->batches[batch - 1];
        for (std::size_t figure = 0; figure < figures.size(); ++figure) {
          if (std::isnan(figures[figure])) continue;
          visit(OneFigure{.point = plan.points[point],
                          .seed = seed,
                          .batch = batch,
                          .info = figure_infos()[figure],
                          .value = figures[figure]});
        }
      }
    }
  }
}

std::string all_runs(const ExperimentPlan& plan, const Results& results, const Campaign& campaign) {
  const bool by_batch = plan.file.keys.batches > 0;
  std::string text = key_columns(plan.keys) +
                     (by_batch ? "seed,batch,metric,unit,value\n" : "seed,metric,unit,value\n");
  for_each_figure(plan, results, campaign, [&](const OneFigure& one) {
    text += fmt::format("{}{},", key_columns(one.point.values), one.seed);
    if (by_batch) text += fmt::format("{},", one.batch);
    text += fmt::format("{},{},{}\n", one.info.name, csv_cell(one.info.unit), csv(one.value));
  });
  return text;
}

std::string all_points(const ExperimentPlan& plan, const Results& results,
                       const Campaign& campaign) {
  std::string text = key_columns(plan.keys) + fmt::format(
                                                  "metric,unit,{},mean,half_width_95,difference,"
                                                  "difference_half_width_95\n",
                                                  replicates_of(plan));
  for (std::size_t figure = 0; figure < figure_infos().size(); ++figure) {
    const FigureInfo& info = figure_infos()[figure];
    const auto figures = outcome_of(plan, results, campaign, figure);
    for (std::size_t point = 0; point < figures.size(); ++point) {
      const auto& [interval, difference] = figures[point];
      if (interval.runs == 0) continue;
      text += fmt::format("{}{},{},{},{},{},{},{}\n", key_columns(plan.points[point].values),
                          info.name, csv_cell(info.unit), interval.runs, csv(interval.mean),
                          csv(interval.half_width), difference ? csv(difference->mean) : "",
                          difference ? csv(difference->half_width) : "");
    }
  }
  return text;
}

/// all_runs() as columns.
std::vector<PlainColumn> columns_of(const ExperimentPlan& plan, const Results& results,
                                    const Campaign& campaign) {
  std::vector<std::vector<std::string>> values(plan.keys.size());
  std::vector<std::uint64_t> seeds;
  std::vector<std::uint64_t> batches;
  std::vector<std::string> metrics;
  std::vector<std::string> units;
  std::vector<double> numbers;
  for_each_figure(plan, results, campaign, [&](const OneFigure& one) {
    for (std::size_t key = 0; key < plan.keys.size(); ++key) {
      values[key].push_back(one.point.values[key]);
    }
    seeds.push_back(one.seed);
    batches.push_back(one.batch);
    metrics.push_back(one.info.name);
    units.push_back(one.info.unit);
    numbers.push_back(one.value);
  });
  std::vector<PlainColumn> columns;
  for (std::size_t key = 0; key < plan.keys.size(); ++key) {
    columns.push_back({.name = plan.keys[key], .unit = "", .cells = std::move(values[key])});
  }
  columns.push_back({.name = "seed", .unit = "1", .cells = std::move(seeds)});
  if (plan.file.keys.batches > 0) {
    columns.push_back({.name = "batch", .unit = "1", .cells = std::move(batches)});
  }
  columns.push_back({.name = "metric", .unit = "", .cells = std::move(metrics)});
  columns.push_back({.name = "unit", .unit = "", .cells = std::move(units)});
  columns.push_back({.name = "value", .unit = "as `unit` says", .cells = std::move(numbers)});
  return columns;
}

}  // namespace

void write_tables(const ExperimentPlan& plan, const Results& results, const Campaign& campaign,
                  const Answers& answers) {
  write_text(results, "results.csv", all_runs(plan, results, campaign));
  write_table(results, "results.h5", columns_of(plan, results, campaign));
  write_text(results, "summary.csv", all_points(plan, results, campaign));
  write_text(results, "answers.json", answers_to_json(answers, plan).dump(1) + "\n");
}

}  // namespace somnus
