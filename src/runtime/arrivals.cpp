#include "runtime/arrivals.hpp"

namespace somnus {

Arrivals::Arrivals(const Catalogue& catalogue) : catalogue_(catalogue) {
  for (std::size_t at = 0; at < catalogue.jobs.size(); ++at) {
    const JobId after = catalogue.jobs[at].after;
    if (after.valid()) followers_[after].emplace_back(at);
  }
  skip_followers();
}

void Arrivals::skip_followers() {
  while (next_open_ < catalogue_.jobs.size() && catalogue_.jobs[next_open_].after.valid()) {
    ++next_open_;
  }
}

Arrivals::Arrival Arrivals::pop() {
  const bool follower_first =
      !coming_.empty() && (next_open_ >= catalogue_.jobs.size() ||
                           Arrival{next_open(), JobId(next_open_)} > coming_.top());
  if (follower_first) {
    const Arrival first = coming_.top();
    coming_.pop();
    return first;
  }
  const Arrival first{next_open(), JobId(next_open_++)};
  skip_followers();
  return first;
}

void Arrivals::job_ended(Time now, JobId job) {
  const auto found = followers_.find(job);
  if (found == followers_.end()) return;
  for (const JobId follower : found->second) {
    const Job& facts = catalogue_[follower];
    coming_.push({std::max(facts.submit, now + facts.think), follower});
  }
  followers_.erase(found);
}

}  // namespace somnus
