// Tables that are written while other processes read them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hdf5/handles.hpp"
#include "log/layout.hpp"
#include "log/seal.hpp"

namespace somnus {

/// A table that only grows. Rows gather in memory until a chunk is full. A flush writes the chunk
/// that is not full yet uncompressed, at its full size, so that later flushes overwrite it in
/// place: a compressed chunk changes its size with each flush, and while there may be readers HDF5
/// never takes back the space of the old one.
class GrowingTable {
 public:
  /// Rows are sealed under `salt`.
  GrowingTable(hdf5::Dataset dataset, Layout layout, std::uint64_t salt, std::size_t chunk_rows,
               bool compressed);

  /// Whole rows, as they lie in memory.
  void append(std::span<const std::byte> rows);
  void flush();
  void close() { dataset_.close("close a table"); }
  void abandon() { dataset_.abandon(); }

 private:
  void write_chunk();
  void overwrite_uncompressed();

  hdf5::Dataset dataset_;
  Layout layout_;
  hdf5::Sealer sealer_;
  hdf5::Datatype type_;
  bool compressed_;
  std::size_t chunk_bytes_;
  std::vector<std::byte> chunk_;  // the last one; none before the first row
  std::size_t used_ = 0;          // bytes of it that hold rows
  std::size_t flushed_ = 0;       // bytes of it that are in the file
  std::size_t rows_before_ = 0;   // in the chunks before it
  bool changed_ = false;          // since the last flush
};

/// A table of fixed length whose rows change. A flush rewrites the parts that did.
class ChangingTable {
 public:
  ChangingTable(hdf5::Dataset dataset, Layout layout, std::uint64_t salt,
                std::span<const std::byte> rows);

  void set(std::size_t number, std::span<const std::byte> bytes);
  void flush();
  void close() { dataset_.close("close a table"); }
  void abandon() { dataset_.abandon(); }

 private:
  static constexpr std::size_t part_rows = 256;

  [[nodiscard]] std::span<std::byte> row(std::size_t number) {
    return std::span(rows_).subspan(number * layout_.row_bytes(), layout_.row_bytes());
  }

  hdf5::Dataset dataset_;
  Layout layout_;
  hdf5::Sealer sealer_;
  hdf5::Datatype type_;
  std::vector<std::byte> rows_;
  std::vector<bool> changed_;  // by part
  bool any_changed_ = false;
};

}  // namespace somnus
