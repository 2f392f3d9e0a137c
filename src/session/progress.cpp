#include "session/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace somnus {

Progress::Progress(std::string title, std::uint64_t slots, Time until)
    : title_(std::move(title)), slots_(slots), until_(until) {}

void Progress::go_on_from(Time now, const Engine& engine) {
  from_ = now;
  done_before_ = done(now, engine);
  began_ = Clock::now();
}

double Progress::done(Time now, const Engine& engine) const {
  const JobTable& jobs = engine.jobs();
  const double of_jobs =
      static_cast<double>(jobs.ended_jobs()) /
      static_cast<double>(std::max<std::size_t>(1, jobs.catalogue().jobs.size()));
  const double of_time = until_ == never ? 0 : in_seconds(now) / in_seconds(until_);
  return std::clamp(std::max(of_jobs, of_time), 1e-6, 1.0);
}

std::string Progress::line(Time now, const Engine& engine, const Histogram& lag) const {
  const double passed_s = std::chrono::duration<double>(Clock::now() - began_).count();
  const double done_now = done(now, engine);
  const double done_here = std::max(done_now - done_before_, 1e-6);
  const std::uint64_t busy = engine.nodes().busy_slots();
  const std::string load = slots_ > 0
                               ? fmt::format("{:.0f} % busy", 100 * static_cast<double>(busy) /
                                                                  static_cast<double>(slots_))
                               : fmt::format("{} tasks", busy);
  return fmt::format(
      "{}: {:.1f} %, {:.0f} s left; at {:.0f} s, speed {:.4g}; {}, {} jobs; lag p99 {:.2g} ms",
      title_, 100 * done_now, passed_s * (1 - done_now) / done_here, in_seconds(now),
      in_seconds(now - from_) / passed_s, load, engine.jobs().active_jobs(),
      1e3 * in_seconds(lag.quantile(0.99)));
}

}  // namespace somnus
