#include "log/seal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "log/attributes.hpp"
#include "log/guard.hpp"
#include "log/table.hpp"

namespace somnus::hdf5 {
namespace {

constexpr const char* attribute_seals = "seal";
constexpr const char* rows_attribute = "rows";
constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;  // the golden ratio's, spreads row numbers
constexpr std::size_t most_sentences = 100;
constexpr std::size_t slice_rows = 16'384;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string path_of(hid_t object) {
  const ssize_t length = checked(H5Iget_name(object, nullptr, 0), "see an object's name");
  std::string path(static_cast<std::size_t>(length), '\0');
  checked(H5Iget_name(object, path.data(), path.size() + 1), "see an object's name");
  return path;
}

/// Class and size of a type, with names and offsets of its members.
std::string words_of(hid_t type) {
  std::string words = fmt::format("{}:{}", static_cast<int>(H5Tget_class(type)), H5Tget_size(type));
  if (H5Tget_class(type) != H5T_COMPOUND) return words;
  const int members = checked(H5Tget_nmembers(type), "see a table's columns");
  for (unsigned at = 0; at < static_cast<unsigned>(members); ++at) {
    char* const name = H5Tget_member_name(type, at);
    const Datatype member(H5Tget_member_type(type, at), "see a table's columns");
    words += fmt::format(" {}@{}={}", name, H5Tget_member_offset(type, at), words_of(member.get()));
    H5free_memory(name);
  }
  return words;
}

herr_t keep_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  if (std::string_view(name) != attribute_seals) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  }
  return 0;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep_name, &names),
          "see an object's attributes");
  std::ranges::sort(names);
  return names;
}

std::uint64_t attribute_seal(hid_t object, const std::string& name) {
  const Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open an attribute");
  const Datatype type(H5Aget_type(attribute.get()), "see an attribute's type");
  const bool lies_elsewhere =
      H5Tdetect_class(type.get(), H5T_VLEN) != 0 || H5Tis_variable_str(type.get()) != 0;
  if (lies_elsewhere) return 0;  // ours do not: its bytes are a pointer
  std::string bytes(bytes_of(attribute), '\0');
  if (!bytes.empty()) {
    checked(H5Aread(attribute.get(), type.get(), bytes.data()), "read an attribute");
  }
  const std::string what = path_of(object) + '\n' + name + '\n' + words_of(type.get());
  return hash64(bytes, hash64(what));
}

std::vector<std::uint64_t> seals_of_attributes(hid_t object) {
  std::vector<std::uint64_t> seals;
  for (const std::string& name : attribute_names(object)) {
    seals.push_back(attribute_seal(object, name));
  }
  return seals;
}

void write_anew(hid_t object, const char* name, std::span<const std::uint64_t> numbers) {
  if (H5Aexists(object, name) > 0) checked(H5Adelete(object, name), "replace an attribute");
  write_numbers(object, name, numbers);
}

}  // namespace

std::uint64_t salt_of(const LogHeader& header) {
  return hash64(header.mode, hash64(header.workload_digest, header.seed));
}

Sealer::Sealer(const Dataset& dataset, std::uint64_t salt) {
  const Datatype type(H5Dget_type(dataset.get()), "see a table's columns");
  seed_ = hash64(path_of(dataset.get()) + '\n' + words_of(type.get()), salt);
}

std::uint64_t Sealer::seal(std::size_t row, std::span<const std::byte> bytes) const {
  const std::uint64_t hash = hash64(text_of(bytes), seed_ + (row + 1) * odd);
  return hash == 0 ? 1 : hash;
}

std::vector<std::byte> sealed_rows(const Layout& layout, const Sealer& sealer,
                                   std::span<const std::byte> in_memory) {
  const std::size_t rows = in_memory.size() / layout.memory_bytes();
  std::vector<std::byte> in_file(rows * layout.row_bytes());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto place = std::span(in_file).subspan(row * layout.row_bytes(), layout.row_bytes());
    layout.widen(in_memory.subspan(row * layout.memory_bytes(), layout.memory_bytes()), place);
    sealer.close(row, place);
  }
  return in_file;
}

namespace {

std::uint64_t seal_in(std::span<const std::byte> row) {
  std::uint64_t seal = 0;
  std::memcpy(&seal, row.data() + row.size() - sizeof seal, sizeof seal);
  return seal;
}

}  // namespace

void seal_dataset(const Dataset& dataset) {
  const std::uint64_t rows = row_count(dataset);
  write_anew(dataset.get(), rows_attribute, std::span(&rows, 1));
  seal_attributes(dataset.get());
}

void forget_length(const Dataset& dataset) {
  checked(H5Adelete(dataset.get(), rows_attribute), "remove an attribute");
  seal_attributes(dataset.get());
}

void seal_attributes(hid_t object) {
  write_anew(object, attribute_seals, seals_of_attributes(object));
}

void SealCheck::broken(std::string sentence) {
  ++audit_.broken;
  if (audit_.sentences.size() < most_sentences) audit_.sentences.push_back(std::move(sentence));
}

void SealCheck::attributes(hid_t object, const std::string& what) {
  const std::vector<std::string> names = attribute_names(object);
  const std::vector<std::uint64_t> seals = seals_of_attributes(object);
  audit_.checked += names.size();
  const std::optional<std::vector<std::uint64_t>> then = read_numbers(object, attribute_seals);
  if (!then) return broken(what + "s have lost their seal");
  if (then->size() != seals.size()) {
    return broken(
        fmt::format("{}s: there are {}, the run wrote {}", what, seals.size(), then->size()));
  }
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (seals[at] == (*then)[at]) continue;
    broken(fmt::format("{} {} is not as the run wrote it", what, names[at]));
  }
}

void SealCheck::row_count(const Dataset& dataset, const std::string& path, bool must) {
  const std::optional<std::uint64_t> rows = read_number(dataset.get(), rows_attribute);
  if (!rows && must) return broken(path + " does not say how many rows the run wrote");
  const std::size_t now = hdf5::row_count(dataset);
  if (!rows || *rows == now) return;
  broken(fmt::format("{} has {} rows, the run wrote {}: rows from row {} on are {}", path, now,
                     *rows, std::min<std::uint64_t>(now, *rows),
                     now < *rows ? "gone" : "not the run's"));
}

// As they lie in the file, which may be by another program with more columns; then as in memory.
std::size_t SealCheck::read(const Dataset& dataset, const std::string& path, const Layout& layout,
                            std::size_t from, bool may_end_early, std::span<std::byte> in_memory) {
  const Sealer sealer(dataset, salt_);
  const Datatype there(H5Dget_type(dataset.get()), "see a table's columns");
  const Datatype here = compound_type(layout);
  const auto seal_column_there =
      static_cast<unsigned>(H5Tget_member_index(there.get(), seal_column));
  const std::size_t bytes = H5Tget_size(there.get());
  const bool sealed = H5Tget_member_offset(there.get(), seal_column_there) + 8 == bytes;
  if (!sealed) broken(path + " has its column seal at another place than the run");
  const std::size_t rows = from + in_memory.size() / layout.memory_bytes();
  std::vector<std::byte> buffer(std::min(rows - from, slice_rows) *
                                std::max(bytes, layout.row_bytes()));
  std::vector<std::byte> background(buffer.size());  // HDF5's, where the columns differ
  std::size_t end = from;                            // of the rows that have a seal
  for (std::size_t first = from; first < rows; first += slice_rows) {
    const std::size_t count = std::min(slice_rows, rows - first);
    read_rows(dataset, there, first, count, buffer.data());
    for (std::size_t at = first; sealed && at < first + count; ++at) {
      const auto one = std::span<const std::byte>(buffer).subspan((at - first) * bytes, bytes);
      const std::uint64_t seal = seal_in(one);
      if (seal == 0 && may_end_early) continue;
      for (; end < at; ++end) broken(fmt::format("{} row {} has no seal", path, end));
      row(sealer, path, at, one.first(bytes - sizeof seal), seal);
      end = at + 1;
    }
    checked(
        H5Tconvert(there.get(), here.get(), count, buffer.data(), background.data(), H5P_DEFAULT),
        "read rows");
    for (std::size_t at = 0; at < count; ++at) {
      std::memcpy(in_memory.data() + (first - from + at) * layout.memory_bytes(),
                  buffer.data() + at * layout.row_bytes(), layout.kept_bytes());
    }
  }
  return (may_end_early ? end : rows) - from;
}

void SealCheck::cells(const Sealer& sealer, const std::string& path, std::size_t first,
                      std::span<const std::byte> cells, std::span<const std::uint64_t> seals) {
  if (seals.empty()) return;
  const std::size_t bytes = cells.size() / seals.size();
  for (std::size_t at = 0; at < seals.size(); ++at) {
    row(sealer, path, first + at, cells.subspan(at * bytes, bytes), seals[at]);
  }
}

void SealCheck::row(const Sealer& sealer, const std::string& path, std::size_t row,
                    std::span<const std::byte> bytes, std::uint64_t seal) {
  ++audit_.checked;
  if (sealer.seal(row, bytes) == seal) [[likely]]
    return;
  if (audit_.sentences.size() >= most_sentences) return broken({});
  // Where a row is gone or doubled, those behind it carry a neighbour's seal.
  constexpr std::size_t around = 16;
  for (std::size_t other = row - std::min(row, around); other <= row + around; ++other) {
    if (sealer.seal(other, bytes) != seal) continue;
    return broken(fmt::format("{} row {} is not as the run wrote it: it was written as row {}",
                              path, row, other));
  }
  broken(fmt::format("{} row {} is not as the run wrote it", path, row));
}

}  // namespace somnus::hdf5
