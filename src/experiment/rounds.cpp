#include "experiment/rounds.hpp"

#include <algorithm>
#include <cmath>

#include "experiment/answers.hpp"
#include "experiment/statistics.hpp"

namespace somnus {
namespace {

// Of the runs so far. A round costs a wait for its last run, a run too many costs a run.
constexpr double least_growth_of_precision = 1.5;
constexpr double least_growth_of_decide = 1.25;
constexpr double most_growth = 2;

class Wanted {
 public:
  Wanted(const ExperimentPlan& plan, const Results& results, const Campaign& campaign)
      : plan_(plan), results_(results), campaign_(campaign) {
    for (const auto& seeds : campaign.seeds) runs_.push_back(seeds.size());
  }

  std::optional<std::vector<std::size_t>> operator()() {
    if (plan_.file.keys.precision > 0) for_precision();
    for (const std::string& name : plan_.file.keys.decide) for_decision(name);
    if (!more_) return std::nullopt;
    return runs_;
  }

 private:
  void for_precision() {
    const std::size_t figure = figure_index(plan_.file.keys.metrics.front());
    for (std::size_t point = 0; point < runs_.size(); ++point) {
      want(point,
           runs_needed(results_.values(point, figure, campaign_.seeds[point]),
                       plan_.file.keys.precision),
           least_growth_of_precision);
    }
  }

  /// Where there is a baseline, until it is decided of each whether it differs from it; else, until
  /// it is decided who is best.
  void for_decision(const std::string& name) {
    const std::size_t figure = figure_index(name);
    const Comparing comparing = comparing_of(plan_);
    const FigureAnswer answer =
        answer_of(comparing, PairedValues(plan_, results_, campaign_, figure), figure,
                  plan_.file.keys.margin_of(name), MeanTest::sequential);
    for (const DifferenceClaim& claim : answer.claims) {
      for (const Comparison* const one : claim.comparisons) {
        if (claim.share == 0 && one != nullptr) decide(*one);
      }
    }
    if (comparing.baseline) return;
    for (const Best& best : answer.best) {
      const auto& points = comparing.panels[best.panel].places[best.place].points;
      if (best.kind != Best::Kind::undecided) continue;
      for (const std::size_t other : best.names) {
        const std::size_t first = *points[best.names.front()];
        if (*points[other] != first) decide(*answer.comparisons.find(*points[other], first).first);
      }
    }
  }

  void decide(const Comparison& one) {
    if (one.is_exact || one.decided() != 0 || one.is_tie()) return;
    const std::size_t to_differ = one.hypotheses[1].runs_needed;
    const std::size_t to_tie =
        std::max(one.hypotheses.front().runs_needed, one.hypotheses.back().runs_needed);
    const auto needed = static_cast<double>(std::min(to_differ, to_tie));
    for (const std::size_t point : {one.point, one.reference}) {
      const double more = static_cast<double>(campaign_.seeds[point].size()) + 1;
      want(point, std::max(needed, more), least_growth_of_decide);
    }
  }

  void want(std::size_t point, double needed, double least_growth) {
    const auto now = static_cast<double>(campaign_.seeds[point].size());
    const std::size_t most = plan_.file.keys.most_seeds;
    if (!plan_.points[point].random || needed <= now || campaign_.seeds[point].size() >= most) {
      return;
    }
    const double wanted = std::ceil(std::clamp(needed, least_growth * now, most_growth * now));
    runs_[point] = std::max(runs_[point], std::min(most, static_cast<std::size_t>(wanted)));
    more_ = true;
  }

  const ExperimentPlan& plan_;
  const Results& results_;
  const Campaign& campaign_;
  std::vector<std::size_t> runs_;
  bool more_ = false;
};

}  // namespace

std::vector<std::size_t> first_round(const ExperimentPlan& plan) {
  std::vector<std::size_t> runs;
  for (const Point& point : plan.points) runs.push_back(point.random ? plan.file.keys.seeds : 1);
  return runs;
}

std::optional<std::vector<std::size_t>> next_round(const ExperimentPlan& plan,
                                                   const Results& results,
                                                   const Campaign& campaign) {
  return Wanted(plan, results, campaign)();
}

}  // namespace somnus
