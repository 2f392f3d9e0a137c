// Workloads that several runs read, each made once and kept until the last of these runs has it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "config/settings.hpp"
#include "model/workload.hpp"

namespace somnus {

class SharedWorkloads {
 public:
  /// Before any take(): one more run will take and give back the workload of that key.
  void expect(const std::string& key) { ++entries_[key].users; }
  /// From any thread. Throws UserError: there is none, or it does not fit these settings.
  [[nodiscard]] std::shared_ptr<const Workload> take(const std::string& key,
                                                     const Settings& settings);
  void give_back(const std::string& key);

 private:
  struct Entry {
    std::size_t users = 0;
    std::mutex making;
    std::shared_ptr<const Workload> workload;
  };
  std::map<std::string, Entry> entries_;
  std::mutex counting_;
};

}  // namespace somnus
