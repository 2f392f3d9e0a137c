#include "policies/priority.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <set>
#include <utility>

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> priority = rows::order<Priority>(
    "priority", "the most of age, fair share and width first, each with a weight",
    "Slurm's multifactor plugin");

/// Of a queue, which may not be named.
double value_of(const std::map<std::string, double>& given, const std::string& queue) {
  const auto found = given.find(queue);
  return found == given.end() ? 1 : found->second;
}

}  // namespace

std::vector<ConfigError> Priority::config_errors(const Environment& environment) const {
  std::vector<ConfigError> config_errors;
  const auto& queues = environment.queues;
  const auto refuse_unknown = [&](const char* parameter,
                                  const std::map<std::string, double>& given) {
    for (const auto& [queue, value] : given) {
      if (std::ranges::find(queues, queue) != queues.end()) continue;
      config_errors.push_back(
          {.parameter = parameter,
           .what = fmt::format("there is no queue '{}' in the workload; it has {}", queue,
                               fmt::join(queues, ", "))});
    }
  };
  refuse_unknown("partition_factors", partition_factors);
  refuse_unknown("tiers", tiers);
  return config_errors;
}

OrderTraits Priority::traits() const {
  const bool differ = std::ranges::any_of(tiers, [](const auto& one) { return one.second != 1; });
  return {.has_tiers = differ, .tiers_by = "tiers"};
}

void Priority::on(const Configured& configured) {
  const Environment& environment = configured.environment;
  nodes_ = environment.cluster.node_count();
  std::set<double, std::greater<>> all_tiers;
  double most = 0;
  for (const std::string& queue : environment.queues) {
    all_tiers.insert(value_of(tiers, queue));
    most = std::max(most, value_of(partition_factors, queue));
  }
  for (const std::string& queue : environment.queues) {
    const auto place = std::distance(all_tiers.begin(), all_tiers.find(value_of(tiers, queue)));
    queues_.push_back({.tier = static_cast<std::uint32_t>(place),
                       .factor = most > 0 ? value_of(partition_factors, queue) / most : 0});
  }
  if (queues_.empty()) queues_.emplace_back();  // nobody named any
}

void Priority::on(const Submitted& entered) {
  advance(entered.now);
  const std::size_t index = entered.unit.user().index();
  if (index >= users_.size()) users_.resize(index + 1);
  users_[index].weight = entered.unit.weight_of_user();
}

void Priority::on(const Started& started) { changed(started.unit); }

void Priority::on(const Ended& ended) { changed(ended.unit); }

bool Priority::on(const Passed& passed) {
  advance(passed.now);
  return std::exchange(moved_, false);
}

Priority::Key Priority::key(const Unit& job) const {
  const double waited_s = in_seconds(std::max(computed_ - job.arrival(), Duration::zero()));
  const double size = (1 / nodes_ + std::min(job.width() / slots_, 1.0)) / 2;
  const double sum = weight_age * std::min(waited_s / max_age_s, 1.0) +
                     weight_fairshare * users_[job.user().index()].factor +
                     weight_job_size * (favor_small ? 1 - size : size) +
                     weight_partition * queues_[job.queue().index()].factor;
  return {tier(job), -static_cast<std::int64_t>(std::floor(std::max(sum, 1.0)))};
}

/// What was due since the last event is computed with what has run until then.
void Priority::advance(Time now) {
  const Duration period = seconds(calc_period_s);
  const Time due = start_of_time + (now - start_of_time) / period * period;
  if (due <= computed_) return;
  computed_ = due;
  compute();
}

void Priority::compute() {
  moved_ = true;
  std::vector<User*> known;
  for (User& user : users_) {
    settle(user, computed_);
    if (user.weight > 0) known.push_back(&user);
  }
  fair_share == FairShare::tree ? rank(std::move(known)) : weigh(known);
}

void Priority::changed(const Unit& job) {
  advance(job.now());
  User& user = users_[job.user().index()];
  settle(user, job.now());
  user.running = job.running_of_user();
}

void Priority::settle(User& user, Time now) const {
  if (user.as_of == now) return;
  const double passed_s = in_seconds(now - std::exchange(user.as_of, now));
  if (decay_half_life_s == 0) {
    user.usage += user.running * passed_s;
    return;
  }
  const double kept = std::exp2(-passed_s / decay_half_life_s);
  const double full = user.running * decay_half_life_s / std::numbers::ln2;  // after all time
  user.usage = user.usage * kept + full * (1 - kept);
}

void Priority::rank(std::vector<User*> order) {
  const auto used = [](const User* user) { return std::round(user->usage / user->weight * 1e6); };
  std::ranges::sort(order, {}, used);
  const auto all = static_cast<double>(order.size());
  for (std::size_t at = 0, same = 0; at < order.size(); ++at) {
    if (used(order[at]) > used(order[same])) same = at;
    order[at]->factor = (all - static_cast<double>(same)) / all;
  }
}

void Priority::weigh(const std::vector<User*>& users) const {
  double usage = 0;
  double weights = 0;
  for (const User* user : users) {
    usage += user->usage;
    weights += user->weight;
  }
  for (User* user : users) {
    const double used = usage > 0 ? user->usage / usage : 0;
    user->factor = std::exp2(-used / (user->weight / weights) / dampening);
  }
}

}  // namespace somnus
