// An experiment whose runs are drawn, not simulated: policies over loads, with noise that all
// points of a seed have in common and noise of their own.
#pragma once

#include <boost/random/normal_distribution.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "experiment/answers.hpp"
#include "experiment/campaign.hpp"
#include "experiment/warnings.hpp"
#include "output/folder.hpp"

namespace somnus::test {

/// The run's response time, by what is compared, load, the seed's noise and its own; normal.
using Draw = std::function<double(std::size_t name, double load, double common, double own)>;

struct SyntheticKeys {
  std::uint32_t seeds = 10;
  double margin = 0;
  bool random = true;
  std::uint32_t most_seeds = 200;
  std::uint64_t first_seed = 1;
  bool decide = false;
  std::uint32_t batches = 0;  // of one run, each drawn as a seed's run is
};

struct SyntheticOutcome {
  Campaign campaign;
  Answers answers;
  std::vector<std::string> warnings;
};

class SyntheticExperiment {
 public:
  SyntheticExperiment(const std::vector<std::string>& names, const std::vector<double>& loads,
                      Draw draw, SyntheticKeys keys)
      : loads_(loads), draw_(std::move(draw)) {
    plan_.file.keys.seeds = keys.seeds;
    plan_.file.keys.most_seeds = keys.most_seeds;
    plan_.file.keys.first_seed = keys.first_seed;
    plan_.file.keys.margin = keys.margin;
    plan_.file.keys.batches = keys.batches;
    plan_.file.keys.metrics = {"response_mean_s"};
    if (keys.decide) plan_.file.keys.decide = plan_.file.keys.metrics;
    plan_.file.axes = {{.keys = {"policy"}, .values = {}, .locations = {}},
                       {.keys = {"workload.load"}, .values = {}, .locations = {}}};
    plan_.file.baseline = {{"policy", names.front()}};
    plan_.keys = {"policy", "workload.load"};
    for (std::size_t name = 0; name < names.size(); ++name) {
      for (std::size_t at = 0; at < loads.size(); ++at) {
        Point point;
        point.values = {names[name], fmt::format("{}", loads[at])};
        point.random = keys.random;
        point.digest = fmt::format("{:016x}", plan_.points.size());
        point.settings.origin = fmt::format("{}", plan_.points.size());  // for the executor
        if (name > 0) point.baseline = at;
        plan_.points.push_back(std::move(point));
      }
    }
  }

  [[nodiscard]] SyntheticOutcome run() const {
    const ScratchFolder scratch(std::filesystem::temp_directory_path());
    Results results(scratch.file("out"), plan_, {}, false);
    Executor executor(*this);
    SyntheticOutcome outcome;
    outcome.campaign = run_campaign(plan_, results, executor, {});
    outcome.answers = answers_of(plan_, results, outcome.campaign);
    outcome.warnings = warnings_of(plan_, results, outcome.campaign);
    return outcome;
  }
  [[nodiscard]] Answers answers() const { return run().answers; }

 private:
  class Executor final : public RunExecutor {
   public:
    explicit Executor(const SyntheticExperiment& experiment) : experiment_(experiment) {}

    void carry_out(const std::vector<RunSpec>& specs, const OnOutcome& done) override {
      static const std::size_t figure = figure_index("response_mean_s");
      for (std::size_t at = 0; at < specs.size(); ++at) {
        const Settings& settings = specs[at].settings;
        const auto figures_of = [&](std::uint64_t seed) {
          RunFigures figures(figure_infos().size(), NAN);
          figures[figure] = experiment_.value(std::stoul(settings.origin), seed);
          return figures;
        };
        RunResult result{.figures = figures_of(settings.run.seed)};
        for (std::uint64_t batch = 0; batch < specs[at].batches; ++batch) {
          result.batches.push_back(figures_of(settings.run.seed + batch));
        }
        done(at, {.result = std::move(result), .error = nullptr});
      }
    }

   private:
    const SyntheticExperiment& experiment_;
  };

  [[nodiscard]] double value(std::size_t point, std::uint64_t seed) const {
    boost::random::normal_distribution<double> noise;
    RandomStream common(seed, "common");
    RandomStream own(seed, "own", point);
    const double of_all = noise(common.engine());
    noise.reset();
    return draw_(point / loads_.size(), loads_[point % loads_.size()], of_all, noise(own.engine()));
  }

  std::vector<double> loads_;
  ExperimentPlan plan_;
  Draw draw_;
};

}  // namespace somnus::test
