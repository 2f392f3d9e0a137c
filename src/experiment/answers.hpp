// What an experiment answers: who is better than the baseline, where along the axis that begins,
// and who is best where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "experiment/comparing.hpp"
#include "experiment/comparisons.hpp"
#include "metrics/figure.hpp"

namespace somnus {

/// Where a difference may pass a share of the baseline's mean.
struct Crossing {
  double low = 0;  // a 95 % interval
  double high = 0;
  std::vector<double> at;  // where the mean of these runs passes it
  bool is_decided =
      false;  // on one side it is decided that it is less, on the other that it is more
  bool from_first = false;  // the interval reaches the axis' first step: it may lie before
  bool to_last = false;
};

/// What the runs say along a panel's places of: is this one's mean less than, or more than,
/// 1 + share of the baseline's?
struct DifferenceClaim {
  std::size_t panel = 0;
  std::size_t name = 0;  // what is compared, of Comparing::names
  double share = 0;
  std::vector<const Comparison*> comparisons;  // by place; nullptr: none
  std::vector<Crossing> crossings;             // along a numeric axis, ascending

  [[nodiscard]] const Hypothesis* at(std::size_t place) const {
    return comparisons[place] == nullptr ? nullptr : &comparisons[place]->at(share);
  }
};

/// The best at a place: one, several that tie, or several that no decided difference tells apart.
struct Best {
  enum class Kind { one, tie, undecided, same };
  std::size_t panel = 0;
  std::size_t place = 0;
  Kind kind = Kind::undecided;
  std::vector<std::size_t> names;  // of what is compared; the best mean first, the others in order
};

struct FigureAnswer {
  std::size_t figure = 0;
  double margin = 0;
  Better better = Better::neither;
  Comparisons comparisons;
  std::vector<DifferenceClaim> claims;  // none without a baseline
  std::vector<Best> best;               // by panel and place; none where the claims say it
};

/// What counts as one observation, independent of the others.
enum class Replicate : std::uint8_t { run, batch };

struct Answers {
  Comparing comparing;
  MeanTest test = MeanTest::student;
  Replicate replicate = Replicate::run;
  std::vector<FigureAnswer> figures;  // the experiment's metrics
};

[[nodiscard]] Answers answers_of(const ExperimentPlan& plan, const Results& results,
                                 const Campaign& campaign);
/// Of one figure, while the experiment goes on.
[[nodiscard]] FigureAnswer answer_of(const Comparing& comparing, const PairedValues& values,
                                     std::size_t figure, double margin, MeanTest test);

/// Sentences: of each that is compared with the baseline, and who is best where.
[[nodiscard]] std::vector<std::string> answer_in_words(const Answers& answers,
                                                       const FigureAnswer& answer);

enum class Lines { dozen, all };
/// These sentences in lines of at most 80 columns; empty if nothing is compared.
[[nodiscard]] std::string answers_to_text(const Answers& answers, Lines lines);
[[nodiscard]] nlohmann::json answers_to_json(const Answers& answers, const ExperimentPlan& plan);

}  // namespace somnus
