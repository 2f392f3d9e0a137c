#include "experiment/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/describe.hpp"
#include "experiment/users_json.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

constexpr int format_version = 1;

constexpr std::string_view header_begins = "{\"somnus_experiment\":";
constexpr std::array table_files = {"results.csv", "results.h5", "summary.csv", "answers.json"};

bool is_own_journal(const std::filesystem::path& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return false;
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) && line.starts_with(header_begins);
}

std::vector<std::filesystem::path> files_read_by(const ExperimentPlan& plan) {
  std::set<std::filesystem::path> files = {plan.file.origin, plan.file.config()};
  for (const Point& point : plan.points) {
    const std::vector<std::filesystem::path> of_point = files_read_by(point.settings);
    files.insert(of_point.begin(), of_point.end());
  }
  return {files.begin(), files.end()};
}

/// Those that it has.
nlohmann::json named(const RunFigures& figures) {
  nlohmann::json by_name = nlohmann::json::object();
  for (std::size_t at = 0; at < figures.size(); ++at) {
    if (!std::isnan(figures[at])) by_name[figure_infos()[at].name] = figures[at];
  }
  return by_name;
}

std::string line_of(const Point& point, std::uint64_t seed, const RunResult& result) {
  nlohmann::json line = {{"digest", point.digest},
                         {"point", point.label()},
                         {"seed", seed},
                         {"figures", named(result.figures)}};
  for (const RunFigures& batch : result.batches) line["batches"].push_back(named(batch));
  if (result.users) line["users"] = users_to_json(*result.users);
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string header_of(const ExperimentPlan& plan) {
  std::size_t runs = 0;
  auto points = nlohmann::ordered_json::array();
  for (const Point& point : plan.points) {
    runs += point.random ? plan.file.keys.seeds : 1;
    points.push_back({point.digest, point.label()});
  }
  const ExperimentKeys& keys = plan.file.keys;
  nlohmann::ordered_json header = {{experiment_header, format_version},
                                   {"metrics", keys.metrics},
                                   {"runs", runs},
                                   {"adds_seeds", keys.precision > 0 || !keys.decide.empty()},
                                   {"points", std::move(points)}};
  if (keys.batches > 0) header["batches"] = keys.batches;
  return header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<RunFigures> figures_in(const nlohmann::json& by_name) {
  if (!by_name.is_object()) return std::nullopt;
  RunFigures figures(figure_infos().size(), NAN);
  for (std::size_t at = 0; at < figures.size(); ++at) {
    const auto found = by_name.find(figure_infos()[at].name);
    if (found == by_name.end()) continue;
    if (!found->is_number()) return std::nullopt;
    figures[at] = found->get<double>();
  }
  return figures;
}

/// None: they can't be read.
std::optional<BatchFigures> batches_in(const nlohmann::json& run) {
  BatchFigures batches;
  const auto found = run.find("batches");
  if (found == run.end()) return batches;
  if (!found->is_array()) return std::nullopt;
  for (const nlohmann::json& each : *found) {
    auto figures = figures_in(each);
    if (!figures) return std::nullopt;
    batches.push_back(std::move(*figures));
  }
  return batches;
}

std::optional<RunResult> result_in(const nlohmann::json& run) {
  const bool is_run = run.is_object() && run.contains("digest") && run["digest"].is_string() &&
                      run.contains("seed") && run["seed"].is_number_unsigned();
  auto figures = is_run ? figures_in(run.value("figures", nlohmann::json())) : std::nullopt;
  if (!figures) return std::nullopt;
  auto batches = batches_in(run);
  if (!batches) return std::nullopt;
  return RunResult{.figures = std::move(*figures),
                   .batches = std::move(*batches),
                   .users = users_in(run.value("users", nlohmann::json()))};
}

}  // namespace

bool holds_results(const std::filesystem::path& folder) {
  std::error_code unknown;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unknown)) {
    if (is_journal(entry.path().filename().string()) && is_own_journal(entry.path())) return true;
  }
  return false;
}

RunFigures run_figures(const Summary& summary) {
  RunFigures figures;
  for_each_field<Summary>([&](const auto& field) { figures.push_back(summary.*field.member); });
  return figures;
}

RunFigures batch_figures(const Summary& batch) {
  RunFigures figures = run_figures(batch);
  for (std::size_t at = 0; at < figures.size(); ++at) {
    if (figure_infos()[at].over != Over::jobs) figures[at] = NAN;
  }
  return figures;
}

const std::vector<FigureInfo>& figure_infos() {
  static const std::vector<FigureInfo> infos = [] {
    std::vector<FigureInfo> all;
    for_each_field<Summary>([&](const FigureInfo& figure) { all.push_back(figure); });
    return all;
  }();
  return infos;
}

std::size_t figure_index(const std::string& name) {
  const auto found = std::ranges::find(figure_infos(), name, &FigureInfo::name);
  SOMNUS_CHECK(found != figure_infos().end(), "no figure is called {}", name);
  return static_cast<std::size_t>(found - figure_infos().begin());
}

Results::Results(std::filesystem::path folder, const ExperimentPlan& plan, const Share& share,
                 bool replace)
    : folder_(std::move(folder)),
      plan_(plan),
      journal_(folder_ / share.journal()),
      inputs_(files_read_by(plan)) {
  require_own_or_free(replace);
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw WorldError(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
  }
  out_.emplace(journal_, OutputRules{.inputs = inputs_, .replace = true}, header_begins,
               Written::back_and_forth);
  std::vector<std::string> of_others;
  if (!replace) of_others = read(journal_);
  const Runs own = runs_;
  found_ = count();
  if (!replace) look_at_others();
  if (runs_.empty() && !of_others.empty()) {
    throw UserError(mistake({.location = {.file = journal_.string(), .line = 1, .column = 1},
                             .what = "the folder holds another experiment's results, or those of "
                                     "another workload or version of somnus",
                             .hint = "choose another folder, or --force to replace them"})
                        .value());
  }
  // Written anew, so that what a killed run left half-written is gone.
  append(header_of(plan_));
  for (const std::string& line : of_others) append(line);
  for (const auto& [run, result] : own) {
    append(line_of(plan_.points[run.first], run.second, result));
  }
  out_->take_its_place();
}

void Results::require_own_or_free(bool replace) const {
  Mistakes mistakes;
  std::error_code unknown;
  if (std::filesystem::exists(folder_, unknown) && !std::filesystem::is_directory(folder_)) {
    throw UserError(mistake({.location = {.file = folder_.string()},
                             .what = "is not a folder, expected one for the results",
                             .hint = "name one that is not there yet"})
                        .value());
  }
  const bool is_own = replace || holds_results(folder_);
  mistakes.append(objections_to_output(
      journal_, {.inputs = inputs_, .replace = replace || is_own_journal(journal_)},
      Written::back_and_forth));
  for (const char* const name : table_files) {
    mistakes.append(objections_to_output(folder_ / name, {.inputs = inputs_, .replace = is_own},
                                         Written::back_and_forth));
  }
  const std::filesystem::path logs = folder_ / "logs";
  const bool keeps_logs = plan_.file.keys.keep != KeepLogs::none;
  const bool has_logs = std::filesystem::exists(logs, unknown) &&
                        (!std::filesystem::is_directory(logs) || !std::filesystem::is_empty(logs));
  if (keeps_logs && has_logs && !is_own) {
    mistakes.add({.location = {.file = logs.string()},
                  .what = "is there already, and logs of that experiment may replace what is in it",
                  .hint = "choose another folder, or --force to replace it"});
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
}

void Results::look_at_others() {
  const std::size_t before = count();
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path() != journal_ && is_journal(entry.path().filename().string())) {
      read(entry.path());
    }
  }
  found_ += count() - before;
}

std::size_t Results::count() const {
  const auto counts = [&](const auto& run) { return has(run.first.first, run.first.second); };
  return static_cast<std::size_t>(std::ranges::count_if(runs_, counts));
}

std::vector<std::string> Results::read(const std::filesystem::path& journal) {
  std::map<std::string, std::size_t> points;
  for (std::size_t at = 0; at < plan_.points.size(); ++at) points[plan_.points[at].digest] = at;
  std::vector<std::string> of_others;
  std::error_code error;
  const auto kind = std::filesystem::status(journal, error).type();
  if (kind == std::filesystem::file_type::not_found) return {};
  if (kind != std::filesystem::file_type::regular) {
    throw UserError(mistake({.location = {.file = journal.string()},
                             .what = "is not a file, expected the journal of an experiment",
                             .hint = "choose another folder"})
                        .value());
  }
  std::ifstream in(journal);
  for (std::string line; std::getline(in, line);) {
    const auto run = nlohmann::json::parse(line, nullptr, false);
    auto result = result_in(run);
    if (!result) continue;  // the header, or what was cut off
    const auto point = points.find(run["digest"].get<std::string>());
    if (point == points.end()) {
      of_others.push_back(line);
    } else {
      take({point->second, run["seed"].get<std::uint64_t>()}, std::move(*result));
    }
  }
  return of_others;
}

bool Results::has_all(const RunResult& result) const {
  const std::size_t batches = plan_.file.keys.batches;
  return (batches == 0 || result.batches.size() == batches) && (!plan_.by_user || result.users);
}

void Results::take(const RunKey& run, RunResult result) {
  RunResult& here = runs_.try_emplace(run, result).first->second;
  const bool has_more = (result.users && !here.users) ||  // which others may ask for
                        (here.batches.empty() && !result.batches.empty());
  const bool is_better = has_all(here) == has_all(result) ? has_more : has_all(result);
  if (is_better) here = std::move(result);
}

bool Results::has(std::size_t point, std::uint64_t seed) const {
  return find(point, seed) != nullptr;
}

const RunResult* Results::find(std::size_t point, std::uint64_t seed) const {
  const auto found = runs_.find({point, seed});
  if (found == runs_.end() || !has_all(found->second)) return nullptr;
  return &found->second;
}

void Results::append(const std::string& line) {
  if (const int error = out_->file().write(line + '\n'); error != 0) {
    throw WorldError(
        fmt::format("{}: cannot be written: {}", journal_.string(), system_words(error)));
  }
}

void Results::add(std::size_t point, std::uint64_t seed, RunResult result) {
  SOMNUS_CHECK(has_all(result), "a run of {} has {} batches, asked for were {}",
               plan_.points[point].label(), result.batches.size(), plan_.file.keys.batches);
  append(line_of(plan_.points[point], seed, result));
  runs_[{point, seed}] = std::move(result);
}

std::vector<double> Results::values(std::size_t point, std::size_t figure,
                                    std::span<const std::uint64_t> seeds) const {
  const bool by_batch = plan_.file.keys.batches > 0 && figure_infos()[figure].over == Over::jobs;
  std::vector<double> all;
  for (const std::uint64_t seed : seeds) {
    const RunResult* const run = find(point, seed);
    if (!by_batch) {
      all.push_back(run == nullptr ? NAN : run->figures[figure]);
    } else if (run == nullptr) {
      all.resize(all.size() + plan_.file.keys.batches, NAN);
    } else {
      for (const RunFigures& batch : run->batches) all.push_back(batch[figure]);
    }
  }
  return all;
}

}  // namespace somnus
