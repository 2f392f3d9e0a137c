// Which scheduler for this config? Compositions race by successive halving; from the best, the
// search goes on among those that differ from them in one part, until none of these is better. What
// is said of the best is measured with seeds that the search has not seen, so its luck is not in
// it.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "advice/aim.hpp"
#include "advice/candidates.hpp"
#include "advice/limits.hpp"
#include "advice/race.hpp"
#include "advice/trials.hpp"
#include "experiment/statistics.hpp"

namespace somnus {

struct AdviceOptions {
  Aim aim;
  Aim beside;
  std::vector<Limit> limits;
  std::uint64_t first_seed = 1;
  std::size_t seeds = 20;  // fresh ones, of what is said in the end
  std::size_t finalists = 5;
};

/// One candidate, with the fresh seeds.
struct Finalist {
  std::string label;
  MeanInterval aim;
  MeanInterval beside;
  MeanInterval difference;  // of the aim to the config's own, share of that one's mean
  int decided = 0;          // by Holm over the finalists: -1 less, 1 more than the config's own
  bool is_preset = false;
  bool on_front = false;             // none of those shown is better in both figures
  std::vector<LimitVerdict> limits;  // in the order of the options
  Keeps keeps = Keeps::yes;          // all of them
};

/// What one part of the best brings: beside the same with the config's own part.
struct Contribution {
  PartKind kind = PartKind::order;
  std::string part;
  std::string own;          // the config's
  MeanInterval difference;  // share of the mean with the config's own
  std::string why_not;      // the two do not fit without each other
};

struct Advice {
  AdviceOptions options;
  std::string own;
  std::vector<Finalist> finalists;   // the config's own among them; the best first
  std::vector<std::string> as_good;  // may be as good as the best: no difference is decided
  std::vector<Finalist> presets;     // the other presets that fit, by the aim's mean
  std::vector<Contribution> parts;
  std::size_t tried = 0;  // candidates
  std::size_t runs = 0;
  std::map<std::string, std::string> left_out;  // by label, why
  std::map<std::string, std::string> alike;     // label -> the label that decides the same

  [[nodiscard]] const Finalist& best() const { return finalists.front(); }
};

/// Throws UserError: nothing is drawn at random, a limit names no scheduler that fits, or is of
/// each user where there is one; StoppedEarly.
[[nodiscard]] Advice advise(Candidates& candidates, Trials& trials, const AdviceOptions& options);

[[nodiscard]] std::string advice_to_text(const Advice& advice);
[[nodiscard]] nlohmann::json advice_to_json(const Advice& advice);

}  // namespace somnus
