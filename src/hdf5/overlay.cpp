#include "hdf5/overlay.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hdf5/handles.hpp"

namespace somnus::hdf5 {
namespace {

/// visit(page, offset in it, place among the bytes, how many) for each page that a stretch touches.
template <class Visit>
bool each_page(std::uint64_t at, std::size_t bytes, Visit&& visit) {
  for (std::size_t done = 0; done < bytes;) {
    const std::uint64_t page = (at + done) / Overlay::page_bytes * Overlay::page_bytes;
    const auto offset = static_cast<std::size_t>(at + done - page);
    const std::size_t part = std::min(bytes - done, Overlay::page_bytes - offset);
    if (!visit(page, offset, done, part)) return false;
    done += part;
  }
  return true;
}

}  // namespace

Overlay::Overlay(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) throw Failure(fmt::format("open the file again: {}", std::strerror(errno)));
  size_ = std::filesystem::file_size(path);
}

Overlay::~Overlay() { ::close(file_); }

bool Overlay::read_below(std::uint64_t at, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(file_, out.data(), out.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    at += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  std::ranges::fill(out, std::byte{0});
  return true;
}

std::optional<Overlay::Page> Overlay::below(std::uint64_t page) const {
  Page bytes;
  return read_below(page, bytes) ? std::optional(bytes) : std::nullopt;
}

bool Overlay::read(std::uint64_t at, std::span<std::byte> out) const {
  if (!read_below(at, out)) return false;
  const auto first = changed_.upper_bound(at >= page_bytes ? at - page_bytes : 0);
  if (changed_.empty()) return true;
  for (auto page = first == changed_.begin() ? first : std::prev(first);
       page != changed_.end() && page->first < at + out.size(); ++page) {
    const std::uint64_t from = std::max(at, page->first);
    const std::uint64_t to = std::min(at + out.size(), page->first + page_bytes);
    if (from >= to) continue;
    std::memcpy(out.data() + (from - at), page->second.data() + (from - page->first), to - from);
  }
  return true;
}

bool Overlay::write(std::uint64_t at, std::span<const std::byte> in) {
  size_ = std::max(size_, at + in.size());
  return each_page(at, in.size(),
                   [&](std::uint64_t page, std::size_t offset, std::size_t done, std::size_t part) {
                     auto found = changed_.find(page);
                     if (found == changed_.end()) {
                       Page below;
                       if (!read_below(page, below)) return false;
                       if (std::memcmp(below.data() + offset, in.data() + done, part) == 0)
                         return true;
                       found = changed_.emplace(page, below).first;
                     }
                     std::memcpy(found->second.data() + offset, in.data() + done, part);
                     return true;
                   });
}

}  // namespace somnus::hdf5
