// Whether a candidate keeps a limit, by its runs.
//
// Of each run it counts how far it is beyond the limit: its figure less the bound, which is a
// number, or so many times what the scheduler of the limit has in the run of the same seed. A limit
// of each user counts that for each user by itself, over the seeds in which the user has jobs that
// have ended, under both.
//
// Two questions, each answered wrongly with a probability of at most 5 %:
//
// * Is it broken? If the mean is above 0, by Student's t test of pairs. Of many users one may seem
//   to be by chance, so their p values are adjusted by Holm.
// * Is it kept? If the mean is below 0, by the one-sided test, for every user. That needs no
//   adjustment: to be wrong, one must have erred about a user whose limit is broken, and each such
//   test errs with 5 % at most, however many others there are (intersection-union test, Berger
//   1982).
//
// Otherwise it is not decided, as with a user of fewer than two such seeds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "advice/aim.hpp"
#include "experiment/results.hpp"
#include "experiment/statistics.hpp"

namespace somnus {

/// By seed; nullptr: there is none.
using SeedRuns = std::vector<const RunResult*>;

/// Some runs beside a limit, by seed. NaN: there is no such pair.
struct Excess {
  std::vector<double> beyond;  // positive breaks the limit
  std::vector<double> bounds;

  [[nodiscard]] double mean_beyond() const;
};

/// By user; of a limit that is not of each user there is one, without a name. theirs: the runs of
/// the limit's scheduler, if it has one.
[[nodiscard]] std::map<std::string, Excess> excesses(const Limit& limit, const SeedRuns& ours,
                                                     const SeedRuns& theirs);

enum class Keeps : std::uint8_t { yes, no, undecided };

struct LimitVerdict {
  Keeps keeps = Keeps::undecided;
  std::string user;     // the worst off of all users with that verdict
  MeanInterval beyond;  // that user's, as a share of the bound; positive breaks the limit
};

/// is_itself: the runs are of the limit's scheduler.
[[nodiscard]] LimitVerdict verdict_on(const std::map<std::string, Excess>& excesses,
                                      bool is_itself);

/// Of all limits together.
[[nodiscard]] Keeps worst_of(const std::vector<LimitVerdict>& verdicts);

}  // namespace somnus
