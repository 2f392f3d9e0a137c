// Successive halving: all candidates run with a few seeds, the better half goes on with twice as
// many, until a few are left (Karnin et al. 2013; Jamieson and Talwalkar 2016). All run the same
// workloads, those of the same seeds, so what makes a seed hard is no candidate's fault.
//
// Means alone decide who goes on. What is said of those who are left is measured afterwards, with
// seeds that the race has not seen.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "advice/aim.hpp"
#include "advice/candidates.hpp"
#include "advice/trials.hpp"

namespace somnus {

struct RaceRules {
  Aim aim;
  std::vector<Limit> limits;
  std::uint64_t first_seed = 1;
  std::size_t first_seeds = 4;
  std::size_t most_seeds = 32;  // of a race
  std::size_t finalists = 5;
};

class Race {
 public:
  Race(Candidates& candidates, Trials& trials, RaceRules rules);

  /// The best of them, best first; at most `finalists`. Those that decide as one before them in
  /// all runs leave the race to that one.
  [[nodiscard]] std::vector<std::string> best_of(std::vector<std::string> labels);

  /// By who left the race: who is alike.
  [[nodiscard]] const std::map<std::string, std::string>& alike() const { return alike_; }
  /// Who finishes fewer jobs than the config's own scheduler, by a paired t test over the seeds:
  /// means over jobs that have ended would flatter them.
  [[nodiscard]] const std::map<std::string, std::string>& left_jobs() const { return left_jobs_; }

 private:
  void carry_out(const std::vector<std::string>& labels, std::size_t seeds);
  void drop_unfit(std::vector<std::string>& labels, std::size_t seeds);
  void drop_alike(std::vector<std::string>& labels, std::size_t seeds);
  /// Those that keep the limits before the others, and the better first.
  void sort(std::vector<std::string>& labels, std::size_t seeds) const;
  [[nodiscard]] double mean(const std::string& label, const std::string& figure,
                            std::size_t seeds) const;
  [[nodiscard]] bool keeps_limits(const std::string& label, std::size_t seeds) const;

  Candidates& candidates_;
  Trials& trials_;
  RaceRules rules_;
  std::vector<std::string> always_;  // run beside all others, for comparison
  std::map<std::string, std::string> alike_;
  std::map<std::string, std::string> left_jobs_;
};

}  // namespace somnus
