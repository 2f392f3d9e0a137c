// What a slurm.conf says of its scheduler: type, cycles, priorities, how CPUs are chosen, and what
// happens at time limits.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "slurm_conf/report.hpp"
#include "slurm_conf/statements.hpp"

namespace somnus::slurm_conf {

/// Those that stand on no line of nodes or partitions, by canonical(key).
class Settings {
 public:
  void add(const Setting& setting);
  /// nullptr: the file does not say it.
  [[nodiscard]] const Setting* find(std::string_view key) const;
  [[nodiscard]] bool says(std::string_view key, std::string_view value) const;

 private:
  std::map<std::string, const Setting*> by_key_;
};

struct Scheduler {
  std::string order;  // parts of [scheduler]
  std::string backfill;
  std::vector<std::pair<std::string, std::string>> keys;  // of these parts, as TOML
  double grace_s = 0;
};

/// A partition whose jobs wait beside those of others for the same nodes.
struct SharedPartition {
  std::string name;
  std::uint32_t tier = 1;
  std::uint32_t factor = 1;
  std::string preempt_mode;  // empty: what the file says for all
};

/// `threads`: whether cores have several CPUs. `partitions`: several, or none.
[[nodiscard]] Scheduler read_scheduler(const Settings& settings, bool threads,
                                       std::span<const SharedPartition> partitions, Report& report);

}  // namespace somnus::slurm_conf
