#include "policies/job_packing.hpp"

#include <algorithm>

namespace somnus {
namespace {

constexpr std::uint32_t ended = ~std::uint32_t{0};

}  // namespace

JobPacking::JobPacking(const Cluster& cluster)
    : dimensions_(cluster), packer_(dimensions_.totals()), space_(dimensions_.totals()) {}

void JobPacking::of(JobId id, JobsView jobs, Time now, std::span<const Wide> quota,
                    std::span<const RunningTasks> running) {
  jobs_ = jobs;
  now_ = now;
  quota_ = quota;
  running_ = running;
  const Job& job = jobs[id];
  const std::uint32_t first = job.first_stage.value();
  stages_.clear();
  edges_.clear();
  bundle_.assign(job.stages, ended);
  for (std::uint32_t place = first; place < first + job.stages; ++place) {
    const StageId stage = jobs.stage_at(place);
    if (jobs.unfinished(stage) == 0) continue;
    bundle_[stage.value() - first] = static_cast<std::uint32_t>(stages_.size());
    stages_.push_back(stage);
  }
  for (const StageId stage : stages_) {
    for (const StageId child : jobs.children_of(stage)) {
      const std::uint32_t after = bundle_[child.value() - first];
      if (after == ended) continue;  // given up, as its job has failed
      edges_.push_back({bundle_[stage.value() - first], after});
    }
  }
}

// The space must be empty.
void JobPacking::bundle(StageId stage) {
  const std::uint32_t tasks = unstarted(stage);
  const DemandSpan demand = dimensions_.demand(stage, *jobs_);
  const std::uint32_t in_a_wave = std::max(space_.room(0, Duration::max(), demand, tasks), 1U);
  const std::uint32_t in_a_row = std::max(tasks / in_a_wave / most_waves, 1U);
  bundles_.push_back({.tasks = (tasks + in_a_row - 1) / in_a_row,
                      .duration = jobs_->task_estimate(stage) * in_a_row,
                      .demand = demand});
  in_a_row_.push_back(in_a_row);
}

// Times are from now on, or before the end.
void JobPacking::prepare(Direction direction, Time end) {
  space_.clear(quota_);
  bundles_.clear();
  in_a_row_.clear();
  for (const StageId stage : stages_) bundle(stage);
  const std::uint32_t first = (*jobs_)[jobs_->job_of(stages_.front())].first_stage.value();
  for (const RunningTasks& some : running_) {
    const Time until = std::max(some.end, now_);
    if (direction == Direction::forward) {
      space_.take(Duration::zero(), until - now_, dimensions_.demand(some.stage, *jobs_),
                  some.tasks);
      Duration& busy = bundles_[bundle_[some.stage.value() - first]].busy_until;
      busy = std::max(busy, until - now_);
    } else {
      space_.take(end - until, end - now_, dimensions_.demand(some.stage, *jobs_), some.tasks);
    }
  }
}

void JobPacking::unroll(const PackedStart& start, Time begin,
                        std::vector<LatestStart>& starts) const {
  const StageId stage = stages_[start.bundle];
  for (std::uint32_t task = 0; task < in_a_row_[start.bundle]; ++task) {
    starts.push_back({begin + jobs_->task_estimate(stage) * task, stage, start.tasks});
  }
}

void JobPacking::trim(std::vector<LatestStart>& starts, Direction direction) const {
  const auto trim_in = [&](auto from, auto to) {
    for (std::size_t at = 0; at < stages_.size(); ++at) {
      std::uint32_t spare = bundles_[at].tasks * in_a_row_[at] - unstarted(stages_[at]);
      for (auto start = from; spare > 0 && start != to; ++start) {
        if (start->stage != stages_[at]) continue;
        const std::uint32_t left_out = std::min(spare, start->tasks);
        start->tasks -= left_out;
        spare -= left_out;
      }
    }
  };
  if (direction == Direction::forward) {
    trim_in(starts.rbegin(), starts.rend());
  } else {
    trim_in(starts.begin(), starts.end());
  }
  std::erase_if(starts, [](const LatestStart& start) { return start.tasks == 0; });
}

Time JobPacking::forward_end() {
  if (stages_.empty()) return now_;
  prepare(Direction::forward, now_);
  (void)packer_.pack(space_, bundles_, edges_, Duration::zero());
  return now_ + packer_.end();
}

std::vector<LatestStart> JobPacking::starts_now() {
  prepare(Direction::forward, now_);
  std::vector<std::uint32_t> tasks(stages_.size());
  for (const PackedStart& start :
       packer_.pack(space_, bundles_, edges_, Duration::zero(), Duration::zero())) {
    tasks[start.bundle] += start.tasks;
  }
  std::vector<LatestStart> starts;
  for (std::size_t at = 0; at < tasks.size(); ++at) {
    if (tasks[at] > 0) starts.push_back({.at = now_, .stage = stages_[at], .tasks = tasks[at]});
  }
  return starts;
}

std::vector<LatestStart> JobPacking::forward_starts() {
  prepare(Direction::forward, now_);
  std::vector<LatestStart> starts;
  for (const PackedStart& start : packer_.pack(space_, bundles_, edges_, Duration::zero())) {
    unroll(start, now_ + start.begin, starts);
  }
  std::ranges::stable_sort(starts, {}, &LatestStart::at);
  trim(starts, Direction::forward);
  return starts;
}

std::optional<std::vector<LatestStart>> JobPacking::latest_starts(Time end) {
  if (end < now_) return std::nullopt;
  for (const RunningTasks& some : running_) {
    if (some.end > end) return std::nullopt;
  }
  prepare(Direction::backward, end);
  turned_.clear();
  for (const Edge& edge : edges_) turned_.push_back({edge.after, edge.before});
  const std::span<const PackedStart> packed =
      packer_.pack(space_, bundles_, turned_, Duration::zero());
  if (packer_.end() > end - now_) return std::nullopt;
  std::vector<LatestStart> starts;
  std::vector<Time> earliest(stages_.size(), never);
  for (const PackedStart& start : packed) {
    const Time at = end - start.begin - bundles_[start.bundle].duration;
    unroll(start, at, starts);
    earliest[start.bundle] = std::min(earliest[start.bundle], at);
  }
  std::vector<Time> busy(stages_.size(), Time::min());
  const std::uint32_t first = (*jobs_)[jobs_->job_of(stages_.front())].first_stage.value();
  for (const RunningTasks& some : running_) {
    Time& until = busy[bundle_[some.stage.value() - first]];
    until = std::max({until, some.end, now_});
  }
  for (const Edge& edge : edges_) {
    if (earliest[edge.after] < busy[edge.before]) return std::nullopt;
  }
  std::ranges::stable_sort(starts, {}, &LatestStart::at);
  trim(starts, Direction::backward);
  return starts;
}

}  // namespace somnus
