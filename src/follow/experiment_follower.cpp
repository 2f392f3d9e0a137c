#include "follow/experiment_follower.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "experiment/results.hpp"
#include "experiment/share.hpp"
#include "output/file_lock.hpp"

namespace somnus {
namespace {

/// None: it lacks the batches. Throws nlohmann's exceptions: it is no line of a journal.
std::optional<ObservedFigures> observed_in(const nlohmann::json& run,
                                           const ExperimentProgress& progress) {
  ObservedFigures figures(progress.metrics.size());
  const auto take = [&](const nlohmann::json& all) {
    for (std::size_t at = 0; at < figures.size(); ++at) {
      const std::string& metric = progress.metrics[at];
      figures[at].push_back(all.contains(metric) ? all[metric].get<double>() : NAN);
    }
  };
  if (progress.batches == 0) {
    take(run.at("figures"));
    return figures;
  }
  const auto batches = run.find("batches");
  if (batches == run.end() || batches->size() != progress.batches) return std::nullopt;
  for (const auto& batch : *batches) take(batch);
  return figures;
}

}  // namespace

ExperimentFollower::ExperimentFollower(std::filesystem::path folder) : folder_(std::move(folder)) {
  progress_.folder = folder_.string();
}

Checked<void> ExperimentFollower::look() {
  std::map<std::filesystem::path, std::uintmax_t> journals;  // and their sizes
  std::error_code unknown;
  bool written = false;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, unknown)) {
    if (!is_journal(entry.path().filename().string()) || !entry.is_regular_file(unknown)) continue;
    written = written || is_being_written(entry.path());  // before reading
    journals[entry.path()] = entry.file_size(unknown);
  }
  for (const auto& [journal, size] : read_) {
    const auto now = journals.find(journal);
    if (now != journals.end() && now->second >= size) continue;
    begin_again();
    break;
  }
  for (const auto& [journal, size] : journals) read(journal, size);
  if (header_.empty()) {
    return mistake({.location = {.file = folder_.string()},
                    .what = "expected the folder of an experiment, found no journal of one",
                    .hint = "somnus experiment FILE -o FOLDER begins one"});
  }
  progress_.ended = !written;
  progress_.runs = 0;
  for (const PointProgress& point : progress_.points) progress_.runs += point.runs.size();
  if (first_runs_ > progress_.runs) first_runs_ = progress_.runs;
  const std::chrono::duration<double> since = Clock::now() - first_look_;
  const auto done = static_cast<double>(progress_.runs - first_runs_);
  const bool known = done > 0 && progress_.runs <= progress_.planned;
  progress_.left_s =
      known ? since.count() / done * static_cast<double>(progress_.planned - progress_.runs) : NAN;
  return {};
}

/// A journal was begun anew.
void ExperimentFollower::begin_again() {
  read_.clear();
  header_.clear();
  places_.clear();
  progress_ = {};
  progress_.folder = folder_.string();
}

void ExperimentFollower::read(const std::filesystem::path& journal, std::uintmax_t size) {
  std::uintmax_t& at = read_[journal];
  if (size == at) return;
  std::ifstream in(journal, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(at));
  std::string line;
  while (std::getline(in, line) && !in.eof()) {  // the last one may be half
    at += line.size() + 1;
    take(line);
  }
}

void ExperimentFollower::take(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return;
  try {
    if (json.contains(experiment_header)) {
      if (line == header_) return;  // of another share
      if (header_.empty()) {
        meet(json);
        header_ = line;
      }
      return;
    }
    const auto place = places_.find(json.at("digest").get<std::string>());
    if (place == places_.end()) return;  // an earlier experiment's
    if (auto figures = observed_in(json, progress_)) {
      progress_.points[place->second].runs.try_emplace(json.at("seed").get<std::uint64_t>(),
                                                       std::move(*figures));
    }
  } catch (const nlohmann::json::exception&) {
    return;  // no line of a journal
  }
}

/// Changes nothing where the header lacks something.
void ExperimentFollower::meet(const nlohmann::json& header) {
  ExperimentProgress met{.folder = progress_.folder};
  std::map<std::string, std::size_t> places;
  met.metrics = header.at("metrics").get<std::vector<std::string>>();
  met.planned = header.at("runs").get<std::size_t>();
  met.batches = header.value("batches", std::size_t{0});
  met.adds_seeds = header.at("adds_seeds").get<bool>();
  for (const auto& point : header.at("points")) {
    places[point.at(0).get<std::string>()] = met.points.size();
    met.points.push_back({.name = point.at(1).get<std::string>(), .runs = {}});
  }
  progress_ = std::move(met);
  places_ = std::move(places);
}

}  // namespace somnus
