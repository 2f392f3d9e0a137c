#include "session/progress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace somnus {

void Progress::go_on_from(Time now) {
  from_ = now;
  began_ = Clock::now();
}

std::string Progress::line(Time now, const Engine& engine, const Histogram& lag,
                           double done) const {
  const double passed_s = std::chrono::duration<double>(Clock::now() - began_).count();
  const std::uint64_t busy = engine.nodes().busy_slots();
  const std::string load = about_.slots > 0
                               ? fmt::format("{:.0f} % busy", 100 * static_cast<double>(busy) /
                                                                  static_cast<double>(about_.slots))
                               : fmt::format("{} tasks", busy);
  std::string left = about_.silence ? about_.silence() : "";
  if (left.empty()) {
    const double run_s = about_.speed > 0 ? in_seconds(now) / about_.speed : passed_s;
    const double left_s = time_left_s(run_s, done);
    left = std::isnan(left_s) ? "running" : fmt::format("{:.0f} s left", left_s);
  }
  return fmt::format("{}: {:.1f} %, {}; at {:.0f} s, speed {:.4g}; {}, {} jobs; lag p99 {:.2g} ms",
                     about_.title, 100 * std::fmax(done, 0), left, in_seconds(now),
                     in_seconds(now - from_) / passed_s, load, engine.jobs().active_jobs(),
                     1e3 * in_seconds(lag.quantile(0.99)));
}

}  // namespace somnus
