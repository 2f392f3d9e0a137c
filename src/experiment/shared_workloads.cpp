#include "experiment/shared_workloads.hpp"

#include "session/compose.hpp"
#include "session/workload_source.hpp"

namespace somnus {

std::shared_ptr<const Workload> SharedWorkloads::take(const std::string& key,
                                                      const Settings& settings) {
  Entry& entry = entries_.at(key);  // entries stay where they are
  const std::scoped_lock lock(entry.making);
  if (entry.workload != nullptr) {
    Mistakes config_errors = config_errors_of(settings, entry.workload->names);
    if (config_errors.any()) throw UserError(std::move(config_errors));
    return entry.workload;
  }
  entry.workload = std::make_shared<const Workload>(value_or_throw(workload_of(settings)));
  return entry.workload;
}

void SharedWorkloads::give_back(const std::string& key) {
  const std::scoped_lock lock(counting_);
  Entry& entry = entries_.at(key);
  if (--entry.users == 0) entry.workload.reset();
}

}  // namespace somnus
