#include "advice/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "experiment/holm.hpp"
#include "experiment/mean_test.hpp"
#include "experiment/randomness.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

constexpr double level = 0.05;                   // of all that is said of one group together
constexpr std::size_t most_steps = 4;            // of the search, after the first race
constexpr std::uint64_t fresh_from = 1'000'000;  // beyond those of any race

class Advising {
 public:
  Advising(Candidates& candidates, Trials& trials, const AdviceOptions& options)
      : candidates_(candidates), trials_(trials), options_(options) {
    advice_.options = options;
    advice_.own = candidates.own();
    fresh_seed_ = options.first_seed + fresh_from;
  }

  Advice operator()() {
    require_random();
    require_users();
    resolve_limits();
    search();
    measure();
    weigh_parts();
    for (const auto& [label, why] : candidates_.unfit()) advice_.left_out.emplace(label, why);
    for (const auto& [label, why] : trials_.refused()) advice_.left_out.emplace(label, why);
    advice_.tried = tried_.size();
    advice_.runs = trials_.runs();
    return std::move(advice_);
  }

 private:
  void require_random() const {
    const Settings& settings = candidates_.settings(candidates_.own());
    if (!drawn_at_random(settings).empty()) return;
    throw UserError(
        mistake({.location = {.file = trials_.options().config.string()},
                 .key = "workload",
                 .what = "nothing is drawn at random, so every seed would give the same "
                         "run, and what is best for these very jobs may be luck",
                 .hint = "draw jobs of the file anew: --set workload.resample=5 (blocks "
                         "of five that follow each other), or a generator"})
            .value());
  }

  /// Of one user alone a limit of each user says nothing more, and who set it believes that there
  /// are several.
  void require_users() const {
    const auto found = std::ranges::find_if(options_.limits, &Limit::each_user);
    if (found == options_.limits.end()) return;
    Settings settings = candidates_.settings(candidates_.own());
    settings.run.seed = options_.first_seed;
    const Workload jobs = value_or_throw(workload_of(settings));
    std::set<std::size_t> users;
    for (const Job& job : jobs.catalogue.jobs) users.insert(job.user.index());
    if (users.size() != 1) return;
    throw UserError(
        mistake({.key = "--limit",
                 .what = fmt::format("all jobs are of one user, so '{}' says nothing of others",
                                     found->text),
                 .hint = "leave out 'each user', or say whose jobs they are"})
            .value());
  }

  void resolve_limits() {
    Mistakes mistakes;
    for (Limit& limit : options_.limits) {
      if (limit.scheduler.empty()) continue;
      const auto candidate = candidates_.add(limit.scheduler);
      if (candidate) {
        limit.scheduler = *candidate;
      } else {
        mistakes.add({.key = "--limit",
                      .what = fmt::format("'{}' names a scheduler that does not fit: {}",
                                          limit.text, candidates_.unfit().at(limit.scheduler)),
                      .hint = "somnus policies lists them"});
      }
    }
    if (mistakes.any()) throw UserError(std::move(mistakes));
  }

  void search() {
    Race race(candidates_, trials_,
              {.aim = options_.aim,
               .limits = options_.limits,
               .first_seed = options_.first_seed,
               .finalists = options_.finalists});
    std::vector<std::string> pool = candidates_.first();
    tried_.insert(pool.begin(), pool.end());
    best_ = race.best_of(pool);
    for (std::size_t step = 0; step < most_steps && !best_.empty(); ++step) {
      pool = best_;
      for (const std::string& label : best_) {
        for (const std::string& other : candidates_.beside(label)) {
          if (tried_.insert(other).second) pool.push_back(other);
        }
      }
      if (pool.size() == best_.size()) break;
      const std::string before = best_.front();
      best_ = race.best_of(pool);
      if (best_.empty() || best_.front() == before) break;
    }
    advice_.alike = race.alike();
    advice_.left_out = race.left_jobs();
  }

  /// What is said, by seeds that chose nobody.
  void measure() {
    std::vector<std::string> labels = best_;
    add(labels, candidates_.own());
    const std::size_t finalists = labels.size();
    for (const std::string& preset : candidates_.presets_that_fit()) {
      if (!advice_.left_out.contains(preset) && !advice_.alike.contains(preset))
        add(labels, preset);
    }
    for (const Limit& limit : options_.limits) {
      if (!limit.scheduler.empty()) add(labels, limit.scheduler);
    }
    run(labels);
    std::vector<Finalist> all;
    for (const std::string& label : labels) all.push_back(measured(label));
    mark_front(all);
    advice_.finalists.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(finalists));
    advice_.presets.assign(all.begin() + static_cast<std::ptrdiff_t>(finalists), all.end());
    std::erase_if(advice_.presets, [](const Finalist& each) { return each.aim.runs == 0; });
    sort(advice_.finalists);
    sort(advice_.presets);
    promote_presets();
    decide_against_own();
    find_as_good();
  }

  /// A preset that the fresh seeds decide to be better than the best that the search found.
  void promote_presets() {
    std::vector<std::string> labels;
    for (const Finalist& each : advice_.presets) {
      if (each.keeps != Keeps::no) labels.push_back(each.label);
    }
    const std::vector<int> sides = decided(labels, advice_.best().label);
    const int better = options_.aim.better == Better::more ? 1 : -1;
    for (std::size_t at = 0; at < labels.size(); ++at) {
      if (sides[at] != better) continue;
      const auto found = std::ranges::find(advice_.presets, labels[at], &Finalist::label);
      advice_.finalists.push_back(std::move(*found));
      advice_.presets.erase(found);
    }
    sort(advice_.finalists);
  }

  void weigh_parts() {
    const std::string& best = advice_.best().label;
    std::vector<std::pair<Contribution, std::string>> without;
    for (const PartKind kind : Candidates::kinds()) {
      Contribution one{.kind = kind,
                       .part = candidates_.part(best, kind),
                       .own = candidates_.part(candidates_.own(), kind),
                       .difference = {},
                       .why_not = {}};
      if (one.part == one.own || one.part.empty() || one.own.empty()) continue;
      const auto label = candidates_.with_part_of(best, candidates_.own(), kind);
      if (!label) one.why_not = "the two do not go together without other changes";
      without.emplace_back(std::move(one), label.value_or(""));
    }
    std::vector<std::string> labels;
    for (const auto& [one, label] : without) {
      if (!label.empty()) add(labels, label);
    }
    if (!labels.empty()) run(labels);
    for (auto& [one, label] : without) {
      if (!label.empty()) one.difference = difference(best, label);
      if (!label.empty() && one.difference.runs == 0) one.why_not = "the two cannot be run";
      advice_.parts.push_back(std::move(one));
    }
  }

  static void add(std::vector<std::string>& labels, const std::string& label) {
    if (std::ranges::find(labels, label) == labels.end()) labels.push_back(label);
  }
  void run(std::vector<std::string> labels) {
    std::erase(labels, candidates_.own());
    labels.insert(labels.begin(), candidates_.own());  // which a journal of this config always has
    trials_.carry_out(labels, fresh_seed_, options_.seeds);
  }

  [[nodiscard]] std::vector<double> values(const std::string& label,
                                           const std::string& figure) const {
    const std::size_t index = figure_index(figure);
    std::vector<double> all;
    for (const RunResult* const run : fresh_runs(label)) {
      all.push_back(run == nullptr ? NAN : run->figures[index]);
    }
    return all;
  }
  /// ours - times * theirs, pair by pair.
  [[nodiscard]] std::vector<double> contrast(const std::string& ours, const std::string& theirs,
                                             const std::string& figure, double times) const {
    std::vector<double> all = values(ours, figure);
    const std::vector<double> others = values(theirs, figure);
    for (std::size_t run = 0; run < all.size(); ++run) all[run] -= times * others[run];
    return all;
  }
  /// Of the aim's figure, share of the other's mean.
  [[nodiscard]] MeanInterval difference(const std::string& ours, const std::string& theirs) const {
    MeanInterval found = mean_interval(contrast(ours, theirs, options_.aim.figure, 1));
    const double whole = std::abs(mean_interval(values(theirs, options_.aim.figure)).mean);
    found.mean /= whole;
    found.half_width /= whole;
    return found;
  }

  [[nodiscard]] bool is_preset(const std::string& label) const {
    const std::vector<std::string>& presets = candidates_.presets_that_fit();
    return std::ranges::find(presets, label) != presets.end();
  }
  [[nodiscard]] Finalist measured(const std::string& label) const {
    std::vector<LimitVerdict> limits = verdicts(label);
    const Keeps keeps = worst_of(limits);
    return {.label = label,
            .aim = mean_interval(values(label, options_.aim.figure)),
            .beside = mean_interval(values(label, options_.beside.figure)),
            .difference = difference(label, candidates_.own()),
            .is_preset = is_preset(label),
            .limits = std::move(limits),
            .keeps = keeps};
  }

  [[nodiscard]] SeedRuns fresh_runs(const std::string& label) const {
    return trials_.find(label, fresh_seed_, options_.seeds);
  }
  [[nodiscard]] std::vector<LimitVerdict> verdicts(const std::string& label) const {
    std::vector<LimitVerdict> all;
    for (const Limit& limit : options_.limits) {
      const auto beyond = excesses(limit, fresh_runs(label), fresh_runs(limit.scheduler));
      all.push_back(verdict_on(beyond, limit.scheduler == label));
    }
    return all;
  }

  void mark_front(std::vector<Finalist>& all) const {
    const auto costs = [&](const Finalist& each) {
      return std::pair(options_.aim.cost(each.aim.mean), options_.beside.cost(each.beside.mean));
    };
    for (Finalist& each : all) {
      const auto [aim, beside] = costs(each);
      each.on_front = each.aim.runs > 0 && std::ranges::none_of(all, [&](const Finalist& other) {
                        const auto [theirs, beside_theirs] = costs(other);
                        return theirs <= aim && beside_theirs <= beside &&
                               (theirs < aim || beside_theirs < beside);
                      });
    }
  }

  void sort(std::vector<Finalist>& all) const {
    std::ranges::stable_sort(all, {}, [&](const Finalist& each) {
      return std::pair(each.keeps == Keeps::no, options_.aim.cost(each.aim.mean));
    });
  }

  /// For each label the side on which all of them together are decided, by Holm.
  [[nodiscard]] std::vector<int> decided(const std::vector<std::string>& labels,
                                         const std::string& reference) const {
    std::vector<double> p;
    std::vector<double> means;
    for (const std::string& label : labels) {
      const auto sample = sample_mean(contrast(label, reference, options_.aim.figure, 1));
      p.push_back(p_value(MeanTest::student, sample));
      means.push_back(sample.mean);
    }
    const std::vector<double> adjusted = adjusted_by_holm(p, p.size());
    std::vector<int> sides;
    for (std::size_t at = 0; at < labels.size(); ++at) {
      sides.push_back(adjusted[at] > level ? 0 : means[at] < 0 ? -1 : 1);
    }
    return sides;
  }

  void decide_against_own() {
    std::vector<std::string> labels;
    for (const Finalist& each : advice_.finalists) {
      if (each.label != advice_.own) labels.push_back(each.label);
    }
    const std::vector<int> sides = decided(labels, advice_.own);
    for (std::size_t at = 0; at < labels.size(); ++at) {
      std::ranges::find(advice_.finalists, labels[at], &Finalist::label)->decided = sides[at];
    }
  }

  void find_as_good() {
    std::vector<std::string> labels;
    for (const auto* group : {&advice_.finalists, &advice_.presets}) {
      for (const Finalist& each : *group) {
        if (each.label != advice_.best().label) labels.push_back(each.label);
      }
    }
    const std::vector<int> sides = decided(labels, advice_.best().label);
    for (std::size_t at = 0; at < labels.size(); ++at) {
      if (sides[at] == 0) advice_.as_good.push_back(labels[at]);
    }
  }

  Candidates& candidates_;
  Trials& trials_;
  AdviceOptions options_;
  Advice advice_;
  std::uint64_t fresh_seed_ = 0;
  std::set<std::string> tried_;
  std::vector<std::string> best_;
};

}  // namespace

Advice advise(Candidates& candidates, Trials& trials, const AdviceOptions& options) {
  return Advising(candidates, trials, options)();
}

}  // namespace somnus
