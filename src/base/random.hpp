// Named random streams: one per purpose, so that a new draw for one purpose leaves all others as
// they were. Distributions come from Boost.Random (std:: distributions differ between libraries).
#pragma once

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <pcg_random.hpp>
#include <string_view>

namespace somnus {

class RandomStream {
 public:
  /// The stream `name` (e.g. "estimate", "heartbeat phase") of the run with that seed; `index`
  /// distinguishes streams of one purpose (a node, a job).
  RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0);

  /// In [0, 1).
  [[nodiscard]] double uniform() { return boost::random::uniform_01<double>()(engine_); }
  /// In [low, high).
  [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// In {low, ..., high}.
  [[nodiscard]] std::int64_t integer(std::int64_t low, std::int64_t high) {
    return boost::random::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  [[nodiscard]] double exponential(double mean) {
    return boost::random::exponential_distribution<double>(1 / mean)(engine_);
  }
  /// For any other Boost.Random distribution.
  [[nodiscard]] pcg64& engine() { return engine_; }

 private:
  pcg64 engine_;
};

}  // namespace somnus
