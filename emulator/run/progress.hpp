// The progress line of a run: percent, busy slots, active jobs, speed, lag, time left. On a
// terminal one line that is rewritten; elsewhere a line every ten seconds. Nothing before two
// seconds have passed.
#pragma once

#include <chrono>
#include <string>

#include "base/histogram.hpp"
#include "engine/engine.hpp"

namespace somnus {

class Progress {
 public:
  /// slots: of the cluster. until: where the run ends at the latest, or never.
  Progress(std::string title, std::uint64_t slots, Time until);
  ~Progress();
  /// Of a run that is resumed: what follows is measured from here.
  void go_on_from(Time now, const Engine& engine);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap; prints when it is time to.
  void look(Time now, const Engine& engine, const Histogram& lag) {
    if (++looks_ % 64 == 0) print_if_due(now, engine, lag);
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double done(Time now, const Engine& engine) const;
  void print_if_due(Time now, const Engine& engine, const Histogram& lag);

  std::string title_;
  std::uint64_t slots_;
  Time until_;
  bool terminal_;
  bool printed_ = false;
  std::uint64_t looks_ = 0;
  Time from_;               // where it began
  double done_before_ = 0;  // share
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_ = began_ + std::chrono::seconds(2);
};

}  // namespace somnus
