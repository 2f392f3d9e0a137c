// Any journal beside a log that was cut off: the log is as it was, completed, or refused in a
// sentence. The first byte says what is any: the journal as it is; or what stands in it, behind the
// right word and before the right hash, since nobody would guess those:
//
//   size    8 bytes, the log's length afterwards
//   pages   each: 8 bytes its place, 2 bytes how it begins, the rest of it, and what it was, what
//   the
//           log has there
#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/hash.hpp"
#include "fuzz/log_readers.hpp"
#include "fuzz/target.hpp"
#include "fuzz/worlds.hpp"
#include "hdf5/overlay.hpp"
#include "log/recover.hpp"

/// libhdf5 1.10 keeps what it had read where it gives up a change.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace somnus::fuzz {
namespace {

constexpr std::string_view magic = "somnus journal 2";
constexpr std::size_t most_pages = 64;

void put(std::string& text, std::uint64_t number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string journal_of(std::string_view left) {
  if (take_number<std::uint8_t>(left) % 4 == 0) return std::string(left);
  std::string text(magic);
  put(text, take_number<std::uint64_t>(left));
  for (std::size_t pages = 0; !left.empty() && pages < most_pages; ++pages) {
    const auto place = take_number<std::uint64_t>(left);
    put(text, place);
    std::string page(hdf5::Overlay::page_bytes, '\0');
    if (place < small_log_file().size()) {
      std::string_view there = small_log_file();
      there = there.substr(place, page.size());
      std::ranges::copy(there, page.begin());
    }
    for (std::size_t at = 0; at < page.size(); at += 512) put(text, hash64(page.substr(at, 512)));
    const auto begin = take_number<std::uint16_t>(left);
    std::memcpy(page.data(), &begin, sizeof begin);
    text += page;
  }
  put(text, hash64(text));
  return text;
}

}  // namespace

void read(std::string_view bytes) {
  const std::string& whole = small_log_file();  // first: it is made under the same name
  const ScratchFile file;
  std::ofstream(file.path(), std::ios::binary) << whole;
  const std::string journal = journal_of(bytes);
  std::ofstream(file.path().string() + ".journal", std::ios::binary) << journal;
  try {
    static_cast<void>(recover_log(file.path()));
  } catch (const WorldError&) {  // of another file
  }
  const std::uintmax_t most = whole.size() + journal.size() + (1 << 20);
  SOMNUS_CHECK(std::filesystem::file_size(file.path()) <= most, "the log has grown to {} bytes",
               std::filesystem::file_size(file.path()));
  let_all_read(file.path());
}

std::vector<Seed> seeds() {
  std::vector<Seed> all{{"none", std::string(1, '\0')},
                        {"torn", std::string(1, '\0') + std::string(magic)}};
  const std::uint64_t length = small_log_file().size();
  for (const std::uint64_t size :
       {length, length + 4096, std::uint64_t{0}, std::uint64_t{1} << 62}) {
    for (const std::uint64_t place : {std::uint64_t{0}, std::uint64_t{4096}, length / 4096 * 4096,
                                      std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
      std::string seed(1, '\1');
      put(seed, size);
      put(seed, place);
      all.push_back({fmt::format("{}-{}", size, place), seed + "\x89H"});
    }
  }
  return all;
}

}  // namespace somnus::fuzz
