// The run's seed, as far as parts of a scheduler may use it: for streams of their own. The same
// seed draws when nodes fail and how wrong estimates are, so the number itself is hidden.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

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
  /// For what a part draws whose streams are not named here.
  [[nodiscard]] RandomStream of_part(std::string_view name) const {
    return {seed_, "part " + std::string(name)};
  }
  /// For what a process of somebody else draws: a whole number that JSON and a double hold.
  [[nodiscard]] std::uint64_t external() const {
    constexpr std::int64_t last_exact = std::int64_t{1} << 53;
    return static_cast<std::uint64_t>(RandomStream(seed_, "external").integer(0, last_exact));
  }
  /// Whether jobs are altruistic (carbyne.hpp).
  [[nodiscard]] RandomStream altruism() const { return {seed_, "altruism"}; }

 private:
  std::uint64_t seed_;
};

}  // namespace somnus
