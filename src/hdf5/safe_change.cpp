#include "hdf5/safe_change.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/hash.hpp"
#include "hdf5/overlay.hpp"
#include "hdf5/overlay_driver.hpp"
#include "output/destination.hpp"

namespace somnus::hdf5 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "somnus journal 2";

[[noreturn]] void fail_at(const fs::path& path, const char* doing, int error) {
  throw Failure(
      fmt::format("{} {}: {}", doing, path.string(), std::generic_category().message(error)));
}

class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : path_(path), id_(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    if (id_ < 0) fail_at(path, "open", errno);
  }
  ~Descriptor() { ::close(id_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::uint64_t at, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::pwrite(id_, bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail_at(path_, "write", errno);
      at += static_cast<std::uint64_t>(put);
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  void set_size(std::uint64_t bytes) const {
    if (::ftruncate(id_, static_cast<off_t>(bytes)) != 0)
      fail_at(path_, "set the length of", errno);
  }
  /// Takes up room on the disk up to that length, without changing what is there.
  void reserve(std::uint64_t bytes) const {
    const off_t size = ::lseek(id_, 0, SEEK_END);
    const auto wanted = static_cast<off_t>(bytes);
    if (wanted <= size) return;
    const int error = ::posix_fallocate(id_, size, wanted - size);
    if (error != 0) fail_at(path_, "enlarge", error);
  }
  void sync() const {
    if (::fsync(id_) != 0) fail_at(path_, "write", errno);
  }
  /// A plain file of this user's with one name.
  [[nodiscard]] bool is_own() const {
    struct stat facts{};
    return ::fstat(id_, &facts) == 0 && facts.st_uid == geteuid() && S_ISREG(facts.st_mode) &&
           facts.st_nlink == 1;
  }
  /// From its beginning, so many bytes at most.
  [[nodiscard]] std::string text(std::size_t most) const {
    std::string text;
    std::array<char, 1 << 16> piece{};
    while (true) {
      const std::size_t room = std::min(piece.size(), most - text.size());
      const ssize_t got = ::pread(id_, piece.data(), room, static_cast<off_t>(text.size()));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail_at(path_, "read", errno);
      if (got == 0) return text;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
  }

 private:
  fs::path path_;
  int id_;
};

/// Where its journal may be, the best place first.
std::vector<fs::path> places_of_journal(const fs::path& log) {
  fs::path beside = log;
  beside += ".journal";
  std::vector<fs::path> places{beside};
  struct stat facts{};
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (!error && ::stat(log.c_str(), &facts) == 0) {
    places.push_back(temporary / fmt::format("somnus-journal-{}-{}", facts.st_dev, facts.st_ino));
  }
  return places;
}

void put_number(std::string& text, std::uint64_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string_view text_of(const Overlay::Page& page) {
  return {reinterpret_cast<const char*>(page.data()), page.size()};
}

// What a disk writes whole, or not at all.
constexpr std::size_t sector_bytes = 512;
constexpr std::size_t sectors = Overlay::page_bytes / sector_bytes;

/// Visits each sector of a page with its number.
template <class Visit>
void for_each_sector(std::string_view page, Visit&& visit) {
  for (std::size_t at = 0; at < sectors; ++at)
    visit(at, page.substr(at * sector_bytes, sector_bytes));
}

/// magic, the log's length afterwards, then of each page that changes its place, hashes of its
/// sectors as they were, and what it becomes; hash of all that.
std::string journal_of(const Overlay& overlay) {
  std::string text(magic);
  put_number(text, overlay.size());
  for (const auto& [place, page] : overlay.changed()) {
    const std::optional<Overlay::Page> before = overlay.below(place);
    if (!before) throw Failure("read the file again");
    put_number(text, place);
    for_each_sector(text_of(*before), [&](std::size_t, std::string_view sector) {
      put_number(text, hash64(sector));
    });
    text.append(text_of(page));
  }
  put_number(text, hash64(text));
  return text;
}

std::uint64_t number_at(std::string_view text, std::size_t place) {
  std::uint64_t number = 0;
  std::memcpy(&number, text.data() + place, sizeof number);
  return number;
}

/// A page of a journal.
struct Change {
  static constexpr std::size_t bytes = (1 + sectors) * sizeof(std::uint64_t) + Overlay::page_bytes;

  explicit Change(std::string_view text)
      : place(number_at(text, 0)),
        hashes(text.substr(sizeof place, sectors * sizeof(std::uint64_t))),
        page(text.substr(bytes - Overlay::page_bytes, Overlay::page_bytes)) {}

  /// Whether each sector there is as it was before the change, or as it becomes.
  [[nodiscard]] bool may_be_of(std::string_view there) const {
    bool possible = true;
    for_each_sector(there, [&](std::size_t at, std::string_view sector) {
      possible &= sector == page.substr(at * sector_bytes, sector_bytes) ||
                  hash64(sector) == number_at(hashes, at * sizeof(std::uint64_t));
    });
    return possible;
  }

  std::uint64_t place;
  std::string_view hashes;
  std::string_view page;
};

/// The pages of a journal that is whole.
std::vector<Change> changes_in(std::string_view journal) {
  std::string_view pages = journal.substr(magic.size() + sizeof(std::uint64_t));
  pages.remove_suffix(sizeof(std::uint64_t));
  std::vector<Change> changes;
  for (; !pages.empty(); pages.remove_prefix(Change::bytes)) changes.emplace_back(pages);
  return changes;
}

bool is_whole(std::string_view text) {
  constexpr std::size_t frame = magic.size() + 2 * sizeof(std::uint64_t);
  if (text.size() < frame || (text.size() - frame) % Change::bytes != 0) return false;
  const std::size_t end = text.size() - sizeof(std::uint64_t);
  return text.starts_with(magic) && number_at(text, end) == hash64(text.substr(0, end));
}

/// Whether it can be of that file: pages in turn, none of them where the change did not make room,
/// and what stands there is what it was made for, as far as it has not been changed yet.
bool fits(const fs::path& log, std::string_view journal) {
  const std::vector<Change> changes = changes_in(journal);
  const std::uint64_t room = fs::file_size(log) + changes.size() * Overlay::page_bytes;
  const Overlay file(log);
  std::uint64_t next = 0;
  for (const Change& change : changes) {
    const std::uint64_t place = change.place;
    if (place < next || place % Overlay::page_bytes != 0 || place >= room) return false;
    next = place + 1;
    const std::optional<Overlay::Page> there = file.below(place);
    if (!there || !change.may_be_of(text_of(*there))) return false;
  }
  return number_at(journal, magic.size()) <= room;
}

void apply(const fs::path& log, std::string_view journal, Sync sync) {
  const Descriptor file(log, O_WRONLY);
  for (const Change& change : changes_in(journal)) file.write(change.place, change.page);
  file.set_size(number_at(journal, magic.size()));
  if (sync == Sync::yes) file.sync();
}

/// The journal that stands there, whole or cut off; none: there is none. Any other file of that
/// name is its owner's.
std::optional<std::string> journal_at(const fs::path& place) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(place, error))) return std::nullopt;
  try {
    const Descriptor file(place, O_RDONLY);
    if (!file.is_own()) return std::nullopt;
    const std::string beginning = file.text(magic.size());
    if (!magic.starts_with(beginning)) return std::nullopt;
    return file.text(std::string::npos);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

void remove_journal(const fs::path& place) {
  std::error_code ignored;
  if (journal_at(place)) fs::remove(place, ignored);
}

/// Returns where it has been written; throws if it can't be written anywhere.
fs::path write_journal(const fs::path& log, std::string_view journal, Sync sync) {
  std::optional<Failure> first;
  for (const fs::path& place : places_of_journal(log)) {
    try {
      remove_journal(place);
      const Descriptor file(place, O_WRONLY | O_CREAT | O_EXCL);
      try {
        file.write(0, journal);
        if (sync == Sync::yes) file.sync();
        return place;
      } catch (const Failure&) {
        std::error_code ignored;
        fs::remove(place, ignored);
        throw;
      }
    } catch (const Failure& failure) {
      if (!first) first = failure;
    }
  }
  throw Failure(*first);
}

}  // namespace

void change_safely(const fs::path& path, Sync sync, const std::function<void(hid_t file)>& change) {
  const fs::path log = resolved_path(path);
  std::string journal;
  {
    Overlay overlay(log);
    File file = open_over(overlay);
    change(file.get());
    file.close("close the file");
    journal = journal_of(overlay);
  }
  Descriptor(log, O_WRONLY).reserve(number_at(journal, magic.size()));
  const fs::path place = write_journal(log, journal, sync);
  apply(log, journal, sync);
  std::error_code ignored;
  fs::remove(place, ignored);
}

bool finish_change(const fs::path& path) {
  const fs::path log = resolved_path(path);
  for (const fs::path& place : places_of_journal(log)) {
    const std::optional<std::string> journal = journal_at(place);
    if (!journal) continue;
    const bool whole = is_whole(*journal);
    if (whole && !fits(log, *journal)) {
      throw Failure(
          fmt::format("{} is there, to complete a change of it, but of another file; look "
                      "whose it is, and remove it",
                      place.string()));
    }
    if (whole) apply(log, *journal, Sync::yes);
    std::error_code ignored;
    fs::remove(place, ignored);  // if not whole the log is still as it was
    if (whole) return true;
  }
  return false;
}

void forget_change(const fs::path& path) {
  for (const fs::path& place : places_of_journal(resolved_path(path))) remove_journal(place);
}

}  // namespace somnus::hdf5
