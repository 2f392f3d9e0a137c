#include "experiment/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "experiment/rounds.hpp"
#include "print/status_line.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

enum class Whose { ours, of_other_shares };

struct Run {
  std::size_t point;
  std::uint64_t seed;
};

// Settings of all runs at once would be much where there are a million.
constexpr std::size_t most_at_hand = 2000;

/// The time that is left, by how long those took that are done.
class Countdown {
 public:
  Countdown(bool shown, std::size_t runs) : line_(!shown), runs_(runs) {}

  void one_more() {
    ++done_;
    line_.look([this] {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began_;
      const auto left_s = static_cast<std::uint64_t>(took.count() / static_cast<double>(done_) *
                                                     static_cast<double>(runs_ - done_));
      return fmt::format("{} of {} runs, {} %, {}:{:02} left", done_, runs_, 100 * done_ / runs_,
                         left_s / 60, left_s % 60);
    });
  }

 private:
  StatusLine line_;
  std::size_t runs_;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
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
  Running(const ExperimentPlan& plan, Results& results, RunExecutor& executor,
          const CampaignOptions& options)
      : plan_(plan), results_(results), executor_(executor), options_(options) {}

  Campaign operator()() {
    for (std::optional runs = first_round(plan_); runs;) {
      set_seeds(*runs);
      run_missing();
      runs = campaign_.complete ? next_round(plan_, results_, campaign_) : std::nullopt;
    }
    results_.look_at_others();
    campaign_.lacking = missing(Whose::of_other_shares).size();
    std::ranges::sort(failed_, {}, [](const auto& each) { return std::get<0>(each); });
    for (auto& [run, failure] : failed_) campaign_.failures.push_back(std::move(failure));
    return std::move(campaign_);
  }

 private:
  void set_seeds(const std::vector<std::size_t>& runs) {
    campaign_.seeds.assign(runs.size(), {});
    for (std::size_t point = 0; point < runs.size(); ++point) {
      for (std::size_t run = 0; run < runs[point]; ++run) {
        campaign_.seeds[point].push_back(plan_.seed(run));
      }
    }
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

  /// Seed by seed, so that runs of one workload are near each other.
  [[nodiscard]] std::vector<Run> missing(Whose whose) const {
    std::vector<Run> runs;
    std::size_t most = 0;
    for (const auto& seeds : campaign_.seeds) most = std::max(most, seeds.size());
    for (std::size_t at = 0; at < most; ++at) {
      for (std::size_t point = 0; point < campaign_.seeds.size(); ++point) {
        const std::vector<std::uint64_t>& seeds = campaign_.seeds[point];
        if (at >= seeds.size() || results_.has(point, seeds[at])) continue;
        const bool ours = options_.share.has(at * campaign_.seeds.size() + point);
        if (ours == (whose == Whose::ours)) runs.push_back({.point = point, .seed = seeds[at]});
      }
    }
    return runs;
  }

  void run_missing() {
    if (plan_.file.keys.keep != KeepLogs::none) {
      std::filesystem::create_directories(results_.folder() / "logs");
    }
    const std::vector<Run> runs = missing(Whose::ours);
    Countdown countdown(options_.show_progress, runs.size());
    for (std::size_t first = 0; first < runs.size() && campaign_.complete; first += most_at_hand) {
      const std::size_t count = std::min(most_at_hand, runs.size() - first);
      carry_out(std::span(runs).subspan(first, count), countdown);
      if (options_.stop != nullptr && options_.stop->load() != 0) campaign_.complete = false;
    }
  }

  /// Those of one workload one after the other.
  void carry_out(std::span<const Run> runs, Countdown& countdown) {
    std::map<std::string, std::vector<std::pair<Run, RunSpec>>> by_workload;
    for (const Run& run : runs) {
      RunSpec spec{.settings = settings_of(run.point, run.seed),
                   .workload = {},
                   .truncation = plan_.file.keys.truncation(),
                   .batches = plan_.file.keys.batches,
                   .by_user = plan_.by_user};
      spec.workload = workload_key(spec.settings);
      by_workload[spec.workload].emplace_back(run, std::move(spec));
    }
    std::vector<Run> ordered;
    std::vector<RunSpec> specs;
    for (auto& [key, of_one] : by_workload) {
      for (auto& [run, spec] : of_one) {
        ordered.push_back(run);
        specs.push_back(std::move(spec));
      }
    }
    executor_.carry_out(specs, [&](std::size_t at, RunOutcome outcome) {
      came_back(ordered[at], std::move(outcome));
      countdown.one_more();
    });
  }

  void came_back(const Run& run, RunOutcome outcome) {
    if (outcome.result) {
      results_.add(run.point, run.seed, std::move(*outcome.result));
      ++campaign_.ran;
    }
    if (!outcome.error) return;
    const std::string label = plan_.points[run.point].label();
    FailedRun failure{.label = label,
                      .run = fmt::format("{}, seed {}", label, run.seed),
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
  RunExecutor& executor_;
  const CampaignOptions& options_;
  Campaign campaign_;
  std::vector<std::pair<std::pair<std::size_t, std::uint64_t>, FailedRun>> failed_;
};

}  // namespace

Campaign run_campaign(const ExperimentPlan& plan, Results& results, RunExecutor& executor,
                      const CampaignOptions& options) {
  return Running(plan, results, executor, options)();
}

}  // namespace somnus
