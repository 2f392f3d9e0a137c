#include "slurm_conf/scheduler.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "slurm_conf/keys.hpp"

namespace somnus::slurm_conf {
namespace {

struct Parameter {
  std::string_view slurm;
  const char* somnus;
  double unit_s;
  double most;  // in Slurm's unit
};
constexpr std::array<Parameter, 6> parameters = {{
    {"bf_interval", "slurm.bf_interval_s", 1, 1e7},
    {"bf_window", "slurm.bf_window_s", 60, 1e5},
    {"bf_resolution", "slurm.bf_resolution_s", 1, 1e7},
    {"bf_max_job_test", "slurm.bf_max_job_test", 1, 1e6},
    {"sched_interval", "slurm.sched_interval_s", 1, 1e7},
    {"default_queue_depth", "slurm.default_queue_depth", 1, 1e6},
}};
constexpr auto of_long_cycles = std::to_array<std::string_view>(
    {"batch_sched_delay", "bf_continue", "bf_max_time", "bf_yield_interval", "bf_yield_sleep",
     "max_rpc_cnt", "sched_max_job_start", "sched_min_interval", "yield_rpc_cnt"});
constexpr const char* nowhere = "no config of Somnus says this";

std::string in_text(double number) { return text_of(Value(number)); }

class Reader {
 public:
  Reader(const Settings& settings, bool threads, Report& report)
      : settings_(settings), threads_(threads), report_(report) {}

  Scheduler operator()() && {
    const bool is_builtin = settings_.says("SchedulerType", "sched/builtin");
    if (const Setting* const type = settings_.find("SchedulerType");
        type != nullptr && !is_builtin && !same_word(type->value, "sched/backfill")) {
      report_.wrong(*type, "sched/backfill or sched/builtin");
    }
    made_.backfill = is_builtin ? "none" : "slurm";
    const bool has_priorities = settings_.says("PriorityType", "priority/multifactor");
    if (const Setting* const type = settings_.find("PriorityType");
        type != nullptr && !has_priorities && !same_word(type->value, "priority/basic")) {
      report_.wrong(*type, "priority/basic or priority/multifactor");
    }
    made_.order = has_priorities ? "priority" : "fifo";
    if (has_priorities) priorities();
    if (const Setting* const all = settings_.find("SchedulerParameters")) cycles(*all, is_builtin);
    selection();
    limits();
    if (const Setting* const preempts = settings_.find("PreemptType");
        preempts != nullptr && !same_word(preempts->value, "preempt/none")) {
      report_.misses(*preempts, "no job is preempted");
    }
    return std::move(made_);
  }

 private:
  void put(const std::string& key, std::string value) {
    made_.keys.emplace_back(key, std::move(value));
  }

  void cycles(const Setting& all, bool is_builtin) {
    for (const std::string& part : split_list(all.value)) {
      const auto equals = part.find('=');
      const std::string name = part.substr(0, equals);
      const auto named = [&](std::string_view one) { return same_word(one, name); };
      const auto known = std::ranges::find_if(parameters, named, &Parameter::slurm);
      if (known != parameters.end()) {
        const auto number =
            equals == std::string::npos
                ? std::nullopt
                : parse_number<std::uint32_t>(std::string_view(part).substr(equals + 1));
        if (!number || *number == 0 || *number > known->most) {
          report_.mistakes.add(all.line, all.column, all.key,
                               fmt::format("expected a number from 1 to {}, found {}", known->most,
                                           in_quotes(part)));
        } else if (!is_builtin) {
          put(known->somnus, in_text(*number * known->unit_s));
        }
      } else if (std::ranges::any_of(of_long_cycles, named)) {
        report_.misses(all, part, "passes and cycles take no time here");
      } else if (!is_builtin || !name.starts_with("bf_")) {
        report_.misses(all, part, nowhere);
      }
    }
  }

  void priorities() {
    put("priority.weight_age", in_text(number("PriorityWeightAge")));
    put("priority.weight_fairshare", in_text(weight_of_fair_share()));
    put("priority.weight_job_size", in_text(number("PriorityWeightJobSize")));
    put("priority.max_age_s", in_text(time("PriorityMaxAge", "7-0", 1)));
    put("priority.decay_half_life_s", in_text(time("PriorityDecayHalfLife", "7-0")));
    put("priority.calc_period_s", in_text(time("PriorityCalcPeriod", "5", 1)));
    put("priority.favor_small", settings_.says("PriorityFavorSmall", "YES") ? "true" : "false");
    if (settings_.find("FairShareDampeningFactor") != nullptr) {
      put("priority.dampening", in_text(number("FairShareDampeningFactor")));
    }
    bool tree = true;
    if (const Setting* const flags = settings_.find("PriorityFlags")) {
      for (const std::string& flag : split_list(flags->value)) {
        if (same_word(flag, "NO_FAIR_TREE")) {
          tree = false;
        } else if (!same_word(flag, "FAIR_TREE")) {
          report_.misses(*flags, flag, nowhere);
        }
      }
    }
    put("priority.fair_share", tree ? "\"tree\"" : "\"classic\"");
    for (const char* const key :
         {"PriorityWeightAssoc", "PriorityWeightPartition", "PriorityWeightQOS"}) {
      if (number(key) > 0) report_.misses(*settings_.find(key), "such factors count for nothing");
    }
    for (const char* const key : {"PriorityWeightTRES", "PriorityUsageResetPeriod"}) {
      const Setting* const found = settings_.find(key);
      if (found != nullptr && !same_word(found->value, "NONE")) report_.misses(*found, nowhere);
    }
  }

  double weight_of_fair_share() {
    const double weight = number("PriorityWeightFairshare");
    if (weight == 0) return 0;
    const Setting& setting = *settings_.find("PriorityWeightFairshare");
    if (settings_.says("AccountingStorageType", "accounting_storage/slurmdbd")) {
      report_.misses(setting, "shares are in Slurm's database: users have equal ones here");
      return weight;
    }
    report_.misses(setting, "Slurm counts no usage without accounting_storage/slurmdbd: it is 0");
    return 0;
  }

  [[nodiscard]] double number(const char* key) {
    const Setting* const found = settings_.find(key);
    return found == nullptr ? 0 : report_.number(*found);
  }
  [[nodiscard]] double time(const char* key, const char* otherwise, double least_s = 0) {
    const Setting* const found = settings_.find(key);
    const auto span = seconds_of(found == nullptr ? otherwise : found->value);
    if (!span || *span < least_s || *span > 1e9) {
      report_.wrong(*found, fmt::format("a time such as 7-0 or 1:30, from {} s", least_s));
    }
    return span.value_or(0);
  }

  void selection() {
    if (settings_.says("SelectType", "select/linear")) {
      report_.misses(*settings_.find("SelectType"), "a job gets its CPUs, no whole nodes");
    }
    const Setting* const all = settings_.find("SelectTypeParameters");
    if (all == nullptr) return;
    for (const std::string& part : split_list(all->value)) {
      const std::string small = canonical(part);
      const bool by_cores = small.starts_with("cr_core") && !small.starts_with("cr_core_default");
      if (by_cores && threads_) report_.misses(*all, part, "a job gets CPUs, no whole cores");
      if (small.find("memory") != std::string::npos) {
        report_.misses(*all, part, "memory limits no job: slots alone count");
      } else if (!by_cores && !small.starts_with("cr_cpu")) {
        report_.misses(*all, part, nowhere);
      }
    }
  }

  void limits() {
    const Setting* const over = settings_.find("OverTimeLimit");
    if (over == nullptr) return;
    if (same_word(over->value, "UNLIMITED")) {
      report_.misses(*over, "jobs are killed at their limits: take them out of the workload");
    } else {
      made_.grace_s = 60 * report_.number(*over);
    }
  }

  const Settings& settings_;
  bool threads_;
  Report& report_;
  Scheduler made_;
};

}  // namespace

void Settings::add(const Setting& setting) { by_key_[canonical(setting.key)] = &setting; }

const Setting* Settings::find(std::string_view key) const {
  const auto found = by_key_.find(canonical(key));
  return found == by_key_.end() ? nullptr : found->second;
}

bool Settings::says(std::string_view key, std::string_view value) const {
  const Setting* const found = find(key);
  return found != nullptr && same_word(found->value, value);
}

Scheduler read_scheduler(const Settings& settings, bool threads, Report& report) {
  return Reader(settings, threads, report)();
}

}  // namespace somnus::slurm_conf
