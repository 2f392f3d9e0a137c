#include "log/log_destination.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string_view>
#include <utility>

#include "output/unfinished.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr off_t room_to_recover = 64 << 10;

}  // namespace

LogDestination::LogDestination(const fs::path& log, OutputRules rules)
    : LockedFile(log, std::move(rules), hdf5_signature, Written::back_and_forth) {}

Mistakes objections_to_writing(const fs::path& log, const OutputRules& rules) {
  try {
    const LogDestination place(log, rules);
  } catch (const UserError& error) {
    return error.mistakes();
  }
  return {};
}

RoomToRecover::RoomToRecover(const fs::path& log) {
  fs::path name;
  file_ = Descriptor(create_beside(resolved_path(log), name));
  if (!file_.is_open()) return;
  ::unlink(name.c_str());
  [[maybe_unused]] const int failed = ::posix_fallocate(file_.get(), 0, room_to_recover);
}

}  // namespace somnus
