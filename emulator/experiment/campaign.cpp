#include "emulator/experiment/campaign.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "emulator/compose/workload_source.hpp"
#include "emulator/experiment/statistics.hpp"

namespace somnus {
namespace {

struct Run {
  std::size_t point;
  std::uint64_t seed;
  RunSpec spec;
};

/// On a terminal one line that is rewritten each second, elsewhere a line every ten. Nothing before
/// two seconds have passed.
class Countdown {
 public:
  Countdown(bool shown, std::size_t runs) : shown_(shown), runs_(runs) {}
  ~Countdown() {
    if (printed_ && terminal_) fmt::print(stderr, "\r{:70}\r", "");
  }
  Countdown(const Countdown&) = delete;
  Countdown& operator=(const Countdown&) = delete;

  void one_more() {
    ++done_;
    const Clock::time_point now = Clock::now();
    if (!shown_ || now < next_) return;
    next_ = now + std::chrono::seconds(terminal_ ? 1 : 10);
    const double took_s = std::chrono::duration<double>(now - began_).count();
    const auto left_s = static_cast<std::uint64_t>(took_s / static_cast<double>(done_) *
                                                   static_cast<double>(runs_ - done_));
    fmt::print(stderr, "{}{} of {} runs, {} %, {}:{:02} left{}", terminal_ ? "\r" : "", done_,
               runs_, 100 * done_ / runs_, left_s / 60, left_s % 60, terminal_ ? "   " : "\n");
    printed_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool shown_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool printed_ = false;
  std::size_t runs_;
  std::size_t done_ = 0;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_ = began_ + std::chrono::seconds(2);
};

std::string file_name(const std::string& label, std::uint64_t seed) {
  std::string name = fmt::format("{}-{}.h5", label, seed);
  std::ranges::replace_if(
      name,
      [](char each) {
        return std::string_view("+-=._").find(each) == std::string_view::npos &&
               std::isalnum(static_cast<unsigned char>(each)) == 0;
      },
      '_');
  return name;
}

class Running {
 public:
  Running(const ExperimentPlan& plan, Results& results, Crew& crew, const CampaignOptions& options)
      : plan_(plan), results_(results), crew_(crew), options_(options) {}

  Campaign operator()() {
    std::vector<std::size_t> runs = first_round();
    do {
      set_seeds(runs);
      run_missing();
    } while (campaign_.complete && more_needed(runs));
    std::ranges::sort(failed_, {}, [](const auto& each) { return std::get<0>(each); });
    for (auto& [run, failure] : failed_) campaign_.failures.push_back(std::move(failure));
    return std::move(campaign_);
  }

 private:
  [[nodiscard]] std::vector<std::size_t> first_round() const {
    std::vector<std::size_t> runs;
    for (const Point& point : plan_.points)
      runs.push_back(point.random ? plan_.file.keys.seeds : 1);
    return runs;
  }

  void set_seeds(const std::vector<std::size_t>& runs) {
    campaign_.seeds.assign(runs.size(), {});
    for (std::size_t point = 0; point < runs.size(); ++point) {
      for (std::size_t run = 0; run < runs[point]; ++run) {
        campaign_.seeds[point].push_back(plan_.seed(run));
      }
    }
  }

  /// Half as many again at least, twice as many at most.
  bool more_needed(std::vector<std::size_t>& runs) const {
    const double precision = plan_.file.keys.precision;
    if (precision == 0) return false;
    const std::size_t most = plan_.file.keys.most_seeds;
    const std::size_t figure = figure_index(plan_.file.keys.metrics.front());
    bool more = false;
    for (std::size_t point = 0; point < runs.size(); ++point) {
      std::size_t& count = runs[point];
      if (!plan_.points[point].random || count >= most) continue;
      const double needed =
          runs_needed(results_.values(point, figure, campaign_.seeds[point]), precision);
      if (needed <= static_cast<double>(count)) continue;
      const double wanted =
          std::clamp(needed, 1.5 * static_cast<double>(count), 2.0 * static_cast<double>(count));
      count = std::min(most, static_cast<std::size_t>(std::ceil(wanted)));
      more = true;
    }
    return more;
  }

  [[nodiscard]] Settings settings_of(std::size_t point, std::uint64_t seed) const {
    Settings settings = plan_.points[point].settings;
    settings.run.seed = seed;
    const KeepLogs keep = plan_.file.keys.keep;
    const bool kept = keep == KeepLogs::all || (keep == KeepLogs::first && seed == plan_.seed(0));
    const std::string name = file_name(plan_.points[point].label(), seed);
    settings.log.file = kept ? (results_.folder() / "logs" / name).string() : "";
    return settings;
  }

  /// Those of one workload stand together.
  [[nodiscard]] std::vector<Run> missing() const {
    std::vector<Run> runs;
    std::map<std::string, std::size_t> first;
    for (std::size_t point = 0; point < campaign_.seeds.size(); ++point) {
      for (const std::uint64_t seed : campaign_.seeds[point]) {
        if (results_.has(point, seed)) continue;
        RunSpec spec{.settings = settings_of(point, seed), .workload = {}};
        spec.workload = workload_key(spec.settings);
        first.try_emplace(spec.workload, first.size());
        runs.push_back({.point = point, .seed = seed, .spec = std::move(spec)});
      }
    }
    std::ranges::stable_sort(runs, {}, [&](const Run& run) { return first.at(run.spec.workload); });
    return runs;
  }

  void run_missing() {
    std::vector<Run> runs = missing();
    std::vector<RunSpec> specs;
    for (Run& run : runs) specs.push_back(std::move(run.spec));
    if (plan_.file.keys.keep != KeepLogs::none) {
      std::filesystem::create_directories(results_.folder() / "logs");
    }
    Countdown countdown(options_.show_progress, runs.size());
    crew_.carry_out(specs, [&](std::size_t at, RunOutcome outcome) {
      came_back(runs[at], std::move(outcome));
      countdown.one_more();
    });
    if (options_.stop != nullptr && options_.stop->load() != 0) campaign_.complete = false;
  }

  void came_back(const Run& run, RunOutcome outcome) {
    if (outcome.figures) {
      results_.add(run.point, run.seed, std::move(*outcome.figures));
      ++campaign_.ran;
    }
    if (!outcome.error) return;
    FailedRun failure{.run = fmt::format("{}, seed {}", plan_.points[run.point].label(), run.seed),
                      .what = {},
                      .error = outcome.error};
    try {
      std::rethrow_exception(outcome.error);
    } catch (const std::exception& error) {
      failure.what = in_words(error);
    }
    failed_.emplace_back(std::pair(run.point, run.seed), std::move(failure));
  }

  const ExperimentPlan& plan_;
  Results& results_;
  Crew& crew_;
  const CampaignOptions& options_;
  Campaign campaign_;
  std::vector<std::pair<std::pair<std::size_t, std::uint64_t>, FailedRun>> failed_;
};

}  // namespace

Campaign run_campaign(const ExperimentPlan& plan, Results& results, Crew& crew,
                      const CampaignOptions& options) {
  return Running(plan, results, crew, options)();
}

}  // namespace somnus
