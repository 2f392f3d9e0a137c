#include "fluid/gps.hpp"

#include <algorithm>
#include <limits>

namespace somnus {

bool Gps::later(const Active& a, const Active& b) {
  return a.finish > b.finish || (a.finish == b.finish && a.job > b.job);
}

double Gps::arrive(std::uint32_t job, double now, double slot_time, double weight) {
  if (now > time_) advance(now);
  const double finish = virtual_time_ + slot_time / weight;
  active_.push_back({finish, job, weight});
  std::push_heap(active_.begin(), active_.end(), later);
  weight_ += weight;
  return finish;
}

double Gps::leave_first(double when) {
  std::pop_heap(active_.begin(), active_.end(), later);
  virtual_time_ = active_.back().finish;
  weight_ -= active_.back().weight;
  active_.pop_back();
  if (active_.empty()) weight_ = 0;  // the sum of many weights may leave dust
  time_ = when;
  return when;
}

std::vector<double> gps_finish_times(double slots, std::span<const FluidJob> jobs) {
  std::vector<double> finish(jobs.size());
  const auto note = [&](const Gps::Departure& departure) {
    finish[departure.job] = departure.time;
  };
  Gps gps(slots);
  for (std::uint32_t job = 0; job < jobs.size(); ++job) {
    gps.advance(jobs[job].submit, note);
    gps.arrive(job, jobs[job].submit, jobs[job].slot_time, jobs[job].weight);
  }
  gps.advance(std::numeric_limits<double>::infinity(), note);
  return finish;
}

}  // namespace somnus
