// The progress line of a run: percent, busy slots, active jobs, speed, lag, time left.
#pragma once

#include <chrono>
#include <string>

#include "base/histogram.hpp"
#include "print/status_line.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

class Progress {
 public:
  /// slots: of the cluster. until: where the run ends at the latest, or never.
  Progress(std::string title, std::uint64_t slots, Time until);
  /// Of a run that is resumed: what follows is measured from here.
  void go_on_from(Time now, const Engine& engine);

  /// Cheap; prints when it is time to.
  void look(Time now, const Engine& engine, const Histogram& lag) {
    if (++looks_ % 64 == 0) line_.look([&] { return line(now, engine, lag); });
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double done(Time now, const Engine& engine) const;
  [[nodiscard]] std::string line(Time now, const Engine& engine, const Histogram& lag) const;

  std::string title_;
  std::uint64_t slots_;
  Time until_;
  StatusLine line_;
  std::uint64_t looks_ = 0;
  Time from_;               // where it began
  double done_before_ = 0;  // share
  Clock::time_point began_ = Clock::now();
};

}  // namespace somnus
