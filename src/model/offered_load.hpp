// How much work arrives, against what a cluster can do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/cluster.hpp"
#include "model/resources.hpp"

namespace somnus {

struct OfferedLoad {
  /// Work that arrives in a second over the work that the cluster does in one, of the kind of which
  /// most is asked: work is slot-seconds, or seconds times a task's demand; what arrives in a
  /// second is the mean job's over the mean time between two submits. All tasks are warm; nodes do
  /// 1 / slowdown. Infinite if all jobs come at one moment, 0 if they take nothing.
  double share = 0;
  std::string kind;  // "slots", or one of the cluster's resources
};

/// That work arrives faster than the cluster can do it; empty where it does not, or comes at once.
[[nodiscard]] std::string note_on_load(const OfferedLoad& load);

class LoadMeter {
 public:
  explicit LoadMeter(const Cluster& cluster);

  /// Tasks that take so many slot-seconds, each of which asks for `demand`, in the cluster's kinds.
  void add(double slot_seconds, const Amounts& demand);
  /// Of so many jobs, submitted between these times [s].
  [[nodiscard]] OfferedLoad load(double first_submit, double last_submit, std::size_t jobs) const;

 private:
  /// What the cluster does in a second, and what was asked of it.
  struct Kind {
    std::string name;
    double capacity = 0;
    double work = 0;
  };

  bool slots_ = false;       // the first kind is that of slots
  std::vector<Kind> kinds_;  // in the cluster's order
};

}  // namespace somnus
