// The progress line of a run: percent, busy slots, active jobs, speed, lag, time left.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>

#include "base/histogram.hpp"
#include "log/run_state.hpp"
#include "print/status_line.hpp"
#include "scheduler/engine.hpp"

namespace somnus {

class Progress {
 public:
  struct About {
    std::string title;
    std::uint64_t slots = 0;               // of the cluster
    double until_s = 0;                    // where the run ends at the latest; 0: nowhere
    double speed = 0;                      // of a run; 0: a simulation
    std::function<std::string()> silence;  // which rank is silent; may be empty
  };
  explicit Progress(About about) : about_(std::move(about)) {}
  /// Of a run that is resumed: its speed is measured from here.
  void go_on_from(Time now);

  /// Cheap; prints when it is time to. finished_s: as of share_done().
  void look(Time now, const Engine& engine, const Histogram& lag, std::span<const JobRow> jobs,
            std::span<const double> finished_s) {
    if (++looks_ < most_looks) return;
    looks_ = 0;
    line_.look([&] {
      return line(now, engine, lag, share_done(jobs, finished_s, in_seconds(now), about_.until_s));
    });
  }
  /// The next look prints, if it is time to: where little happens, looks are rare.
  void expect_look() { looks_ = most_looks; }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string line(Time now, const Engine& engine, const Histogram& lag,
                                 double done) const;

  About about_;
  StatusLine line_;
  static constexpr int most_looks = 64;  // between two at the time
  int looks_ = 0;
  Time from_;  // where it began
  Clock::time_point began_ = Clock::now();
};

}  // namespace somnus
