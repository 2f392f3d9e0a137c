// A log beside a reference run of the same workload: who ended later there, who earlier.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "emulator/summary/deviation.hpp"
#include "record/log.hpp"

namespace somnus {

struct Against {
  std::string reference;  // the log's name
  Counting counting = Counting::jobs;
  double left_out = 0;       // jobs that did not finish in both, or took no time in the reference
  double cut_otherwise = 0;  // jobs compared that have another number of tasks in the reference
  Deviation jobs;            // as `counting` says
  Deviation users;           // of their mean response times, each user counted once (Figure 7)
};

/// A user's jobs that were compared.
struct UserAgainst {
  double response_change = NAN;  // (mean response time - the reference's) / the reference's
  Deviation jobs;                // each counted once
};

struct Comparison {
  Against all;
  std::unordered_map<std::string, UserAgainst> users;  // by name
};

/// What a comparison needs of a log's jobs.
struct JobEnd {
  std::string job;
  std::string user;
  double submit = NAN;    // since the first submit of the run
  double finish = NAN;    // so, too; NaN: did not finish
  double response = NAN;  // time
  std::uint32_t tasks = 0;
};

class Reference {
 public:
  /// Mistakes: two jobs of one name.
  [[nodiscard]] static Checked<Reference> of(const Log& log, std::string path);

  /// Jobs are matched by name. Mistakes, which name `path`: the log has other jobs than the
  /// reference, or they have other users or other submits since the first.
  [[nodiscard]] Checked<Comparison> compare(const Log& log, const std::string& path,
                                            Counting counting) const;

 private:
  Reference(std::string path, std::vector<JobEnd> jobs);

  std::string path_;
  std::vector<JobEnd> jobs_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace somnus
