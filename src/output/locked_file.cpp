#include "output/locked_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "output/file.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

/// A name that says whose it is, so that the next one finds what a killed process has left; as long
/// as a name may be.
fs::path begun_beside(const fs::path& place) {
  constexpr std::size_t most_of_name = 200;
  return place.parent_path() /
         fmt::format(".{}.new", place.filename().string().substr(0, most_of_name));
}

/// Ours is a plain file with one name, and begins as such files do, with zeros where a killed
/// process has not come to its beginning, or not at all.
bool may_be_ours(const Descriptor& file, std::string_view signature) {
  struct stat facts{};
  const bool is_plain = ::fstat(file.get(), &facts) == 0 && S_ISREG(facts.st_mode);
  if (!is_plain || facts.st_nlink != 1 || facts.st_uid != ::geteuid()) return false;
  std::string beginning(signature.size(), '\0');
  const ssize_t count = ::pread(file.get(), beginning.data(), beginning.size(), 0);
  if (count < 0) return false;
  beginning.resize(static_cast<std::size_t>(count));
  return signature.starts_with(beginning) || beginning.find_first_not_of('\0') == beginning.npos;
}

}  // namespace

LockedFile::LockedFile(const fs::path& path, OutputRules rules, std::string_view signature,
                       Written written)
    : path_(path), place_(resolved_path(path)), rules_(std::move(rules)), written_(written) {
  old_ = FileLock::of_file(place_);  // "is being written" says more than "is there already"
  require_output_allowed(path_, rules_, written_);
  begin(signature);
  unfinished_ = Unfinished(begun_);
  if (::ftruncate(file().get(), 0) != 0) fail_to_write(path_, place_, errno);
  copy_permissions(place_, file().get());
}

LockedFile::~LockedFile() {
  if (!lock_.is_of(begun_)) unfinished_.keep();  // it is another's by now
}

// By a name that is known to all who would write there: of two that begin at once one is refused.
void LockedFile::begin(std::string_view signature) {
  constexpr int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  begun_ = begun_beside(place_);
  for (;;) {
    Descriptor file(::open(begun_.c_str(), flags, 0666));
    if (!file.is_open() || !may_be_ours(file, signature)) break;
    lock_ = FileLock(std::move(file), path_);
    if (lock_.is_of(begun_)) return;  // else whoever had it before has removed it
  }
  Descriptor file(create_beside(place_, begun_));
  if (!file.is_open()) fail_to_write(path_, place_, errno);
  lock_ = FileLock(std::move(file), path_);
}

void LockedFile::take_its_place() {
  if (old_.is_empty() || !old_.is_of(place_)) {
    old_ = FileLock::of_file(place_);
    require_output_allowed(path_, rules_, written_);
  }
  if (::rename(begun_.c_str(), place_.c_str()) != 0) fail_to_write(path_, place_, errno);
  unfinished_.keep();
}

}  // namespace somnus
