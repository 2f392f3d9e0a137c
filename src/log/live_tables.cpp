#include "log/live_tables.hpp"

#include <algorithm>
#include <utility>

#include "log/table.hpp"

namespace somnus {
namespace {

constexpr std::uint32_t skip_shuffle_and_deflate = 0b11;

}  // namespace

GrowingTable::GrowingTable(hdf5::Dataset dataset, const std::string& path, Layout layout,
                           hdf5::Seals& seals, std::size_t chunk_rows, bool compressed)
    : dataset_(std::move(dataset)),
      layout_(std::move(layout)),
      seals_(&seals),
      number_(seals.table(path)),
      sealer_(dataset_, seals.salt()),
      hash_(sealer_.seed(0)),
      type_(hdf5::compound_type(layout_)),
      compressed_(compressed),
      chunk_bytes_(chunk_rows * layout_.row_bytes()) {}

void GrowingTable::append(std::span<const std::byte> rows) {
  if (rows.empty()) return;
  chunk_.resize(chunk_bytes_);
  changed_ = true;
  while (!rows.empty()) {
    const std::size_t room = (chunk_.size() - used_) / layout_.row_bytes();
    const auto part = rows.first(std::min(rows.size(), room * layout_.memory_bytes()));
    const std::span<std::byte> rest = std::span(chunk_).subspan(used_);
    const std::size_t bytes = layout_.pack(part, rest);
    hash_.add(rest.first(bytes));
    used_ += bytes;
    rows = rows.subspan(part.size());
    if (used_ == chunk_.size()) {
      write_chunk();
      full_.emplace_back(std::exchange(sealed_at_, std::nullopt), seal_of_chunk());
      rows_before_ += chunk_.size() / layout_.row_bytes();
      used_ = flushed_ = 0;
      hash_.begin_anew(sealer_.seed(rows_before_));
    }
  }
}

hdf5::SealRow GrowingTable::seal_of_chunk() const {
  const std::uint64_t seal = hash_.value();
  const auto rows = static_cast<std::uint32_t>(used_ / layout_.row_bytes());
  return {number_, rows, rows_before_, seal, seal};
}

void GrowingTable::flush() {
  if (!std::exchange(changed_, false)) return;
  if (flushed_ < used_) {
    std::fill(chunk_.begin() + static_cast<std::ptrdiff_t>(used_), chunk_.end(), std::byte{0});
    write_chunk();
    flushed_ = used_;
  }
  hdf5::checked(H5Dflush(dataset_.get()), "flush a table");
  // No seal is in the file before its rows are.
  for (const auto& [at, row] : full_) seals_->put(at, row);
  full_.clear();
  if (used_ > 0) sealed_at_ = seals_->put(sealed_at_, seal_of_chunk());
}

// The table's length never runs ahead of its rows, except where the chunk isn't there at all.
void GrowingTable::write_chunk() {
  const std::size_t rows = used_ / layout_.row_bytes();
  if (flushed_ > 0) {
    overwrite_uncompressed();
    hdf5::set_row_count(dataset_, rows_before_ + rows);
    return;
  }
  hdf5::set_row_count(dataset_, rows_before_ + rows);
  if (compressed_ && used_ == chunk_.size()) {
    hdf5::write_rows(dataset_, type_, rows_before_, rows, chunk_.data());
  } else {
    overwrite_uncompressed();
  }
}

void GrowingTable::overwrite_uncompressed() {
  const hsize_t first_row = rows_before_;
  hdf5::checked(
      H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, compressed_ ? skip_shuffle_and_deflate : 0,
                     &first_row, chunk_.size(), chunk_.data()),
      "write rows");
}

ChangingTable::ChangingTable(hdf5::Dataset dataset, const std::string& path, Layout layout,
                             hdf5::Seals& seals, std::span<const std::byte> rows)
    : dataset_(std::move(dataset)),
      layout_(std::move(layout)),
      seals_(&seals),
      first_seal_(seals.first_of(path)),
      sealer_(dataset_, seals.salt()),
      type_(hdf5::compound_type(layout_)),
      rows_(layout_.packed(rows)),
      row_(layout_.row_bytes()),
      changed_(rows.size() / layout_.memory_bytes() / hdf5::Seals::block_rows + 1) {}

void ChangingTable::set(std::size_t number, std::span<const std::byte> bytes) {
  layout_.pack(bytes, row_);
  const auto place = rows_.begin() + static_cast<std::ptrdiff_t>(number * row_.size());
  if (std::equal(row_.begin(), row_.end(), place)) return;
  std::ranges::copy(row_, place);
  changed_[number / hdf5::Seals::block_rows] = true;
  any_changed_ = true;
}

void ChangingTable::set_all(std::span<const std::byte> rows) {
  const std::size_t bytes = layout_.memory_bytes();
  for (std::size_t at = 0; at * bytes < rows.size(); ++at) {
    set(at, rows.subspan(at * bytes, bytes));
  }
}

std::span<const std::byte> ChangingTable::block(std::size_t number) const {
  const std::size_t bytes = hdf5::Seals::block_rows * layout_.row_bytes();
  const auto from = std::span(rows_).subspan(number * bytes);
  return from.first(std::min(bytes, from.size()));
}

// As long as a block is being rewritten the file has the old rows or the new ones, and each fit;
// afterwards only the new ones do.
void ChangingTable::announce() {
  for (std::size_t at = 0; any_changed_ && at < changed_.size(); ++at) {
    if (!changed_[at]) continue;
    hdf5::SealRow row = seals_->row(first_seal_ + at);
    row.next = sealer_.seal(at * hdf5::Seals::block_rows, block(at));
    seals_->set(first_seal_ + at, row);
  }
}

void ChangingTable::flush() {
  if (!any_changed_) return;
  for (std::size_t at = 0; at < changed_.size(); ++at) {
    if (!changed_[at]) continue;
    const std::span<const std::byte> rows = block(at);
    hdf5::write_rows(dataset_, type_, at * hdf5::Seals::block_rows,
                     rows.size() / layout_.row_bytes(), rows.data());
  }
  hdf5::checked(H5Dflush(dataset_.get()), "flush a table");
  for (std::size_t at = 0; at < changed_.size(); ++at) {
    if (!changed_[at]) continue;
    hdf5::SealRow row = seals_->row(first_seal_ + at);
    row.seal = row.next;
    seals_->set(first_seal_ + at, row);
  }
  changed_.assign(changed_.size(), false);
  any_changed_ = false;
}

}  // namespace somnus
