#include "log/live_tables.hpp"

#include <algorithm>
#include <utility>

#include "log/table.hpp"

namespace somnus {
namespace {

constexpr std::uint32_t skip_shuffle_and_deflate = 0b11;

}  // namespace

GrowingTable::GrowingTable(hdf5::Dataset dataset, Layout layout, std::uint64_t salt,
                           std::size_t chunk_rows, bool compressed)
    : dataset_(std::move(dataset)),
      layout_(std::move(layout)),
      sealer_(dataset_, salt),
      type_(hdf5::compound_type(layout_)),
      compressed_(compressed),
      chunk_bytes_(chunk_rows * layout_.row_bytes()) {}

void GrowingTable::append(std::span<const std::byte> rows) {
  if (rows.empty()) return;
  chunk_.resize(chunk_bytes_);
  changed_ = true;
  for (; !rows.empty(); rows = rows.subspan(layout_.memory_bytes())) {
    const std::span<std::byte> place = std::span(chunk_).subspan(used_, layout_.row_bytes());
    layout_.widen(rows.first(layout_.memory_bytes()), place);
    sealer_.close(rows_before_ + used_ / layout_.row_bytes(), place);
    used_ += layout_.row_bytes();
    if (used_ == chunk_.size()) {
      write_chunk();
      rows_before_ += chunk_.size() / layout_.row_bytes();
      used_ = flushed_ = 0;
    }
  }
}

void GrowingTable::flush() {
  if (!std::exchange(changed_, false)) return;
  if (flushed_ < used_) {
    std::fill(chunk_.begin() + static_cast<std::ptrdiff_t>(used_), chunk_.end(), std::byte{0});
    write_chunk();
    flushed_ = used_;
  }
  hdf5::checked(H5Dflush(dataset_.get()), "flush a table");
}

// The table's length never runs ahead of its rows, except where the chunk isn't there at all: its
// rows then read as the fill value, by which the reader knows them.
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

ChangingTable::ChangingTable(hdf5::Dataset dataset, Layout layout, std::uint64_t salt,
                             std::span<const std::byte> rows)
    : dataset_(std::move(dataset)),
      layout_(std::move(layout)),
      sealer_(dataset_, salt),
      type_(hdf5::compound_type(layout_)),
      rows_(hdf5::sealed_rows(layout_, sealer_, rows)),
      changed_(rows.size() / layout_.memory_bytes() / part_rows + 1) {}

void ChangingTable::set(std::size_t number, std::span<const std::byte> bytes) {
  layout_.widen(bytes, row(number));
  sealer_.close(number, row(number));
  changed_[number / part_rows] = true;
  any_changed_ = true;
}

void ChangingTable::flush() {
  if (!any_changed_) return;
  const std::size_t rows = rows_.size() / layout_.row_bytes();
  for (std::size_t part = 0; part < changed_.size(); ++part) {
    if (!changed_[part]) continue;
    const std::size_t first = part * part_rows;
    hdf5::write_rows(dataset_, type_, first, std::min(part_rows, rows - first),
                     rows_.data() + first * layout_.row_bytes());
    changed_[part] = false;
  }
  any_changed_ = false;
  hdf5::checked(H5Dflush(dataset_.get()), "flush a table");
}

}  // namespace somnus
