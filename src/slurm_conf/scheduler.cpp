#include "slurm_conf/scheduler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
constexpr std::uint32_t most_weight = 4'294'967'295;
constexpr const char* nowhere = "no config of Somnus says this";

std::string in_text(double number) { return text_of(Value(number)); }

class Reader {
 public:
  Reader(const Settings& settings, bool threads, std::span<const SharedPartition> partitions,
         Report& report)
      : settings_(settings), threads_(threads), partitions_(partitions), report_(report) {}

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
    if (made_.backfill == "none") {
      std::erase_if(made_.keys, [](const auto& one) { return one.first.starts_with("slurm."); });
    }
    selection();
    limits();
    tiers();
    preemption();
    return std::move(made_);
  }

 private:
  /// Said twice, the first counts.
  void put(const std::string& key, std::string value) {
    const auto same =
        std::ranges::find(made_.keys, key, &std::pair<std::string, std::string>::first);
    if (same == made_.keys.end()) made_.keys.emplace_back(key, std::move(value));
  }

  /// { "batch" = 1, "debug" = 2 }; empty: all are alike.
  std::string of_partitions(std::uint32_t SharedPartition::* value) const {
    std::vector<std::string> each;
    bool differ = false;
    for (const SharedPartition& one : partitions_) {
      each.push_back(fmt::format("{} = {}", in_quotes(one.name), one.*value));
      differ |= one.*value != partitions_.front().*value;
    }
    return differ ? fmt::format("{{ {} }}", fmt::join(each, ", ")) : "";
  }

  /// A first come, first served in tiers is a priority of which nothing else counts.
  void tiers() {
    const std::string all = of_partitions(&SharedPartition::tier);
    if (all.empty()) return;
    if (made_.order == "fifo") {
      made_.order = "priority";
      for (const char* const weight : {"age", "fairshare", "job_size"}) {
        put(fmt::format("priority.weight_{}", weight), "0");
      }
    }
    put("priority.tiers", all);
  }

  void preemption() {
    const Setting* const type = settings_.find("PreemptType");
    const Setting* const mode = settings_.find("PreemptMode");
    const bool is_none = type == nullptr || same_word(type->value, "preempt/none");
    const bool by_tiers = !is_none && same_word(type->value, "preempt/partition_prio");
    const bool is_off = mode == nullptr || same_word(mode->value, "OFF");
    std::uint32_t highest = 0;
    for (const SharedPartition& one : partitions_) highest = std::max(highest, one.tier);
    const auto requeues = [&](const SharedPartition& one) {
      if (one.tier == highest) return true;  // nobody goes before it
      if (!one.preempt_mode.empty()) return same_word(one.preempt_mode, "REQUEUE");
      return mode != nullptr && same_word(mode->value, "REQUEUE");
    };
    const bool some_are_lower = !of_partitions(&SharedPartition::tier).empty();
    if (by_tiers && some_are_lower && std::ranges::all_of(partitions_, requeues)) {
      put("preemption", "\"requeue\"");
      return;
    }
    if (!is_none) {
      const bool by_qos = same_word(type->value, "preempt/qos");
      report_.misses(
          *type, by_tiers && some_are_lower
                     ? "no job is preempted, as not all partitions of lower tiers requeue"
                 : by_qos ? "no job is preempted, as what QOS may preempt is in Slurm's "
                            "database; scheduler.priority.qos_tiers and scheduler.preemption say it"
                          : "no job is preempted");
    }
    if (!is_off) report_.misses(*mode, is_none ? nowhere : "no job is preempted");
  }

  void cycles(const Setting& all, bool is_builtin) {
    for (const std::string& part : split_list(all.value)) {
      const auto equals = part.find('=');
      const std::string name = part.substr(0, equals);
      const auto named = [&](std::string_view one) { return same_word(one, name); };
      const auto known = std::ranges::find_if(parameters, named, &Parameter::slurm);
      if (known != parameters.end()) {
        const bool is_off = part.ends_with("=-1");
        const auto number =
            equals == std::string::npos
                ? std::nullopt
                : parse_number<std::uint32_t>(std::string_view(part).substr(equals + 1));
        if (is_off && same_word(name, "bf_interval")) {
          made_.backfill = "none";
        } else if (is_off) {
          report_.misses(all, part, nowhere);
        } else if (!number || *number == 0 || *number > known->most) {
          report_.mistakes.add(all.line, all.column, all.key,
                               fmt::format("expected a number from 1 to {}, found {}", known->most,
                                           in_quotes(part)));
        } else {
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
    const bool has_database =
        settings_.says("AccountingStorageType", "accounting_storage/slurmdbd");
    put("priority.weight_age", in_text(with_database("PriorityWeightAge", has_database)));
    put("priority.weight_fairshare",
        in_text(with_database("PriorityWeightFairshare", has_database)));
    if (has_database && number("PriorityWeightFairshare") > 0) {
      report_.misses(
          *settings_.find("PriorityWeightFairshare"),
          "shares are in Slurm's database: users and accounts have equal ones here, unless "
          "scheduler.priority.account_shares says those of accounts");
    }
    put("priority.weight_job_size", in_text(number("PriorityWeightJobSize")));
    put("priority.max_age_s", in_text(time("PriorityMaxAge", "7-0", 1)));
    put("priority.decay_half_life_s", in_text(time("PriorityDecayHalfLife", "7-0")));
    put("priority.calc_period_s", in_text(time("PriorityCalcPeriod", "5", 1)));
    put("priority.favor_small", settings_.says("PriorityFavorSmall", "YES") ? "true" : "false");
    if (settings_.find("FairShareDampeningFactor") != nullptr) {
      put("priority.dampening",
          in_text(report_.number(*settings_.find("FairShareDampeningFactor"), 1, 65533)));
    }
    bool tree = true;
    if (const Setting* const flags = settings_.find("PriorityFlags")) {
      for (const std::string& flag : split_list(flags->value)) {
        const bool is_depth = same_word(flag, "DEPTH_OBLIVIOUS");  // which means the other, too
        const bool is_classic = is_depth || same_word(flag, "NO_FAIR_TREE");
        tree = tree && !is_classic;
        if (is_depth || (!is_classic && !same_word(flag, "FAIR_TREE"))) {
          report_.misses(*flags, flag, nowhere);
        }
      }
    }
    put("priority.fair_share", tree ? "\"tree\"" : "\"classic\"");
    const std::string factors = of_partitions(&SharedPartition::factor);
    if (!factors.empty()) {  // else all have the same of it
      put("priority.weight_partition", in_text(number("PriorityWeightPartition")));
      put("priority.partition_factors", factors);
    }
    if (const double weight = with_database("PriorityWeightQOS", has_database); weight > 0) {
      put("priority.weight_qos", in_text(weight));
      report_.misses(*settings_.find("PriorityWeightQOS"),
                     "priorities of QOS are in Slurm's database: all are 0 here, unless "
                     "scheduler.priority.qos_factors says them");
    }
    if (number("PriorityWeightAssoc") > 0) {
      report_.misses(*settings_.find("PriorityWeightAssoc"), "such factors count for nothing");
    }
    for (const char* const key : {"PriorityWeightTRES", "PriorityUsageResetPeriod"}) {
      const Setting* const found = settings_.find(key);
      if (found != nullptr && !same_word(found->value, "NONE")) report_.misses(*found, nowhere);
    }
  }

  double with_database(const char* key, bool has_database) {
    const double weight = number(key);
    if (weight == 0 || has_database) return weight;
    report_.misses(*settings_.find(key), "Slurm has no such weight without slurmdbd: it is 0");
    return 0;
  }

  [[nodiscard]] double number(const char* key) {
    const Setting* const found = settings_.find(key);
    return found == nullptr ? 0 : report_.number(*found, 0, most_weight);
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
    const Setting* const type = settings_.find("SelectType");
    const Setting* const all = settings_.find("SelectTypeParameters");
    if (type == nullptr) {
      report_.add({.line = 0,
                   .setting = "no SelectType",
                   .why = "before 23.11 Slurm gives whole nodes then; here a job gets its CPUs"});
    } else if (same_word(type->value, "select/linear")) {
      report_.misses(*type, "a job gets its CPUs, no whole nodes");
      return;
    }
    if (all == nullptr) {
      const char* const why = threads_ ? "memory and whole cores count then; here CPUs alone do"
                                       : "memory counts then; here CPUs alone do";
      report_.add({.line = 0, .setting = "no SelectTypeParameters", .why = why});
      return;
    }
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
      made_.grace_s = 60 * report_.number(*over, 0, 65533);
    }
  }

  const Settings& settings_;
  bool threads_;
  std::span<const SharedPartition> partitions_;
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

Scheduler read_scheduler(const Settings& settings, bool threads,
                         std::span<const SharedPartition> partitions, Report& report) {
  return Reader(settings, threads, partitions, report)();
}

}  // namespace somnus::slurm_conf
