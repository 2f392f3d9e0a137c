#include "experiment/comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/error.hpp"
#include "experiment/holm.hpp"

namespace somnus {
namespace {

constexpr double rounding = 1e-9;  // two figures nearer than that are equal

int sign_of(double value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

bool are_equal(double a, double b) {
  return std::abs(a - b) <= rounding * std::fmax(std::abs(a), std::abs(b));
}

}  // namespace

const Hypothesis& Comparison::at(double share) const {
  const auto found = std::ranges::find(hypotheses, share, &Hypothesis::share);
  SOMNUS_CHECK(found != hypotheses.end(), "nothing is asked of a difference of {}", share);
  return *found;
}

PairedValues::PairedValues(const ExperimentPlan& plan, const Results& results,
                           const Campaign& campaign, std::size_t figure) {
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    values_.push_back(results.values(point, figure, campaign.seeds[point]));
    draws_.push_back(plan.points[point].random || plan.file.keys.batches > 0);
  }
}

std::pair<std::vector<double>, std::vector<double>> PairedValues::pairs(
    std::size_t point, std::size_t reference) const {
  std::vector<double> ours = values_[point];
  std::vector<double> theirs = values_[reference];
  // What draws nothing gives each seed the same.
  if (!draws_[point] && ours.size() == 1) ours.resize(theirs.size(), ours.front());
  if (!draws_[reference] && theirs.size() == 1) theirs.resize(ours.size(), theirs.front());
  const std::size_t runs = std::min(ours.size(), theirs.size());
  ours.resize(runs);
  theirs.resize(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    if (std::isnan(ours[run])) theirs[run] = NAN;
    if (are_equal(ours[run], theirs[run])) ours[run] = theirs[run];
  }
  return {std::move(ours), std::move(theirs)};
}

std::vector<double> PairedValues::contrast(std::size_t point, std::size_t reference,
                                           double share) const {
  auto [ours, theirs] = pairs(point, reference);
  const double towards = sample_mean(theirs).mean < 0 ? -share : share;
  for (std::size_t run = 0; run < ours.size(); ++run) {
    ours[run] -= (1 + towards) * theirs[run];
  }
  return ours;
}

double PairedValues::mean(std::size_t point) const { return sample_mean(values_[point]).mean; }

MeanInterval PairedValues::difference(std::size_t point, std::size_t reference) const {
  const auto [ours, theirs] = pairs(point, reference);
  MeanInterval difference = paired_difference(ours, theirs);
  const double whole = std::abs(sample_mean(theirs).mean);
  difference.mean /= whole;
  difference.half_width /= whole;
  return difference;
}

Comparisons::Comparisons(const Comparing& comparing, const PairedValues& values, double margin,
                         MeanTest test) {
  for (const ComparedPanel& panel : comparing.panels) {
    for (const Place& place : panel.places) {
      for (std::size_t one = 0; one < place.points.size(); ++one) {
        for (std::size_t other = 0; other < one; ++other) {
          if (!place.points[one] || !place.points[other]) continue;
          const bool turned = one == comparing.baseline;
          compare(*place.points[turned ? other : one], *place.points[turned ? one : other], values,
                  margin);
        }
      }
    }
  }
  decide(margin, test);
}

std::pair<const Comparison*, int> Comparisons::find(std::size_t point,
                                                    std::size_t reference) const {
  const auto found = index_.find({point, reference});
  if (found != index_.end()) return {&all_[found->second], 1};
  return {&all_[index_.at({reference, point})], -1};
}

void Comparisons::compare(std::size_t point, std::size_t reference, const PairedValues& values,
                          double margin) {
  if (point == reference || index_.contains({reference, point})) return;
  if (!index_.try_emplace({point, reference}, all_.size()).second) return;
  Comparison one{.point = point, .reference = reference};
  one.difference = values.difference(point, reference);
  one.is_exact = !values.draws(point) && !values.draws(reference);
  contrasts_.emplace_back();
  const std::array shares = {-margin, 0.0, margin};
  for (std::size_t at = 0; at < shares.size(); ++at) {
    one.hypotheses[at].share = shares[at];
    contrasts_.back()[at] = sample_mean(values.contrast(point, reference, shares[at]));
  }
  const SampleMean& difference = contrasts_.back()[1];
  one.pairs = difference.runs;
  one.is_same =
      one.pairs > (one.is_exact ? 0 : 1) && difference.mean == 0 && !(difference.deviation > 0);
  all_.push_back(one);
}

void Comparisons::decide(double margin, MeanTest test) {
  std::vector<double> p;
  std::vector<std::pair<Hypothesis*, const SampleMean*>> drawn;
  for (std::size_t at = 0; at < all_.size(); ++at) {
    Comparison& one = all_[at];
    for (std::size_t which = 0; which < one.hypotheses.size(); ++which) {
      Hypothesis& hypothesis = one.hypotheses[which];
      const SampleMean& contrast = contrasts_[at][which];
      if (one.is_exact) {
        hypothesis.decided = contrast.runs > 0 ? sign_of(contrast.mean) : 0;
        hypothesis.p = hypothesis.decided == 0 ? 1 : 0;
      } else if (margin > 0 || which == 1) {
        drawn.emplace_back(&hypothesis, &contrast);
        p.push_back(p_value(test, contrast));
      }
    }
  }
  const std::size_t most_true = p.size() / (margin > 0 ? 3 : 1);
  const std::vector<double> adjusted = adjusted_by_holm(p, most_true);
  const auto undecided = static_cast<std::size_t>(
      std::ranges::count_if(adjusted, [](double each) { return each > error_level; }));
  const double level =
      error_level / static_cast<double>(std::max<std::size_t>(1, std::min(most_true, undecided)));
  for (std::size_t at = 0; at < drawn.size(); ++at) {
    auto& [hypothesis, contrast] = drawn[at];
    hypothesis->p = adjusted[at];
    if (adjusted[at] <= error_level) {
      hypothesis->decided = sign_of(contrast->mean);
    } else {
      hypothesis->runs_needed = runs_to_decide(test, *contrast, level);
    }
  }
  if (margin > 0) return;
  for (Comparison& one : all_) one.hypotheses.front() = one.hypotheses.back() = one.hypotheses[1];
}

}  // namespace somnus
