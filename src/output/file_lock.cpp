#include "output/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

constexpr off_t right_to_write = off_t{1} << 62;  // one byte; analysis/.../output.py asks for it
constexpr off_t identities = right_to_write + (off_t{1} << 61);

struct flock bytes(short type, off_t start, off_t count) {
  struct flock range{};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = start;
  range.l_len = count;
  return range;
}

bool lock(int file, short type, off_t start, off_t count) {
  struct flock range = bytes(type, start, count);
  return ::fcntl(file, F_OFD_SETLK, &range) == 0;
}

std::string this_host() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

off_t number_of(std::string_view host) {
  constexpr std::uint64_t bits = (std::uint64_t{1} << 31) - 1;
  return 1 + static_cast<off_t>(hash64(host) & bits);
}

/// Of those bytes the first that somebody else has locked.
struct flock held(int file, off_t start, off_t count) {
  struct flock range = bytes(F_WRLCK, start, count);
  if (::fcntl(file, F_OFD_GETLK, &range) != 0) range.l_type = F_UNLCK;
  return range;
}

std::string holder_of(int file) {
  const struct flock found = held(file, identities, 0);
  if (found.l_type == F_UNLCK || found.l_start < identities) return "another process";
  const std::string host = this_host();
  return fmt::format("process {} on {}", found.l_start - identities,
                     found.l_len == number_of(host) ? host : "another host");
}

[[noreturn]] void refuse(int file, const fs::path& path) {
  throw UserError(mistake({.location = {.file = path.string()},
                           .what = fmt::format("is being written by {}", holder_of(file)),
                           .hint = "wait until it has ended, or name another place"})
                      .value());
}

bool is_locked(int file) {
  const struct flock found = held(file, right_to_write, 1);
  return found.l_type != F_UNLCK && found.l_start == right_to_write;  // no reader's of the whole
}

constexpr int careful = O_NOCTTY | O_NONBLOCK | O_CLOEXEC;  // a pipe is not waited for

}  // namespace

FileLock::FileLock(Descriptor file, const fs::path& path) : file_(std::move(file)) {
  const int id = file_.get();
  constexpr int attempts = 3;  // the holder may release its lock just before we look for it
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (lock(id, F_WRLCK, right_to_write, 1)) {
      lock(id, F_RDLCK, identities + ::getpid(), number_of(this_host()));
      lock(id, F_RDLCK, right_to_write, 1);
      return;
    }
    if (errno != EAGAIN && errno != EACCES) return;  // the file system has no locks
    if (held(id, right_to_write, 1).l_type != F_UNLCK) refuse(id, path);
  }
  // Every lock is refused and nobody holds one: this file system has no locks, either.
}

FileLock FileLock::of_file(const fs::path& path) {
  for (;;) {
    Descriptor file(::open(path.c_str(), O_RDWR | careful));
    struct stat facts{};
    if (!file.is_open()) {
      const Descriptor only_read(::open(path.c_str(), O_RDONLY | careful));
      if (only_read.is_open() && is_locked(only_read.get())) refuse(only_read.get(), path);
      return {};
    }
    if (::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    FileLock mine(std::move(file), path);
    // Whoever had it before may have put another file there between our opening and locking it.
    struct stat there{};
    if (::stat(path.c_str(), &there) == 0 && same_file(facts, there)) return mine;
  }
}

bool is_being_written(const fs::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | careful));
  return file.is_open() && is_locked(file.get());
}

}  // namespace somnus
