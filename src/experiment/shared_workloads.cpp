#include "experiment/shared_workloads.hpp"

#include "session/workload_source.hpp"

namespace somnus {

std::shared_ptr<const Workload> SharedWorkloads::take(const std::string& key,
                                                      const Settings& settings) {
  Entry& entry = entries_.at(key);  // entries stay where they are
  const std::scoped_lock lock(entry.making);
  if (entry.workload != nullptr) {
    Mistakes objections = objections_to_shared(*entry.workload, settings);
    if (objections.any()) throw UserError(std::move(objections));
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
