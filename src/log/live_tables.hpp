// Tables that are written while other processes read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
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
  GrowingTable(hdf5::Dataset dataset, const std::string& path, Layout layout, hdf5::Seals& seals,
               std::size_t chunk_rows, bool compressed);

  /// Whole rows, as they lie in memory.
  void append(std::span<const std::byte> rows);
  /// Rows are in the file, and count once `seals` are flushed, too.
  void flush();
  void close() { dataset_.close("close a table"); }
  void abandon() { dataset_.abandon(); }

 private:
  void write_chunk();
  void overwrite_uncompressed();
  [[nodiscard]] hdf5::SealRow seal_of_chunk() const;

  hdf5::Dataset dataset_;
  Layout layout_;
  hdf5::Seals* seals_;
  std::uint32_t number_;  // among the tables with seals
  hdf5::Sealer sealer_;
  Hash64 hash_;                           // of the chunk so far
  std::optional<std::size_t> sealed_at_;  // the chunk's row of /seals
  hdf5::Datatype type_;
  bool compressed_;
  std::size_t chunk_bytes_;
  std::vector<std::byte> chunk_;  // the last one; none before the first row
  std::size_t used_ = 0;          // bytes of it that hold rows
  std::size_t flushed_ = 0;       // bytes of it that are in the file
  std::size_t rows_before_ = 0;   // in the chunks before it
  bool changed_ = false;          // since the last flush
  /// Of chunks that are full since then, and their rows of /seals, if they have one.
  std::vector<std::pair<std::optional<std::size_t>, hdf5::SealRow>> full_;
};

/// A table of fixed length whose rows change. A flush rewrites the blocks that did.
class ChangingTable {
 public:
  /// Its rows have been written and sealed.
  ChangingTable(hdf5::Dataset dataset, const std::string& path, Layout layout, hdf5::Seals& seals,
                std::span<const std::byte> rows);

  void set(std::size_t number, std::span<const std::byte> bytes);
  /// Of all rows.
  void set_all(std::span<const std::byte> rows);
  /// To be followed by a flush of `seals`, and then of this.
  void announce();
  void flush();
  void close() { dataset_.close("close a table"); }
  void abandon() { dataset_.abandon(); }

 private:
  /// Of the block with that number; in bytes.
  [[nodiscard]] std::span<const std::byte> block(std::size_t number) const;

  hdf5::Dataset dataset_;
  Layout layout_;
  hdf5::Seals* seals_;
  std::size_t first_seal_;  // of its first block
  hdf5::Sealer sealer_;
  hdf5::Datatype type_;
  std::vector<std::byte> rows_;
  std::vector<std::byte> row_;  // one that is being set
  std::vector<bool> changed_;   // by block
  bool any_changed_ = false;
};

}  // namespace somnus
