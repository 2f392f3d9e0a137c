#include "log/seal_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "log/attributes.hpp"
#include "log/table.hpp"

namespace somnus::hdf5 {
namespace {

constexpr std::size_t most_sentences = 100;
constexpr std::size_t bytes_at_once = std::size_t{1} << 21;
constexpr int most_tries = 4;

/// take(first row, rows) of one slice after the other.
void read_slices(const Dataset& dataset, const Datatype& type, std::size_t first, std::size_t end,
                 const auto& take) {
  const std::size_t bytes = H5Tget_size(type.get());
  const std::size_t slice = std::min(std::max<std::size_t>(bytes_at_once / bytes, 1), end - first);
  std::vector<std::byte> rows;
  for (; first < end; first += slice) {
    const std::size_t count = std::min(slice, end - first);
    rows.resize(count * bytes);
    read_rows(dataset, type, first, count, rows.data());
    take(first, std::span<const std::byte>(rows));
  }
}

std::vector<SealRow> rows_of_seals(const Dataset& seals) {
  std::vector<SealRow> rows(row_count(seals));
  read_rows(seals, compound_type(layout_of<SealRow>({})), 0, rows.size(), rows.data());
  return rows;
}

}  // namespace

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

void SealCheck::take(Dataset seals, std::uint64_t seal) {
  seals_ = std::move(seals);
  attributes(seals_.get(), "/seals attribute");
  tables_ = read_texts(seals_.get(), tables_attribute).value_or(std::vector<std::string>());
  if (seal != 0 && seal != seal_of(rows_of_seals(seals_), salt_)) {
    broken("/seals is not as the run wrote it");
  }
  load();
}

void SealCheck::load() {
  rows_ = rows_of_seals(seals_);
  std::erase_if(rows_, [](const SealRow& row) { return row.rows == 0; });
  std::ranges::sort(rows_, {}, [](const SealRow& row) { return std::pair(row.table, row.first); });
}

std::span<const SealRow> SealCheck::blocks_of(const std::string& path) const {
  const auto table = static_cast<std::uint32_t>(std::ranges::find(tables_, path) - tables_.begin());
  const std::span<const SealRow> own(std::ranges::equal_range(rows_, table, {}, &SealRow::table));
  std::uint64_t next = 0;
  std::size_t count = 0;
  for (; count < own.size() && own[count].first == next; ++count) next += own[count].rows;
  return own.first(count);
}

std::size_t SealCheck::rows_that_count(const Dataset& dataset, const std::string& path) {
  const std::span<const SealRow> blocks = blocks_of(path);
  const std::size_t sealed = blocks.empty() ? 0 : blocks.back().first + blocks.back().rows;
  const std::size_t there = row_count(dataset);
  if (sealed == there || (being_written_ && sealed < there)) return sealed;
  broken(fmt::format("{} has {} rows, the run wrote {}: rows from row {} on are {}", path, there,
                     sealed, std::min(there, sealed), there < sealed ? "gone" : "not the run's"));
  return there;
}

// A block is read with the type that it has in the file, which may be by another program with more
// columns: its seal is of these bytes.
template <class Take>
bool SealCheck::read_block(const Dataset& dataset, const std::string& path, const Datatype& type,
                           SealRow block, const Take& take) {
  const Sealer sealer(dataset, salt_);
  const std::uint64_t end = block.first + block.rows;
  for (int tries = 1;; ++tries) {
    Hash64 hash(sealer.seed(block.first));
    read_slices(dataset, type, block.first, end,
                [&](std::size_t first, std::span<const std::byte> rows) {
                  hash.add(rows);
                  take(first, rows);
                });
    const std::uint64_t seal = hash.value();
    if (seal == block.seal || seal == block.next) return true;
    if (!being_written_ || tries == most_tries) return false;
    // Its rows may have changed more than once since its seal was read.
    checked(H5Drefresh(seals_.get()), "read again");
    checked(H5Drefresh(dataset.get()), "read again");
    load();
    const std::span<const SealRow> blocks = blocks_of(path);
    const auto now = std::ranges::find(blocks, block.first, &SealRow::first);
    if (now == blocks.end() || now->rows != block.rows) return false;
    block = *now;
  }
}

template <class Take>
void SealCheck::read_blocks(const Dataset& dataset, const std::string& path, std::size_t from,
                            std::size_t end, const Take& take) {
  const Datatype type(H5Dget_type(dataset.get()), "see a table's columns");
  const std::span<const SealRow> known = blocks_of(path);
  for (const SealRow& block : std::vector(known.begin(), known.end())) {
    if (block.first < from) continue;
    if (block.first + block.rows > end) break;
    if (from < block.first) read_slices(dataset, type, from, block.first, take);
    audit_.checked += block.rows;
    if (!read_block(dataset, path, type, block, take)) {
      broken(block.rows == 1
                 ? fmt::format("{} row {} is not as the run wrote it", path, block.first)
                 : fmt::format("{} rows {} to {} are not as the run wrote them", path, block.first,
                               block.first + block.rows - 1));
    }
    from = block.first + block.rows;
  }
  if (from < end) read_slices(dataset, type, from, end, take);  // less than a block, or not sealed
}

void SealCheck::read(const Dataset& dataset, const std::string& path, const Layout& layout,
                     std::size_t from, std::span<std::byte> in_memory) {
  const Datatype there(H5Dget_type(dataset.get()), "see a table's columns");
  const Datatype here = compound_type(layout);
  const std::size_t bytes = H5Tget_size(there.get());
  const bool alike = H5Tequal(there.get(), here.get()) > 0;
  std::vector<std::byte> converted;
  std::vector<std::byte> background;  // HDF5's
  const auto take = [&](std::size_t first, std::span<const std::byte> rows) {
    const std::size_t count = rows.size() / bytes;
    if (!alike) {
      converted.assign(rows.begin(), rows.end());
      converted.resize(count * std::max(bytes, layout.row_bytes()));
      background.resize(converted.size());
      checked(H5Tconvert(there.get(), here.get(), count, converted.data(), background.data(),
                         H5P_DEFAULT),
              "read rows");
      rows = converted;
    }
    for (std::size_t at = 0; at < count; ++at) {
      std::memcpy(in_memory.data() + (first - from + at) * layout.memory_bytes(),
                  rows.data() + at * layout.row_bytes(), layout.row_bytes());
    }
  };
  read_blocks(dataset, path, from, from + in_memory.size() / layout.memory_bytes(), take);
}

void SealCheck::read_cells(const Dataset& dataset, const std::string& path, std::size_t count,
                           const std::function<void(std::span<const std::byte>)>& take) {
  read_blocks(dataset, path, 0, count,
              [&](std::size_t, std::span<const std::byte> cells) { take(cells); });
}

}  // namespace somnus::hdf5
