// Conservative backfilling beside its rules word by word (policies.md 9.3): in each round each
// reservation is taken out and made anew, and the profile is counted from what is held.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/simulated.hpp"
#include "scheduler/backfill_units.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

class WordByWord final : public Backfill {
 public:
  void round_begins(Time now, const SchedulerView& view) override {
    now_ = now;
    news_.clear();
    const std::int64_t slots = static_cast<std::int64_t>(view.nodes.free_slots()) + held();
    const auto is_late = [&](const auto& one) { return one.second.begin < now; };
    if (slots < slots_ || std::ranges::any_of(reserved_, is_late)) give_up_all();
    slots_ = slots;
  }
  bool may_start(StageId stage, const SchedulerView& view) override {
    const bool had_one = reserved_.erase(stage) > 0;
    const Time start = earliest(stage, view);
    if (start == now_) return true;
    if (had_one) reserve(stage, start, view);
    return false;
  }
  bool passes_over(StageId stage, const SchedulerView& view) override {
    if (!reserved_.contains(stage)) reserve(stage, earliest(stage, view), view);
    return true;
  }
  void launched(StageId stage, std::uint32_t tasks, const SchedulerView& view) override {
    const JobId job = view.jobs.job_of(stage);
    Held& held = jobs_[job];
    if (begins_with(tasks, job, view)) held.end = now_ + time_limit(job, view);
    if (held.slots == 0) held.end = std::max(held.end, now_ + Duration(1));
    held.slots += tasks;
    said_.erase(stage);
  }
  void task_ended(const TaskEnded&, StageId stage, const SchedulerView& view) override {
    --jobs_[view.jobs.job_of(stage)].slots;
  }
  void stage_runnable(StageId, const SchedulerView&) override {}
  void stage_withdrawn(StageId stage, const SchedulerView&) override {
    reserved_.erase(stage);
    said_.erase(stage);
  }
  void round_ends() override {
    for (const auto& [start, stage] : given_up_) {
      if (said_.contains(stage) && !reserved_.contains(stage)) say(stage, never);
    }
    given_up_.clear();
  }
  std::span<const Reservation> reservations() const override { return news_; }

 private:
  struct Held {
    Time begin = Time::min();
    Time end;
    std::int64_t slots = 0;
  };

  std::int64_t held() const {
    std::int64_t slots = 0;
    for (const auto& [job, held] : jobs_) slots += held.slots;
    return slots;
  }
  std::int64_t free(Time moment) const {
    std::int64_t slots = slots_;
    const auto count = [&](const auto& all) {
      for (const auto& [of, held] : all) {
        if (held.begin <= moment && held.end > moment) slots -= held.slots;
      }
    };
    count(jobs_);
    count(reserved_);
    return slots;
  }
  Time end(StageId stage, Time start, const SchedulerView& view) {
    const JobId job = view.jobs.job_of(stage);
    if (!has_begun(job, view)) return start + time_limit(job, view);
    return std::max(jobs_[job].end, start + Duration(1));
  }
  Time earliest(StageId stage, const SchedulerView& view) {
    std::set<Time> changes = {now_};
    const auto note = [&](const auto& all) {
      for (const auto& [of, held] : all) {
        if (held.slots > 0) changes.insert({std::max(held.begin, now_), std::max(held.end, now_)});
      }
    };
    note(jobs_);
    note(reserved_);
    const std::int64_t slots = unit_width(stage, view);
    for (auto start = changes.begin(); start != changes.end(); ++start) {
      auto at = start;
      const Time until = end(stage, *start, view);
      while (at != changes.end() && *at < until && free(*at) >= slots) ++at;
      if (at == changes.end() || *at >= until) return *start;
    }
    return never;
  }
  void reserve(StageId stage, Time start, const SchedulerView& view) {
    say(stage, start);
    if (start == never) return;
    reserved_[stage] = {start, end(stage, start, view), unit_width(stage, view)};
  }
  void give_up_all() {
    for (const auto& [stage, held] : reserved_) given_up_.emplace(held.begin, stage);
    reserved_.clear();
  }
  void say(StageId stage, Time start) {
    const auto [known, is_new] = said_.try_emplace(stage, never);
    if (known->second == start) return;
    known->second = start;
    news_.push_back({.stage = stage, .start = start == never ? infinity : in_seconds(start)});
  }

  Time now_;
  std::int64_t slots_ = 0;
  std::map<JobId, Held> jobs_;
  std::map<StageId, Held> reserved_;
  std::set<std::pair<Time, StageId>> given_up_;
  std::map<StageId, Time> said_;
  std::vector<Reservation> news_;
};

struct Rules {
  static constexpr BackfillTraits traits{.needs_limits = true};
  static constexpr auto fields() { return in_order(); }
  [[nodiscard]] static std::unique_ptr<Backfill> made(const Environment&) {
    return std::make_unique<WordByWord>();
  }
};
const Registered<Part> word_by_word =
    rows::backfill<Rules>("word-by-word", "conservative, by its rules", "policies.md 9.3");

int up_to(int most) { return *rc::gen::inRange(0, most + 1); }

/// Graphs of gangs and other stages, jobs beyond their limits, times of which many are equal.
Workload some_jobs() {
  WorkloadSpec spec{.name = "drawn"};
  double submit = 0;
  const int jobs = 3 + up_to(40);
  for (int at = 0; at < jobs; ++at) {
    JobSpec& job = spec.jobs.emplace_back();
    job.job = fmt::format("j{}", at);
    job.user = up_to(1) == 0 ? "a" : "b";
    job.submit = submit += up_to(4) / 4.0;
    job.limit = std::vector{2.0, 5.0, 20.0}[static_cast<std::size_t>(up_to(2))];
    const auto stages = static_cast<std::uint32_t>(1 + std::max(0, up_to(4) - 2));
    for (std::uint32_t stage = 0; stage < stages; ++stage) {
      StageSpec& one = job.stages.emplace_back();
      one.stage = stage;
      one.gang = up_to(4) > 1;
      if (stage > 0 && up_to(2) > 0) one.parents = {stage - 1};
      const int tasks = 1 + up_to(7);
      for (int task = 0; task < tasks; ++task) one.durations.push_back(up_to(6) / 2.0);
      if (tasks == 1) one.gang = false;
    }
  }
  return assemble(spec, 8);
}

std::string conditions() {
  std::string more = fmt::format("[run]\nseed = {}\n", up_to(10'000));
  if (up_to(1) == 0) more += "[network]\ndelay_ms = 50\njitter = 0.5\n";
  if (up_to(1) == 0) more += "[limits]\ngrace_s = 0.5\n";
  const int fault = up_to(3);
  if (fault == 1) more += "[faults]\nnode_mtbf_s = 30\nnode_repair_s = 3\n";
  if (fault == 2) more += "[faults]\ntask_failure_probability = 0.1\n";
  return more;
}

/// Decisions of that kind, and when each was made.
template <class Kind>
std::vector<std::pair<double, Kind>> all_of(const Log& log) {
  std::vector<std::pair<double, Kind>> all;
  for (const Stamped<Kind>& one : log.decisions.get<Stamped<Kind>>())
    all.emplace_back(one.time, one);
  return all;
}

Log log_with(const std::string& backfill, const std::string& order, const std::string& more,
             const Workload& workload) {
  const std::string config = fmt::format(
      "[cluster]\nnodes = 4\nslots_per_node = 2\n[scheduler]\norder = \"{}\"\n"
      "placement = \"any-free\"\nbackfill = \"{}\"\n[workload]\ngenerator = \"fixed\"\n{}",
      order, backfill, more);
  return simulated(value_or_throw(parse_settings(config, "config", {})), workload);
}

JobSpec job_at(double submit, double limit) {
  JobSpec job;
  job.job = fmt::format("at {}", submit);
  job.user = "a";
  job.submit = submit;
  job.limit = limit;
  return job;
}
StageSpec stage_of(std::uint32_t number, bool gang, std::vector<double> durations) {
  StageSpec stage;
  stage.stage = number;
  stage.gang = gang;
  stage.durations = std::move(durations);
  return stage;
}

// The first stage of the second job waits for seven slots. Its third becomes runnable at 3, when
// nothing else changes: the job is beyond its limit, so no slot comes back before one was expected.
TEST(Conservative, ReservesForAStageBehindAnotherOfItsJob) {
  WorkloadSpec spec{.name = "behind"};
  JobSpec wide = job_at(0, 20);
  wide.stages = {stage_of(0, true, std::vector<double>(5, 20.0))};
  JobSpec several = job_at(1, 1.5);
  several.stages = {stage_of(0, true, std::vector<double>(7, 1.0)), stage_of(1, false, {2}),
                    stage_of(2, true, std::vector<double>(4, 0.1))};
  several.stages[2].parents = {1};
  JobSpec single = job_at(2, 5);
  single.stages = {stage_of(0, false, {0.1})};
  spec.jobs = {wide, several, single};
  const Workload workload = assemble(spec, 8);
  const Log found = log_with("conservative", "fifo", "[limits]\ngrace_s = 1\n", workload);
  const auto reservations = all_of<Reservation>(found);
  // A nanosecond after the first, which needs no more once its job is beyond its limit.
  const std::pair expected(3.0, Reservation{.stage = StageId(3U), .start = 20.000000001});
  EXPECT_EQ(std::ranges::count(reservations, expected), 1);
}

// A gang of the second job fails before its limit; slots come back when they were expected, and go
// to the third job. By the time that the last has failed, the job has begun nothing: its other
// stage, reserved for the moment that it still needed at the job's end, needs all the limit again.
TEST(Conservative, ReservesAllOfTheLimitAgainWhenAJobHasToBeginAgain) {
  WorkloadSpec spec{.name = "again"};
  JobSpec first = job_at(0.75, 5);
  first.stages = {stage_of(0, false, {0, 1})};
  JobSpec fails = job_at(0.75, 2);
  fails.stages = {stage_of(0, true, {2.5, 1}), stage_of(1, true, std::vector<double>(7, 1.0))};
  JobSpec last = job_at(1, 2);
  last.stages = {stage_of(0, true, {1, 2.5, 1.5, 1.5, 0, 0})};
  spec.jobs = {first, fails, last};
  const Workload workload = assemble(spec, 8);
  const std::string more =
      "[run]\nseed = 7866\n[network]\ndelay_ms = 500\njitter = 0.9\n[limits]\ngrace_s = 1\n"
      "[faults]\ntask_failure_probability = 0.1\n";
  const auto expected = all_of<Reservation>(log_with("word-by-word", "sjf", more, workload));
  const auto found = all_of<Reservation>(log_with("conservative", "sjf", more, workload));
  EXPECT_EQ(found, expected);
  const std::pair again(3.525853126, Reservation{.stage = StageId(2U), .start = 6.643091316});
  EXPECT_EQ(std::ranges::count(found, again), 1);
}

RC_GTEST_PROP(Conservative, IsWhatItsRulesSayWordByWord, ()) {
  const Workload workload = some_jobs();
  const std::string order =
      std::vector{"fifo", "srpt", "sjf", "ujf", "cfq"}[static_cast<std::size_t>(up_to(4))];
  const std::string more = conditions();
  const Log expected = log_with("word-by-word", order, more, workload);
  const Log found = log_with("conservative", order, more, workload);
  RC_ASSERT(!all_of<Launch>(expected).empty());
  RC_ASSERT(all_of<Reservation>(found) == all_of<Reservation>(expected));
  RC_ASSERT(all_of<Launch>(found) == all_of<Launch>(expected));
}

}  // namespace
}  // namespace somnus
