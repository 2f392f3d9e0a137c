#include "fluid/gps.hpp"

#include <algorithm>

namespace somnus {

bool Gps::later(const Active& a, const Active& b) {
  return a.finish > b.finish || (a.finish == b.finish && a.job > b.job);
}

Quad Gps::arrive(std::uint32_t job, Time now, Duration slot_time, double weight) {
  advance(now);
  const std::int64_t parts = billionths(weight);
  const Quad finish = virtual_time_ + per_weight(exactly(slot_time), static_cast<Quad>(parts));
  active_.push_back({finish, job, parts});
  std::push_heap(active_.begin(), active_.end(), later);
  weight_ += static_cast<Quad>(parts);
  return finish;
}

void Gps::leave_first() {
  std::pop_heap(active_.begin(), active_.end(), later);
  virtual_time_ = std::max(virtual_time_, active_.back().finish);
  weight_ -= static_cast<Quad>(active_.back().weight);
  active_.pop_back();
}

std::vector<double> gps_finish_times(double slots, std::span<const FluidJob> jobs) {
  std::vector<double> finish(jobs.size());
  const auto note = [&](const Gps::Departure& departure) {
    finish[departure.job] = departure.time;
  };
  Gps gps(slots);
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    const Time submit = at_seconds(jobs[job].submit);
    gps.advance(submit, note);
    gps.arrive(job, submit, seconds(jobs[job].slot_time), jobs[job].weight);
  }
  gps.drain(note);
  return finish;
}

}  // namespace somnus
