#include "hdf5/handles.hpp"

#include <fmt/format.h>

#include <mutex>
#include <string_view>

namespace somnus::hdf5 {
namespace {

/// The text between single quotes after "error message = ", which holds strerror(errno).
std::string system_reason(std::string_view description) {
  constexpr std::string_view key = "error message = '";
  const std::size_t begin = description.find(key);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = description.find('\'', begin + key.size());
  return std::string(description.substr(begin + key.size(), end - begin - key.size()));
}

struct Reasons {
  std::string system;
  std::string innermost;
  bool of_lock = false;
};

herr_t collect(unsigned, const H5E_error2_t* entry, void* context) {
  auto& reasons = *static_cast<Reasons*>(context);
  const std::string_view description = entry->desc == nullptr ? "" : entry->desc;
  if (reasons.system.empty()) reasons.system = system_reason(description);
  if (reasons.innermost.empty()) reasons.innermost = description;
  reasons.of_lock |= entry->min_num == H5E_CANTLOCKFILE;
  return 0;
}

}  // namespace

void prepare_thread() {
  static std::once_flag once;
  std::call_once(once, [] { H5dont_atexit(); });
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // a setting of the calling thread
}

void fail(const std::string& doing) {
  Reasons reasons;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &reasons);
  const std::string& reason = reasons.system.empty() ? reasons.innermost : reasons.system;
  if (reasons.of_lock) {
    throw LockFailure(
        fmt::format("HDF5 cannot lock the file: {}; set HDF5_USE_FILE_LOCKING=FALSE in "
                    "the environment, the file system may have no file locks",
                    reason));
  }
  throw Failure(reason.empty() ? doing : fmt::format("{}: {}", doing, reason));
}

Properties access_without_locks() {
  Properties properties(H5Pcreate(H5P_FILE_ACCESS), "make properties");
  checked(H5Pset_file_locking(properties.get(), false, true), "choose file locking");
  return properties;
}

}  // namespace somnus::hdf5
