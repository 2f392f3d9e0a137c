#include "workload/check.hpp"

#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "base/describe.hpp"
#include "base/suggest.hpp"
#include "model/progress_curve.hpp"
#include "text/key_path.hpp"
#include "text/mistake_collector.hpp"

namespace somnus {
namespace {

void check_name(const std::string& name, const std::string& key, const OnWrong& wrong) {
  if (name.empty()) wrong(key, "expected a name, found an empty one", "");
  if (!simdjson::validate_utf8(name.data(), name.size())) {
    wrong(key, "expected UTF-8 text, found other bytes", "");
  }
}

// Stage indices along one cycle of parents; empty if there is none. Unknown parents are skipped.
std::vector<std::size_t> cycle_of(const std::vector<StageSpec>& stages,
                                  const std::unordered_map<std::uint32_t, std::size_t>& index_of) {
  std::vector<std::vector<std::size_t>> children(stages.size());
  std::vector<std::size_t> waits_for(stages.size());
  for (std::size_t child = 0; child < stages.size(); ++child) {
    for (const std::uint32_t label : stages[child].parents) {
      const auto parent = index_of.find(label);
      if (parent == index_of.end()) continue;
      children[parent->second].push_back(child);
      ++waits_for[child];
    }
  }
  std::vector<std::size_t> ready;
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    if (waits_for[stage] == 0) ready.push_back(stage);
  }
  std::vector<bool> done(stages.size());
  while (!ready.empty()) {
    const std::size_t stage = ready.back();
    ready.pop_back();
    done[stage] = true;
    for (const std::size_t child : children[stage]) {
      if (--waits_for[child] == 0) ready.push_back(child);
    }
  }
  const auto stuck = std::ranges::find(done, false);
  if (stuck == done.end()) return {};

  // Each stuck stage has a stuck parent, so walking up must come back to a stage already seen.
  std::vector<std::size_t> path{static_cast<std::size_t>(stuck - done.begin())};
  std::vector<std::size_t> place_in_path(stages.size());  // from 1; 0: not in it
  while (true) {
    place_in_path[path.back()] = path.size();
    const auto& parents = stages[path.back()].parents;
    const auto up = std::ranges::find_if(parents, [&](std::uint32_t label) {
      const auto parent = index_of.find(label);
      return parent != index_of.end() && !done[parent->second];
    });
    const std::size_t parent = index_of.at(*up);
    if (const std::size_t place = place_in_path[parent]; place > 0) {
      path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(place) - 1);
      return path;
    }
    path.push_back(parent);
  }
}

void check_parents(const JobSpec& job, const OnWrong& wrong) {
  std::unordered_map<std::uint32_t, std::size_t> index_of;
  for (std::size_t index = 0; index < job.stages.size(); ++index) {
    const std::uint32_t label = job.stages[index].stage;
    if (index_of.try_emplace(label, index).second) continue;
    wrong(fmt::format("stages[{}].stage", index),
          fmt::format("expected a number of its own, found {} again", label), "");
  }
  for (std::size_t index = 0; index < job.stages.size(); ++index) {
    const auto& parents = job.stages[index].parents;
    std::unordered_set<std::uint32_t> seen;
    for (std::size_t at = 0; at < parents.size(); ++at) {
      const auto key = [&] { return fmt::format("stages[{}].parents[{}]", index, at); };
      if (!index_of.contains(parents[at])) {
        wrong(key(), fmt::format("expected a stage of this job, found {}", parents[at]), "");
      } else if (!seen.insert(parents[at]).second) {
        wrong(key(), fmt::format("expected each parent once, found {} again", parents[at]), "");
      }
    }
  }
  const auto cycle = cycle_of(job.stages, index_of);
  if (cycle.empty()) return;
  std::vector<std::uint32_t> labels;
  for (const std::size_t index : cycle) labels.push_back(job.stages[index].stage);
  labels.push_back(labels.front());
  wrong(fmt::format("stages[{}].parents", cycle.front()),
        fmt::format("expected no cycle, found stages that wait for each other: {}",
                    fmt::join(labels, " -> ")),
        "");
}

void check_coefficients(const JobSpec& job, const OnWrong& wrong) {
  const char* const hint = "time on x slots is a0 + a1 x + a2 / x + a3 ln x times the least time";
  if (job.curve.size() != 4) {
    wrong("curve", fmt::format("expected 4 coefficients, found {}", job.curve.size()), hint);
    return;
  }
  std::array<double, 4> coefficients{};
  std::ranges::copy(job.curve, coefficients.begin());
  if (!std::ranges::all_of(coefficients, [](double x) { return std::isfinite(x); })) {
    wrong("curve", "expected finite coefficients", hint);
    return;
  }
  const bool divisible = std::ranges::any_of(job.stages, [](auto& one) { return one.work > 0; });
  if (divisible && !std::ranges::all_of(coefficients, [](double x) { return x >= 0; })) {
    wrong("curve", "expected coefficients of at least 0 beside divisible work, found one below",
          "into how many tasks the work is cut is not known yet, and progress must be above 0");
    return;
  }
  if (std::ranges::none_of(coefficients, [](double x) { return x != 0; })) {
    wrong("curve", "expected a coefficient other than 0, found none", hint);
    return;
  }
  std::size_t widest = 0;  // stage that is not divisible: how many tasks others have is not known
  for (const StageSpec& stage : job.stages) widest = std::max(widest, stage.durations.size());
  for (std::uint32_t slots = 1; slots <= widest; ++slots) {
    const double progress = ernest_progress(coefficients, slots);
    if (progress > 0 && std::isfinite(progress)) continue;
    wrong("curve",
          fmt::format("expected a progress above 0 on 1 to {} slots, found {:.6g} on {}", widest,
                      progress, slots),
          hint);
    return;
  }
}

void check_table(const JobSpec& job, const OnWrong& wrong) {
  for (std::size_t at = 0; at < job.progress.size(); ++at) {
    if (job.progress[at] > 0 && job.progress[at] <= 2) continue;
    wrong(fmt::format("progress[{}]", at),
          fmt::format("expected above 0 to 2, found {}", job.progress[at]),
          "the job's least time over its time on so many slots; what is above 1 counts as 1");
  }
}

void check_curve(const JobSpec& job, const OnWrong& wrong) {
  if (!job.curve.empty() && !job.progress.empty()) {
    wrong("progress", "expected either curve or progress, found both", "");
  }
  if (!job.curve.empty()) check_coefficients(job, wrong);
  check_table(job, wrong);
}

void check_skew(const StageSpec& stage, const std::string& key, const OnWrong& wrong) {
  if (stage.skew.empty()) return;
  bool sane = true;
  for (std::size_t at = 0; at < stage.skew.size(); ++at) {
    if (stage.skew[at] >= 0 && stage.skew[at] <= 1e12) continue;
    sane = false;
    wrong(fmt::format("{}.skew[{}]", key, at),
          fmt::format("expected 0 to 1e12, found {}", stage.skew[at]), "");
  }
  if (sane && std::accumulate(stage.skew.begin(), stage.skew.end(), 0.0) <= 0) {
    wrong(key + ".skew", "expected a part with work, found zeros only", "");
  }
}

void check_cold(const StageSpec& stage, const char* name, const std::vector<double>& cold,
                const std::string& key, const OnWrong& wrong) {
  if (cold.empty()) return;
  const std::string own = fmt::format("{}.{}", key, name);
  if (stage.work != 0) {
    wrong(own, fmt::format("expected durations beside {}, found work", name),
          "tasks that a partitioner cuts can't be listed");
  } else if (!stage.durations.empty() && cold.size() != stage.durations.size()) {
    wrong(own,
          fmt::format("expected as many as durations, {}, found {}", stage.durations.size(),
                      cold.size()),
          "");
  }
  for (std::size_t at = 0; at < cold.size(); ++at) {
    if (is_workload_time(cold[at])) continue;
    wrong(fmt::format("{}[{}]", own, at), not_a_time(cold[at]), "");
  }
}

void check_affinity(const StageSpec& stage, const std::string& key, const OnWrong& wrong) {
  std::unordered_set<std::uint32_t> seen;
  for (std::size_t at = 0; at < stage.affinity.size(); ++at) {
    const std::uint32_t node = stage.affinity[at];
    const auto here = [&] { return fmt::format("{}.affinity[{}]", key, at); };
    if (node > most_node) {
      wrong(here(), fmt::format("expected a node's number, 0 to {}, found {}", most_node, node),
            "");
    } else if (!seen.insert(node).second) {
      wrong(here(), fmt::format("expected each node once, found {} again", node), "");
    }
  }
}

}  // namespace

std::string not_a_weight(double found) {
  return fmt::format("expected {} to {}, found {}", least_weight, most_weight, found);
}

std::string a_time(double found) {
  const char* const why = found > longest_exact_seconds
                              ? " (96 days: a log keeps no longer time to the nanosecond)"
                              : "";
  return fmt::format("0 to {:.0f} s{}", longest_exact_seconds, why);
}

std::string not_a_time(double found) {
  return fmt::format("expected {}, found {}", a_time(found), found);
}

std::string not_a_submit(double found) {
  return fmt::format("expected 0 to {:.0f} s, found {}", last_given_seconds, found);
}

void check_resources(const std::vector<std::string>& resources, const OnWrong& wrong) {
  if (resources.size() > most_resource_kinds) {
    wrong("resources",
          fmt::format("expected at most {} kinds, found {}", most_resource_kinds, resources.size()),
          "");
  }
  std::unordered_set<std::string> seen;
  for (std::size_t kind = 0; kind < resources.size(); ++kind) {
    const std::string key = fmt::format("resources[{}]", kind);
    check_name(resources[kind], key, wrong);
    if (seen.insert(resources[kind]).second) continue;
    wrong(key, fmt::format("expected each kind once, found '{}' again", resources[kind]), "");
  }
}

void check_users(const std::vector<UserSpec>& users, const OnWrong& wrong) {
  std::unordered_set<std::string> seen;
  for (const UserSpec& user : users) {
    const std::string key = path("users", user.user);
    check_name(user.user, key, wrong);
    if (!seen.insert(user.user).second) wrong(key, "expected each user once, found it again", "");
    if (is_weight(user.weight)) continue;
    wrong(key, not_a_weight(user.weight),
          user.weight == 0 ? "a user of weight 0 would never run; leave its jobs out" : "");
  }
}

void JobCheck::operator()(const JobSpec& job, const OnWrong& wrong) {
  check_after(job, wrong);
  users_.insert(job.user);
  check_name(job.job, "job", wrong);
  if (!job.job.empty() && !names_.insert(job.job).second) {
    wrong("job", fmt::format("expected a name of its own, found '{}' again", job.job), "");
  }
  check_name(job.user, "user", wrong);
  check_name(job.queue, "queue", wrong);
  if (!job.account.empty()) check_name(job.account, "account", wrong);
  if (!job.qos.empty()) check_name(job.qos, "qos", wrong);
  if (!is_submit(job.submit)) {
    wrong("submit", not_a_submit(job.submit), "");
  } else if (job.submit < last_submit_) {
    wrong("submit",
          fmt::format("expected jobs in order of submit, found {} after {}", job.submit,
                      last_submit_),
          "");
  } else {
    last_submit_ = job.submit;
  }
  if (!is_weight(job.weight)) wrong("weight", not_a_weight(job.weight), "");
  if (!Range{.low = 0, .high = most_slot_time_s}.holds(job.estimate)) {
    wrong("estimate",
          fmt::format("expected more than 0 to {} s, found {}", most_slot_time_s, job.estimate),
          "the slot-time that a profile says");
  }
  if (!Range{.low = 0, .high = longest_exact_seconds}.holds(job.limit)) {
    wrong("limit_s", fmt::format("expected more than {}, found {}", a_time(job.limit), job.limit),
          "for so long the job may run before it is killed");
  }
  if (!is_warmup(job.warmup)) {
    wrong("warmup", fmt::format("expected 1 to {}, found {}", most_warmup, job.warmup),
          "a cold task takes that many times as long as a warm one");
  }
  check_curve(job, wrong);
  slot_time_s_ = 0;
  if (job.stages.empty()) wrong("stages", "expected at least one stage, found none", "");
  for (std::size_t index = 0; index < job.stages.size(); ++index) {
    check_stage(job.stages[index], fmt::format("stages[{}]", index), wrong);
  }
  check_parents(job, wrong);
}

// Before the job's own name is known: no job follows itself.
void JobCheck::check_after(const JobSpec& job, const OnWrong& wrong) {
  if (!is_workload_time(job.think)) wrong("think", not_a_time(job.think), "");
  if (job.after.empty()) {
    if (job.think != 0) wrong("think", "expected after beside think, found none", "");
  } else if (job.after == job.job) {
    wrong("after", fmt::format("expected an earlier job, found '{}' itself", job.after), "");
  } else if (!names_.contains(job.after)) {
    wrong("after", fmt::format("expected an earlier job, found '{}'", job.after),
          meant_by(job.after, names_));
  }
}

void JobCheck::find_idle(const std::vector<UserSpec>& users, const OnWrong& wrong) {
  for (const UserSpec& user : users) {
    if (user.user.empty() || users_.contains(user.user)) continue;
    wrong(path("users", user.user), "expected a user who submits a job, found one who submits none",
          meant_by(user.user, users_));
  }
}

// Comparing with every name takes time: a file that is all wrong gets hints for the first few.
std::string JobCheck::meant_by(const std::string& name,
                               const std::unordered_set<std::string>& known) {
  constexpr int most_hints = 5;
  if (++hints_ > most_hints) return "";
  std::vector<std::string> candidates(known.begin(), known.end());
  std::ranges::sort(candidates);
  return suggest(name, candidates);
}

void JobCheck::check_stage(const StageSpec& stage, const std::string& key, const OnWrong& wrong) {
  if (stage.work != 0 && !stage.durations.empty()) {
    wrong(key, "expected either durations or work, found both", "");
  } else if (stage.work == 0 && stage.durations.empty()) {
    wrong(key, "expected tasks, found none", "");
  }
  for (std::size_t at = 0; at < stage.durations.size(); ++at) {
    if (is_workload_time(stage.durations[at])) continue;
    wrong(fmt::format("{}.durations[{}]", key, at), not_a_time(stage.durations[at]), "");
  }
  if (!is_workload_time(stage.work)) wrong(key + ".work", not_a_time(stage.work), "");
  if (stage.exclusive && !stage.gang && (stage.work > 0 || stage.durations.size() > 1)) {
    wrong(key + ".exclusive", "expected a gang or a single task", "add \"gang\": true");
  }
  if (!stage.skew.empty() && stage.work == 0) {
    wrong(key + ".skew", "expected work beside skew, found none", "");
  }
  check_cold(stage, "fresh", stage.fresh, key, wrong);
  check_cold(stage, "first", stage.first, key, wrong);
  check_skew(stage, key, wrong);
  check_affinity(stage, key, wrong);
  count(stage, key, wrong);
  if (stage.demand.size() > resources_.size()) {
    wrong(key + ".demand",
          fmt::format("expected at most {} declared kinds, found {}", resources_.size(),
                      stage.demand.size()),
          "");
    return;
  }
  for (std::size_t kind = 0; kind < stage.demand.size(); ++kind) {
    if (stage.demand[kind] >= 0 && stage.demand[kind] <= Resources::most) continue;
    wrong(path(key + ".demand", resources_[kind]),
          fmt::format("expected 0 to {}, found {}", Resources::most, stage.demand[kind]), "");
  }
}

// Each limit is reported once, at the stage that passes it: of tasks in the workload, and of
// slot-time in the job.
void JobCheck::count(const StageSpec& stage, const std::string& key, const OnWrong& wrong) {
  const bool tasks_fitted = tasks_ <= most_tasks;
  tasks_ += stage.durations.size();
  if (tasks_fitted && tasks_ > most_tasks) {
    wrong(key, fmt::format("expected at most {} tasks in a workload", most_tasks), "");
  }
  const bool time_fitted = slot_time_s_ <= most_slot_time_s;
  slot_time_s_ += std::accumulate(stage.durations.begin(), stage.durations.end(), stage.work);
  if (time_fitted && slot_time_s_ > most_slot_time_s) {
    wrong(key, fmt::format("expected at most {} s of slot-time in a job", most_slot_time_s), "");
  }
}

Checked<WorkloadSpec> check_workload(WorkloadSpec workload, const SourceLocation& place) {
  MistakeCollector report(place.file);
  std::string prefix;
  const OnWrong wrong = [&](const std::string& key, std::string what, std::string hint) {
    report.add(place.line, place.column, prefix + key, std::move(what), std::move(hint));
  };
  check_resources(workload.resources, wrong);
  check_users(workload.users, wrong);
  if (workload.jobs.empty()) wrong("jobs", "expected at least one job, found none", "");
  JobCheck check(workload.resources);
  for (std::size_t index = 0; index < workload.jobs.size(); ++index) {
    prefix = fmt::format("jobs[{}].", index);
    check(workload.jobs[index], wrong);
  }
  prefix.clear();
  check.find_idle(workload.users, wrong);
  if (report.any()) return tl::unexpected(std::move(report).take());
  return workload;
}

}  // namespace somnus
