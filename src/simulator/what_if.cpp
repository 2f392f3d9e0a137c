#include "simulator/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/suggest.hpp"
#include "workload/check.hpp"

namespace somnus {
namespace {

/// The first instant behind `now` that a number of seconds can say.
double just_after(Time now) {
  double later_s = in_seconds(now + Duration(1));
  while (at_seconds(later_s) <= now) {
    later_s = std::nextafter(later_s, std::numeric_limits<double>::infinity());
  }
  return later_s;
}

void withdraw(WorkloadSpec& spec, const std::vector<std::string>& names, double from_s,
              Mistakes& mistakes) {
  std::set<std::string> withdrawn;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(spec.jobs, name, &JobSpec::job);
    if (found == spec.jobs.end()) {
      std::vector<std::string> all;
      for (const JobSpec& job : spec.jobs) all.push_back(job.job);
      mistakes.add({.key = "withdrawn",
                    .what = fmt::format("expected a job of the workload, found '{}'", name),
                    .hint = suggest(name, all)});
    } else if (found->submit < from_s && found->after.empty()) {
      mistakes.add({.key = "withdrawn",
                    .what = fmt::format("job '{}' has come at {} s already", name, found->submit)});
    } else if (found->submit < from_s) {
      mistakes.add({.key = "withdrawn",
                    .what = fmt::format("job '{}' comes after '{}' and not before {} s, which has "
                                        "passed; it cannot be withdrawn any more",
                                        name, found->after, found->submit)});
    } else {
      withdrawn.insert(name);
    }
  }
  std::erase_if(spec.jobs, [&](const JobSpec& job) { return withdrawn.contains(job.job); });
  for (const JobSpec& job : spec.jobs) {
    if (!withdrawn.contains(job.after)) continue;
    mistakes.add({.key = "withdrawn",
                  .what = fmt::format("job '{}' comes after '{}'", job.job, job.after),
                  .hint = "withdraw both"});
  }
}

void lose(Settings& settings, const std::vector<WhatIf::Loss>& losses, double from_s,
          const NodeTable& nodes, Mistakes& mistakes) {
  std::set<std::uint32_t> lost;
  for (const WhatIf::Loss& loss : losses) {
    if (loss.node >= nodes.count()) {
      mistakes.add({.key = "losses",
                    .what = fmt::format("there is no node {}; the cluster has nodes 0 to {}",
                                        loss.node, nodes.count() - 1)});
    } else if (!nodes.up(NodeId(loss.node)) || !lost.insert(loss.node).second) {
      mistakes.add({.key = "losses", .what = fmt::format("node {} is lost already", loss.node)});
    } else if (!(loss.for_s >= 0 && loss.for_s <= last_given_seconds)) {
      mistakes.add(
          {.key = "losses.for_s",
           .what = fmt::format("expected 0 to {} s, found {}", last_given_seconds, loss.for_s)});
    } else {
      settings.faults.events.push_back(
          {.at_s = from_s, .node = loss.node, .kind = FaultKind::node_lost, .for_s = loss.for_s});
    }
  }
}

}  // namespace

Checked<WorkloadSpec> checked_in_order(WorkloadSpec spec) {
  std::ranges::stable_sort(spec.jobs, [](const JobSpec& one, const JobSpec& other) {
    return std::is_lt(std::strong_order(one.submit, other.submit));  // also of what is no number
  });
  std::vector<std::string> names;
  for (const JobSpec& job : spec.jobs) names.push_back(job.job);
  Checked<WorkloadSpec> checked = check_workload(std::move(spec));
  if (checked) return checked;
  Mistakes named;
  for (Mistake each : checked.error().list()) {
    const std::string_view key = each.key;
    const std::size_t end = key.find(']');
    std::size_t index = 0;
    if (key.starts_with("jobs[") && end != std::string_view::npos &&
        std::from_chars(key.data() + 5, key.data() + end, index).ec == std::errc() &&
        index < names.size()) {
      const std::string_view rest = key.substr(end + 1);
      each.key = fmt::format("job '{}'{}{}", names[index], rest.empty() ? "" : ": ",
                             rest.starts_with('.') ? rest.substr(1) : rest);
    }
    named.add(std::move(each));
  }
  return tl::unexpected(std::move(named));
}

Checked<SimulatorInput> changed(SimulatorInput input, const WhatIf& what_if, Time now,
                                const NodeTable& nodes) {
  Mistakes mistakes;
  const double from_s = just_after(now);
  withdraw(input.spec, what_if.withdrawn, from_s, mistakes);
  lose(input.settings, what_if.losses, from_s, nodes, mistakes);
  for (const JobSpec& job : what_if.jobs) {
    input.spec.jobs.push_back(job);
    const auto before = std::ranges::find(input.spec.jobs, job.after, &JobSpec::job);
    const double not_before_s = before == input.spec.jobs.end() ? 0 : before->submit;
    double& submit = input.spec.jobs.back().submit;
    submit = std::max({submit, from_s, not_before_s});
  }
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return input;
}

}  // namespace somnus
