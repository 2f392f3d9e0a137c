#include "record/live_tables.hpp"

#include <algorithm>
#include <cstring>

#include "record/table.hpp"

namespace somnus {
namespace {

constexpr std::uint32_t skip_shuffle_and_deflate = 0b11;

}  // namespace

GrowingTable::GrowingTable(hdf5::Dataset dataset, Layout layout, std::size_t chunk_rows,
                           bool compressed)
    : dataset_(std::move(dataset)),
      layout_(std::move(layout)),
      type_(hdf5::compound_type(layout_)),
      compressed_(compressed),
      chunk_(chunk_rows * layout_.row_bytes()) {}

void GrowingTable::append(std::span<const std::byte> rows) {
  while (!rows.empty()) {
    const std::size_t bytes = std::min(rows.size(), chunk_.size() - used_);
    const std::span<std::byte> place = std::span(chunk_).subspan(used_, bytes);
    std::memcpy(place.data(), rows.data(), bytes);
    layout_.clear_gaps(place);
    used_ += bytes;
    rows = rows.subspan(bytes);
    if (used_ == chunk_.size()) {
      write_chunk();
      rows_before_ += chunk_.size() / layout_.row_bytes();
      used_ = flushed_ = 0;
    }
  }
}

void GrowingTable::flush() {
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

ChangingTable::ChangingTable(hdf5::Dataset dataset, Layout layout, std::span<const std::byte> rows)
    : dataset_(std::move(dataset)),
      layout_(std::move(layout)),
      type_(hdf5::compound_type(layout_)),
      rows_(rows.begin(), rows.end()),
      changed_(rows.size() / layout_.row_bytes() / part_rows + 1) {
  layout_.clear_gaps(rows_);
}

void ChangingTable::set(std::size_t row, std::span<const std::byte> bytes) {
  const std::span<std::byte> place =
      std::span(rows_).subspan(row * layout_.row_bytes(), layout_.row_bytes());
  std::memcpy(place.data(), bytes.data(), place.size());
  layout_.clear_gaps(place);
  changed_[row / part_rows] = true;
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
