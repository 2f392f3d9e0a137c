#include "output/file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_waiting = 1 << 16;

/// A pipe opens for writing once somebody reads from it; it is not waited for for ever.
int open_when_read(const fs::path& path) {
  constexpr std::chrono::seconds timeout{30};
  constexpr std::chrono::milliseconds between{10};
  const auto until = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const int file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0 || errno != ENXIO) return file;
    if (std::chrono::steady_clock::now() > until) return -1;
    std::this_thread::sleep_for(between);
  }
}

void let_it_block(int file) {
  const int flags = ::fcntl(file, F_GETFL);
  if (flags >= 0) ::fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
}

}  // namespace

void copy_permissions(const fs::path& from, int to) {
  struct stat theirs{};
  struct stat ours{};
  if (::stat(from.c_str(), &theirs) != 0 || !S_ISREG(theirs.st_mode)) return;
  if (::fstat(to, &ours) != 0) return;
  constexpr mode_t permissions = 0777;
  const bool same_owner = theirs.st_uid == ours.st_uid && theirs.st_gid == ours.st_gid;
  if (!same_owner && ::fchown(to, theirs.st_uid, theirs.st_gid) != 0) {
    // Only root gives files away.
  }
  ::fchmod(to, theirs.st_mode & permissions);
}

OutputFile::OutputFile(fs::path path, OutputRules rules)
    : path_(std::move(path)), rules_(std::move(rules)) {
  require_output_allowed(path_, rules_);
  if (is_stream(path_)) {
    open_stream();
    return;
  }
  place_ = resolved_path(path_);
  file_ = Descriptor(create_beside(place_, fresh_));
  if (!file_.is_open()) fail_to_write(path_, place_, errno);
  unfinished_ = Unfinished(fresh_);
  copy_permissions(place_, file_.get());
}

void OutputFile::open_stream() {
  file_ = Descriptor(open_when_read(path_));
  if (!file_.is_open() && errno == ENXIO) {
    throw WorldError(fmt::format(
        "{}: cannot be written: nobody reads from it; start its reader first", path_.string()));
  }
  if (!file_.is_open()) fail_to_write(path_, place_, errno);
  let_it_block(file_.get());
}

void OutputFile::write(std::string_view text) {
  waiting_ += text;
  if (waiting_.size() >= most_waiting) flush();
}

void OutputFile::flush() {
  const int error = file_.write(waiting_);
  waiting_.clear();
  if (error != 0) fail_to_write(path_, place_, error);
}

void OutputFile::commit() {
  flush();
  if (!fresh_.empty()) {
    require_output_allowed(path_, rules_);  // what has come there meanwhile is no less dear
    if (!file_.is_called(fresh_)) {
      throw WorldError(
          fmt::format("{}: cannot be written: it was removed before it was whole", path_.string()));
    }
  }
  if (const int error = file_.close(); error != 0) fail_to_write(path_, place_, error);
  if (fresh_.empty()) return;
  if (::rename(fresh_.c_str(), place_.c_str()) != 0) fail_to_write(path_, place_, errno);
  unfinished_.keep();
}

}  // namespace somnus
