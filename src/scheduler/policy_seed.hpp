// The run's seed, as far as parts of a scheduler may use it: for streams of their own. The same
// seed draws when nodes fail and how wrong estimates are, so the number itself is hidden.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/random.hpp"

namespace somnus {

class PolicySeed {
 public:
  PolicySeed(std::uint64_t seed = 1) : seed_(seed) {}  // NOLINT(google-explicit-constructor)

  /// Of a job's manager: one a job, so that what one draws changes nothing for others.
  [[nodiscard]] RandomStream job_manager(JobId job) const {
    return {seed_, "job manager", job.value()};
  }
  /// Whether jobs are altruistic (carbyne.hpp).
  [[nodiscard]] RandomStream altruism() const { return {seed_, "altruism"}; }

 private:
  std::uint64_t seed_;
};

}  // namespace somnus
