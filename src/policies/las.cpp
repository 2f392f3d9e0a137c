#include "policies/las.hpp"

#include <algorithm>
#include <utility>

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> las =
    rows::order<Las>("las", "the least slot-time attained so far first, in queues",
                     "Tiresias 2019, section 3.2")
        .with_examples({{{"queues", 4.0}, {"threshold_s", 5.0}, {"factor", 2.0}}});

}  // namespace

bool Las::on(const Passed& passed) {
  while (wakes_at() <= passed.now) {
    const std::uint32_t index = leaves_.top().index;
    settle(index, passed.now);
    await(index);
  }
  for (const JobId job : std::exchange(moved_, {})) passed.moved(job);
  return false;
}

void Las::changed(const Unit& job) {
  if (job.index() >= jobs_.size()) jobs_.resize(std::size_t{job.index()} + 1);
  Attained& attained = jobs_[job.index()];
  if (attained.running == job.running()) return;
  settle(job.index(), job.now());
  attained.running = job.running();
  await(job.index());
}

void Las::settle(std::uint32_t index, Time now) {
  Attained& job = jobs_[index];
  job.service += Wide{(now - job.as_of).count()} * job.running;
  job.as_of = now;
  while (job.queue + 1 < queues && job.service >= end_of(job.queue)) {
    ++job.queue;
    moved_.emplace_back(index);
  }
}

void Las::await(std::uint32_t index) {
  const Attained& job = jobs_[index];
  leaves_.erase(index);
  if (job.running == 0 || job.queue + 1 >= queues) return;
  const Wide left = end_of(job.queue) - job.service;
  const Wide span = (left + job.running - 1) / job.running;
  if (span < (never - job.as_of).count()) {
    leaves_.put(index, job.as_of + Duration(static_cast<std::int64_t>(span)));
  }
}

Wide Las::end_of(std::uint32_t queue) const {
  constexpr Quad beyond_all = Quad{1e37};
  Quad end = exactly(seconds(threshold_s));
  for (std::uint32_t each = 0; each < queue && end < beyond_all; ++each) end *= Quad{factor};
  return static_cast<Wide>(std::min(end, beyond_all) + Quad{0.5});
}

}  // namespace somnus
