#include "experiment/answers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiment/zeros.hpp"

namespace somnus {
namespace {

class Answering {
 public:
  Answering(const Comparing& comparing, const PairedValues& values, FigureAnswer& answer,
            MeanTest test)
      : comparing_(comparing), values_(values), answer_(answer), test_(test) {}

  void operator()() {
    for (std::size_t panel = 0; panel < comparing_.panels.size(); ++panel) {
      for (std::size_t name = 0; comparing_.baseline && name < comparing_.names.size(); ++name) {
        if (name == comparing_.baseline) continue;
        add_claim(panel, name, 0);
        if (answer_.margin == 0) continue;
        add_claim(panel, name, -answer_.margin);
        add_claim(panel, name, answer_.margin);
      }
    }
    if (comparing_.baseline && comparing_.names.size() == 2) return;
    for (std::size_t panel = 0; panel < comparing_.panels.size(); ++panel) {
      for (std::size_t place = 0; place < comparing_.panels[panel].places.size(); ++place) {
        add_best(panel, place);
      }
    }
  }

 private:
  void add_claim(std::size_t panel, std::size_t name, double share) {
    DifferenceClaim claim{.panel = panel, .name = name, .share = share};
    bool any = false;
    for (const Place& place : comparing_.panels[panel].places) {
      const std::optional<std::size_t> ours = place.points[name];
      const std::optional<std::size_t> theirs = place.points[*comparing_.baseline];
      const bool compared = ours && theirs && ours != theirs;
      const Comparison* const found =
          compared ? answer_.comparisons.find(*ours, *theirs).first : nullptr;
      claim.comparisons.push_back(found != nullptr && found->pairs > 0 ? found : nullptr);
      any = any || claim.comparisons.back() != nullptr;
    }
    if (!any) return;
    if (!comparing_.axis.empty()) add_crossings(claim);
    answer_.claims.push_back(std::move(claim));
  }

  void add_crossings(DifferenceClaim& claim) const {
    std::vector<double> steps;
    std::vector<std::vector<double>> contrasts;
    std::vector<int> decided;
    bool draws = false;
    for (std::size_t place = 0; place < claim.comparisons.size(); ++place) {
      const Comparison* const one = claim.comparisons[place];
      if (one == nullptr) continue;
      steps.push_back(comparing_.panels[claim.panel].places[place].x);
      contrasts.push_back(values_.contrast(one->point, one->reference, claim.share));
      decided.push_back(claim.at(place)->decided);
      draws = draws || !one->is_exact;
    }
    if (!draws) return;  // what is decided at steps without a doubt has no interval between them
    for (ZeroRegion& region : zeros_of(steps, contrasts, test_, error_level)) {
      Crossing crossing{.low = region.low,
                        .high = region.high,
                        .at = std::move(region.at),
                        .from_first = region.low == steps.front(),
                        .to_last = region.high == steps.back()};
      const auto before = std::ranges::lower_bound(steps, crossing.low) - steps.begin();
      const auto after = std::ranges::upper_bound(steps, crossing.high) - steps.begin();
      const bool inside = before > 0 && after < std::ssize(steps);
      crossing.is_decided = inside && decided[static_cast<std::size_t>(before - 1)] *
                                              decided[static_cast<std::size_t>(after)] <
                                          0;
      claim.crossings.push_back(std::move(crossing));
    }
  }

  void add_best(std::size_t panel, std::size_t place) {
    const auto& points = comparing_.panels[panel].places[place].points;
    const int sign = answer_.better == Better::more ? -1 : 1;
    Best best{.panel = panel, .place = place};
    std::vector<std::pair<double, std::size_t>> means;
    for (std::size_t name = 0; name < points.size(); ++name) {
      const double mean = points[name] ? sign * values_.mean(*points[name]) : NAN;
      if (!std::isnan(mean)) means.emplace_back(mean, name);
    }
    if (means.size() < 2) return;
    best.names = {std::ranges::min(means).second};
    const std::size_t first = *points[best.names.front()];
    for (const auto& [mean, name] : means) {
      if (*points[name] == first) continue;
      const auto [one, way] = answer_.comparisons.find(*points[name], first);
      const bool is_worse = one->decided() * way * sign > 0;
      if (!is_worse) best.names.push_back(name);
    }
    best.kind = kind_of(best, points);
    answer_.best.push_back(std::move(best));
  }

  [[nodiscard]] Best::Kind kind_of(const Best& best,
                                   const std::vector<std::optional<std::size_t>>& points) const {
    if (best.names.size() == 1) return Best::Kind::one;
    bool tie = true;
    bool same = true;
    for (const std::size_t one : best.names) {
      for (const std::size_t other : best.names) {
        if (one <= other || *points[one] == *points[other]) continue;
        const Comparison& both = *answer_.comparisons.find(*points[one], *points[other]).first;
        tie = tie && both.is_tie();
        same = same && both.is_same;
      }
    }
    return same ? Best::Kind::same : tie ? Best::Kind::tie : Best::Kind::undecided;
  }

  const Comparing& comparing_;
  const PairedValues& values_;
  FigureAnswer& answer_;
  MeanTest test_;
};

}  // namespace

FigureAnswer answer_of(const Comparing& comparing, const PairedValues& values, std::size_t figure,
                       double margin, MeanTest test) {
  FigureAnswer answer{.figure = figure,
                      .margin = margin,
                      .better = figure_infos()[figure].better,
                      .comparisons = Comparisons(comparing, values, margin, test),
                      .claims = {},
                      .best = {}};
  Answering(comparing, values, answer, test)();
  return answer;
}

Answers answers_of(const ExperimentPlan& plan, const Results& results, const Campaign& campaign) {
  // How many runs there are depends on what they gave, if they were added until something is
  // decided.
  const bool looked = !plan.file.keys.decide.empty();
  Answers answers{.comparing = comparing_of(plan),
                  .test = looked ? MeanTest::sequential : MeanTest::student,
                  .replicate = plan.file.keys.batches > 0 ? Replicate::batch : Replicate::run,
                  .figures = {}};
  if (answers.comparing.panels.empty()) return answers;
  for (const std::string& name : plan.file.keys.metrics) {
    const std::size_t figure = figure_index(name);
    answers.figures.push_back(answer_of(answers.comparing,
                                        PairedValues(plan, results, campaign, figure), figure,
                                        plan.file.keys.margin_of(name), answers.test));
  }
  return answers;
}

}  // namespace somnus
