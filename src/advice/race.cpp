#include "advice/race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "advice/limits.hpp"
#include "experiment/mean_test.hpp"

namespace somnus {
namespace {

constexpr double level_of_fewer_jobs = 0.05;

bool same(double one, double other) {
  return one == other || (std::isnan(one) && std::isnan(other));
}

bool same(const FiguresByUser& one, const FiguresByUser& other) {
  return std::ranges::equal(one, other, [](const auto& a, const auto& b) {
    bool alike = a.first == b.first;
    for_each_field<UserFigures>([&](const auto& field) {
      alike = alike && same(a.second.*field.member, b.second.*field.member);
    });
    return alike;
  });
}

/// All figures: two candidates that decide alike.
bool same(const RunResult& one, const RunResult& other) {
  const bool users = one.users && other.users;
  return std::ranges::equal(one.figures, other.figures,
                            [](double a, double b) { return same(a, b); }) &&
         (!users || same(*one.users, *other.users));
}

}  // namespace

Race::Race(Candidates& candidates, Trials& trials, RaceRules rules)
    : candidates_(candidates), trials_(trials), rules_(std::move(rules)) {
  always_ = {candidates_.own()};
  for (const Limit& limit : rules_.limits) {
    if (limit.scheduler.empty()) continue;
    const auto candidate = candidates_.add(limit.scheduler);
    if (candidate && std::ranges::find(always_, *candidate) == always_.end()) {
      always_.push_back(*candidate);
    }
  }
}

std::vector<std::string> Race::best_of(std::vector<std::string> labels) {
  std::size_t seeds = rules_.first_seeds;
  carry_out(labels, seeds);
  drop_unfit(labels, seeds);
  drop_alike(labels, seeds);
  sort(labels, seeds);
  while (labels.size() > rules_.finalists) {
    labels.resize(std::max(rules_.finalists, (labels.size() + 1) / 2));
    if (seeds >= rules_.most_seeds && labels.size() == rules_.finalists) break;
    seeds = std::min(2 * seeds, rules_.most_seeds);
    carry_out(labels, seeds);
    drop_unfit(labels, seeds);
    sort(labels, seeds);
  }
  return labels;
}

void Race::carry_out(const std::vector<std::string>& labels, std::size_t seeds) {
  std::vector<std::string> all = always_;
  for (const std::string& label : labels) {
    if (std::ranges::find(all, label) == all.end()) all.push_back(label);
  }
  trials_.carry_out(all, rules_.first_seed, seeds);
  trials_.require(always_, rules_.first_seed, seeds);
}

void Race::drop_unfit(std::vector<std::string>& labels, std::size_t seeds) {
  const std::size_t finished = figure_index("jobs_finished");
  std::erase_if(labels, [&](const std::string& label) {
    std::vector<double> more;  // jobs finished than by the config's own scheduler, by run
    for (std::size_t run = 0; run < seeds; ++run) {
      const RunResult* const result = trials_.find(label, rules_.first_seed + run);
      if (result == nullptr) return true;  // Trials knows why
      const RunResult& own = *trials_.find(candidates_.own(), rules_.first_seed + run);
      more.push_back(result->figures[finished] - own.figures[finished]);
    }
    const SampleMean sample = sample_mean(more);
    if (sample.mean < 0 && p_value(MeanTest::student, sample) <= level_of_fewer_jobs) {
      left_jobs_[label] =
          fmt::format("finishes {:.3g} jobs fewer a run than {}", -sample.mean, candidates_.own());
      return true;
    }
    return std::isnan(mean(label, rules_.aim.figure, seeds));
  });
}

void Race::drop_alike(std::vector<std::string>& labels, std::size_t seeds) {
  std::vector<std::string> different;
  for (const std::string& label : labels) {
    const auto decides_as = [&](const std::string& other) {
      for (std::size_t run = 0; run < seeds; ++run) {
        const std::uint64_t seed = rules_.first_seed + run;
        if (!same(*trials_.find(label, seed), *trials_.find(other, seed))) return false;
      }
      return true;
    };
    const auto found = std::ranges::find_if(different, decides_as);
    if (found == different.end()) {
      different.push_back(label);
    } else {
      alike_[label] = *found;
    }
  }
  labels = std::move(different);
}

double Race::mean(const std::string& label, const std::string& figure, std::size_t seeds) const {
  const std::size_t index = figure_index(figure);
  double sum = 0;
  for (std::size_t run = 0; run < seeds; ++run) {
    const RunResult* const result = trials_.find(label, rules_.first_seed + run);
    sum += result == nullptr ? NAN : result->figures[index];
  }
  return sum / static_cast<double>(seeds);
}

bool Race::keeps_limits(const std::string& label, std::size_t seeds) const {
  return std::ranges::all_of(rules_.limits, [&](const Limit& limit) {
    const SeedRuns theirs = trials_.find(limit.scheduler, rules_.first_seed, seeds);
    const auto all = excesses(limit, trials_.find(label, rules_.first_seed, seeds), theirs);
    return std::ranges::all_of(all, [&](const auto& of_user) {
      const double beyond = of_user.second.mean_beyond();
      return beyond <= 0 || (limit.each_user && std::isnan(beyond));
    });
  });
}

void Race::sort(std::vector<std::string>& labels, std::size_t seeds) const {
  std::map<std::string, std::pair<bool, double>> keys;
  for (const std::string& label : labels) {
    keys[label] = {!keeps_limits(label, seeds),
                   rules_.aim.cost(mean(label, rules_.aim.figure, seeds))};
  }
  std::ranges::stable_sort(labels, {}, [&](const std::string& label) { return keys.at(label); });
}

}  // namespace somnus
