#include "record/log_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace somnus {
namespace {

namespace fs = std::filesystem;

constexpr off_t room_to_recover = 64 << 10;

/// Beside the file itself, whatever links lead to it.
fs::path lock_of(const fs::path& log) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(log, error);
  if (error) path = log;
  path += ".lock";
  return path;
}

bool can_be_a_log(const fs::path& log) {
  std::error_code error;
  const fs::file_status status = fs::status(log, error);
  return !fs::exists(status) || fs::is_regular_file(status);
}

[[noreturn]] void fail(const fs::path& log, const fs::path& lock, int error) {
  std::error_code unknown;
  const bool has_no_folder = error == ENOENT && !fs::exists(lock.parent_path(), unknown);
  throw WorldError(fmt::format(
      "{}: cannot write the log: create {}: {}{}", log.string(), lock.string(),
      std::generic_category().message(error),
      has_no_folder ? fmt::format("; make the folder {} first", lock.parent_path().string()) : ""));
}

struct flock whole_file() {
  struct flock range{};  // from 0 to the end, held by the open file
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

enum class Answer { held, taken, no_locks_here };

Answer try_lock(int file) {
  struct flock range = whole_file();
  if (::fcntl(file, F_OFD_SETLK, &range) == 0) return Answer::held;
  return errno == EAGAIN || errno == EACCES ? Answer::taken : Answer::no_locks_here;
}

/// Whoever held it before may have removed the file between our opening and locking it.
bool still_has_that_name(int file, const fs::path& path) {
  struct stat ours{};
  struct stat there{};
  return ::fstat(file, &ours) == 0 && ::stat(path.c_str(), &there) == 0 &&
         ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

std::string holder_in(int file) {
  std::array<char, 512> text{};
  const ssize_t size = ::pread(file, text.data(), text.size() - 1, 0);
  return size > 0 && text[0] != 0 ? text.data() : "another process";
}

/// For people only; if it can't be written the lock holds all the same.
void write_holder(int file) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string text = fmt::format("process {} on {}", getpid(), host.data());
  if (::ftruncate(file, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(file, text.data(), text.size(), 0);
}

Mistake being_written(const fs::path& log, const std::string& holder) {
  return {.place = {.file = log.string()},
          .what = fmt::format("is being written by {}", holder),
          .hint = "wait until it has ended, or name another place"};
}

}  // namespace

LogLock::LogLock(const fs::path& log, LockRoom room) : path_(lock_of(log)) {
  while (can_be_a_log(log)) {
    const int file = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) fail(log, path_, errno);
    const Answer answer = try_lock(file);
    if (answer != Answer::taken && still_has_that_name(file, path_)) {
      file_ = file;
      write_holder(file);
      [[maybe_unused]] int failed = 0;
      if (room == LockRoom::to_recover) failed = ::posix_fallocate(file, 0, room_to_recover);
      return;
    }
    const std::string holder = holder_in(file);
    ::close(file);
    if (answer == Answer::taken) throw UserError(mistake(being_written(log, holder)).value());
  }
}

LogLock::~LogLock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

void require_nothing_there(const fs::path& log) {
  std::error_code error;
  if (!fs::is_regular_file(log, error) || fs::file_size(log, error) == 0) return;
  throw UserError(mistake({.place = {.file = log.string()},
                           .what = "is there already and would be lost",
                           .hint = "name another log, or say --force to replace it"})
                      .value());
}

bool is_being_written(const fs::path& log) {
  const int file = ::open(lock_of(log).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno != ENOENT;
  struct flock range = whole_file();
  range.l_type = F_RDLCK;
  const bool known = ::fcntl(file, F_OFD_GETLK, &range) == 0;
  ::close(file);
  return !known || range.l_type != F_UNLCK;
}

Mistakes objections_to_writing(const fs::path& log, bool replace) {
  try {
    const LogLock lock(log);
    if (!replace) require_nothing_there(log);
  } catch (const UserError& error) {
    return error.mistakes();
  }
  return {};
}

}  // namespace somnus
