#include "output/descriptor.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace somnus {

Descriptor::~Descriptor() {
  if (is_open()) ::close(id_);
}

bool Descriptor::is_called(const std::filesystem::path& path) const {
  struct stat ours{};
  struct stat there{};
  return ::fstat(id_, &ours) == 0 && ::lstat(path.c_str(), &there) == 0 && same_file(ours, there);
}

int Descriptor::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::write(id_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

int Descriptor::close() { return ::close(std::exchange(id_, none)) == 0 ? 0 : errno; }

std::string system_words(int error) { return std::generic_category().message(error); }

}  // namespace somnus
