// The jobs' own managers (YARN's application masters): each learns of the scheduler's decisions at
// its own heartbeats, from a random phase after its job's arrival, and then takes a while until a
// task is ready at its node (policies.md 4.1).
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "queueing/rules.hpp"

namespace somnus {

class JobManagers {
 public:
  JobManagers(const JobManagerRules& rules, std::uint64_t seed, std::size_t jobs)
      : rules_(rules), poll_(seconds(rules.poll_s)), launch_(seconds(rules.launch_s)), seed_(seed) {
    if (poll_ > Duration::zero()) phases_.resize(jobs);
  }

  void job_arrived(Time now, JobId job) {
    if (poll_ == Duration::zero()) return;
    RandomStream draw(seed_, "job manager's phase", job.value());
    phases_[job.index()] =
        (now - start_of_time) % poll_ + seconds(draw.uniform(0, in_seconds(poll_)));
  }

  /// When that attempt of the job's task, placed then, leaves for its node, ready to start there.
  [[nodiscard]] Time leaves(JobId job, TaskId task, std::uint16_t attempt, Time placed) const {
    return heard(job, placed) + launching(task, attempt);
  }

 private:
  // Its first heartbeat from then on.
  [[nodiscard]] Time heard(JobId job, Time placed) const {
    if (poll_ == Duration::zero()) return placed;
    const Duration since = (placed - start_of_time) - phases_[job.index()];
    const Duration early = (since % poll_ + poll_) % poll_;
    return early == Duration::zero() ? placed : placed + (poll_ - early);
  }

  // A draw for each attempt, whichever policy places it: schedulers are compared under the same
  // draws.
  [[nodiscard]] Duration launching(TaskId task, std::uint16_t attempt) const {
    return rules_.launch == LaunchModel::constant ? launch_ : drawn(task, attempt);
  }
  [[nodiscard, gnu::noinline]] Duration drawn(TaskId task, std::uint16_t attempt) const {
    RandomStream draw(seed_, "launch", (std::uint64_t{task.value()} << 16) | attempt);
    return seconds(draw.exponential(rules_.launch_s));
  }

  JobManagerRules rules_;
  Duration poll_;
  Duration launch_;
  std::uint64_t seed_;
  std::vector<Duration> phases_;  // by job
};

}  // namespace somnus
