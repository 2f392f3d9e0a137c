#include "policies/priority.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <set>
#include <span>
#include <utility>

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> priority = rows::order<Priority>(
    "priority", "the most of age, fair share and width first, each with a weight",
    "Slurm's multifactor plugin");

/// Of a queue or QOS of which nothing may be said.
double value_of(const std::map<std::string, double>& given, const std::string& name,
                double otherwise) {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : found->second;
}

}  // namespace

// A factor is over the greatest, which may be that of one that no job names.
Priority::Classes Priority::Classes::of(std::span<const std::string> names,
                                        const std::map<std::string, double>& factors,
                                        double otherwise,
                                        const std::map<std::string, double>& tiers) {
  double most = names.empty() ? otherwise : 0;
  for (const auto& [name, value] : factors) most = std::max(most, value);
  for (const std::string& name : names) most = std::max(most, value_of(factors, name, otherwise));
  const auto share = [&](double factor) { return most > 0 ? factor / most : 0; };
  std::set<double, std::greater<>> all_tiers{1};
  for (const std::string& name : names) all_tiers.insert(value_of(tiers, name, 1));
  const auto place_of = [&](double tier) {
    return static_cast<std::uint32_t>(std::distance(all_tiers.begin(), all_tiers.find(tier)));
  };
  Classes made{.all = {}, .tiers = static_cast<std::uint32_t>(all_tiers.size())};
  for (const std::string& name : names) {
    made.all.push_back({.tier = place_of(value_of(tiers, name, 1)),
                        .factor = share(value_of(factors, name, otherwise))});
  }
  made.all.push_back({.tier = place_of(1), .factor = share(otherwise)});
  return made;
}

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
  const auto expect_all_of_the_workload =
      [&](const char* parameter, const std::map<std::string, double>& given, const char* what) {
        for (const std::string& qos : environment.qos) {
          if (given.empty() || given.contains(qos)) continue;
          config_errors.push_back(
              {.parameter = parameter,
               .what = fmt::format("the workload's QOS '{}' has no {} here", qos, what)});
        }
      };
  expect_all_of_the_workload("qos_factors", qos_factors, "factor");
  expect_all_of_the_workload("qos_tiers", qos_tiers, "tier");
  for (std::string& what : FairShares::errors(environment.accounts, account_shares)) {
    config_errors.push_back({.parameter = "account_shares", .what = std::move(what)});
  }
  return config_errors;
}

OrderTraits Priority::traits() const {
  const auto differ = [](const std::map<std::string, double>& given) {
    return std::ranges::any_of(given, [](const auto& one) { return one.second != 1; });
  };
  return {.has_tiers = differ(tiers) || differ(qos_tiers), .tiers_by = "tiers or qos_tiers"};
}

void Priority::on(const Configured& configured) {
  const Environment& environment = configured.environment;
  nodes_ = environment.cluster.node_count();
  shares_ = FairShares(environment.accounts, account_shares);
  qos_ = Classes::of(environment.qos, qos_factors, 0, qos_tiers);
  queues_ = Classes::of(environment.queues, partition_factors, 1, tiers);
}

std::uint32_t Priority::tier(const Unit& job) const {
  return queues_[job.queue().index()].tier * qos_.tiers + class_of(job.accounting().qos).tier;
}

void Priority::on(const Submitted& entered) {
  advance(entered.now);
  const Unit& job = entered.unit;
  const AccountId account = job.accounting().account;
  const auto [user, is_new] = users_.try_emplace({account, job.user()});
  if (is_new) {
    user->second = shares_.add(account, job.weight_of_user());
    running_.push_back({.as_of = entered.now});
  }
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  jobs_[job.index()].user = user->second;
}

void Priority::on(const Started& started) { changed(started.unit); }

void Priority::on(const Ended& ended) { changed(ended.unit); }

bool Priority::on(const Passed& passed) {
  advance(passed.now);
  return std::exchange(moved_, false);
}

Priority::Key Priority::key(const Unit& job) const {
  const Accounting of = job.accounting();
  const double waited_s = in_seconds(std::max(computed_ - job.arrival(), Duration::zero()));
  const double size = (1 / nodes_ + std::min(job.width() / slots_, 1.0)) / 2;
  const double sum = weight_age * std::min(waited_s / max_age_s, 1.0) +
                     weight_fairshare * shares_.users()[jobs_[job.index()].user].factor +
                     weight_job_size * (favor_small ? 1 - size : size) +
                     weight_partition * queues_[job.queue().index()].factor +
                     weight_qos * class_of(of.qos).factor - of.nice;
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
  for (std::uint32_t user = 0; user < running_.size(); ++user) settle(user, computed_);
  fair_share == FairShare::tree ? shares_.rank() : shares_.weigh(dampening);
}

void Priority::changed(const Unit& job) {
  advance(job.now());
  OfJob& of = jobs_[job.index()];
  settle(of.user, job.now());
  running_[of.user].tasks += job.running() - of.running;
  of.running = job.running();
}

void Priority::settle(std::uint32_t user, Time now) {
  Running& running = running_[user];
  double& usage = shares_.users()[user].usage;
  if (running.as_of == now) return;
  const double passed_s = in_seconds(now - std::exchange(running.as_of, now));
  if (decay_half_life_s == 0) {
    usage += running.tasks * passed_s;
    return;
  }
  const double kept = std::exp2(-passed_s / decay_half_life_s);
  const double full = running.tasks * decay_half_life_s / std::numbers::ln2;  // after all time
  usage = usage * kept + full * (1 - kept);
}

}  // namespace somnus
