#include "output/unfinished.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace somnus {
namespace {

namespace fs = std::filesystem;

// More at once are not removed by a signal handler.
std::array<std::atomic<char*>, 64> names;
static_assert(std::atomic<char*>::is_always_lock_free);

}  // namespace

Unfinished::Unfinished(const fs::path& path) : name_(::strdup(path.c_str())), slot_(names.size()) {
  for (std::size_t at = 0; at < names.size() && slot_ == names.size(); ++at) {
    char* none = nullptr;
    if (names[at].compare_exchange_strong(none, name_)) slot_ = at;
  }
}

Unfinished::Unfinished(Unfinished&& other) noexcept
    : name_(std::exchange(other.name_, nullptr)), slot_(other.slot_) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(slot_, other.slot_);
  return *this;
}

Unfinished::~Unfinished() {
  if (name_ != nullptr) ::unlink(name_);
  keep();
}

void Unfinished::keep() {
  if (name_ == nullptr) return;
  // A handler that has the name by now still reads it.
  const bool is_ours = slot_ == names.size() || names[slot_].exchange(nullptr) == name_;
  if (is_ours) std::free(name_);
  name_ = nullptr;
}

void remove_unfinished() noexcept {
  for (std::atomic<char*>& each : names) {
    if (const char* const name = each.exchange(nullptr)) ::unlink(name);
  }
}

int create_beside(const fs::path& place, fs::path& created) {
  constexpr std::size_t most_of_name = 200;  // of 255 bytes that a name may have
  constexpr int most_tries = 10'000;
  static std::atomic<unsigned> next = 0;
  for (int tries = 0; tries < most_tries; ++tries) {
    created = place.parent_path() / fmt::format(".{}.new-{}-{}",
                                                place.filename().string().substr(0, most_of_name),
                                                ::getpid(), next++);
    const int file =
        ::open(created.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

}  // namespace somnus
