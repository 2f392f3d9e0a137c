#include "policies/quotas.hpp"

#include <algorithm>

namespace somnus {
namespace {

// A resource with less of it left is used up: far above what sums of quadruples are off.
constexpr Quad nothing_left = 1e-24;

}  // namespace

void Quotas::job_arrived(JobId id, JobsView jobs) {
  const Job& job = jobs[id];
  if (id.index() >= jobs_.size()) jobs_.resize(id.index() + 1);
  Entitled& one = jobs_[id.index()];
  one = {.active = true, .pace = {}, .level = 0, .quota = std::vector<Wide>(dimensions_.count())};
  Quad largest = 0;
  for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
    Wide sum = 0;
    for (std::uint32_t at = 0; at < job.stages; ++at) {
      const StageId stage(job.first_stage.value() + at);
      sum += Wide{dimensions_.asked(kind, stage, jobs)} * jobs[stage].tasks;
    }
    const auto total = static_cast<Quad>(dimensions_.total(kind));
    one.pace.push_back(sum > 0 ? static_cast<Quad>(sum) / total / job.tasks : Quad{0});
    largest = std::max(largest, one.pace.back());
  }
  const Quad weight = static_cast<Quad>(billionths(job.weight)) / billion;
  for (Quad& pace : one.pace) pace = largest > 0 ? pace / largest * weight : Quad{0};
  active_.push_back(id);
  known_ = false;
}

void Quotas::job_ended(JobId job) {
  jobs_[job.index()].active = false;
  std::erase(active_, job);
  known_ = false;
}

void Quotas::refresh() {
  if (known_) return;
  known_ = true;
  const std::size_t kinds = dimensions_.count();
  std::vector<Quad> left(kinds, 1);
  std::vector<JobId> growing;
  for (const JobId job : active_) {
    Entitled& one = jobs_[job.index()];
    one.level = 0;
    if (std::ranges::any_of(one.pace, [](Quad pace) { return pace > 0; })) growing.push_back(job);
  }
  while (!growing.empty()) {
    std::vector<Quad> rate(kinds);
    for (const JobId job : growing) {
      for (std::size_t kind = 0; kind < kinds; ++kind) rate[kind] += jobs_[job.index()].pace[kind];
    }
    Quad step = -1;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      if (rate[kind] > 0 && (step < 0 || left[kind] / rate[kind] < step)) {
        step = left[kind] / rate[kind];
      }
    }
    for (const JobId job : growing) jobs_[job.index()].level += step;
    for (std::size_t kind = 0; kind < kinds; ++kind) left[kind] -= rate[kind] * step;
    std::erase_if(growing, [&](JobId job) {
      const std::vector<Quad>& pace = jobs_[job.index()].pace;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (pace[kind] > 0 && left[kind] < nothing_left) return true;
      }
      return false;
    });
  }
  for (const JobId job : active_) round_down(jobs_[job.index()]);
}

// Demands are whole units, so what a job may hold are whole units too: as many as there would be
// without rounding.
void Quotas::round_down(Entitled& one) const {
  constexpr Quad rounding = 1e-9;
  for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
    const auto total = static_cast<Quad>(dimensions_.total(kind));
    one.quota[kind] = static_cast<Wide>(one.level * one.pace[kind] * total + rounding);
  }
}

double Quotas::level(JobId job) {
  refresh();
  return static_cast<double>(jobs_[job.index()].level);
}

Wide Quotas::of(JobId job, std::size_t kind) {
  refresh();
  return jobs_[job.index()].quota[kind];
}

bool Quotas::allow(StageId stage, JobsView jobs) {
  refresh();
  const JobId job = jobs.job_of(stage);
  if (jobs.running(job) == 0) return true;
  const Entitled& one = jobs_[job.index()];
  for (std::size_t kind = 0; kind < dimensions_.count(); ++kind) {
    const Wide use = dimensions_.held(kind, job, jobs) + dimensions_.asked(kind, stage, jobs);
    if (use > one.quota[kind]) return false;
  }
  return true;
}

}  // namespace somnus
