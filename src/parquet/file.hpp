// A Parquet file's columns, read from its bytes. What is read and what is not stands in README.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "parquet/column.hpp"
#include "parquet/metadata.hpp"
#include "parquet/schema.hpp"

namespace somnus::parquet {

/// Whether the bytes say of themselves that they are one.
[[nodiscard]] bool looks_parquet(std::string_view bytes);

class File {
 public:
  /// Its footer. The bytes have to outlive it. `name` is for messages. The user's mistakes: all
  /// that is wrong with the footer.
  [[nodiscard]] static Checked<File> open(std::string name, std::string_view bytes);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// In their order. A list goes by its own name, whatever its element's is.
  [[nodiscard]] const std::vector<Leaf>& columns() const { return leaves_; }
  [[nodiscard]] const std::vector<KeyValue>& key_values() const { return metadata_.key_values; }
  [[nodiscard]] bool has(std::string_view column) const;

  /// With as many rows as the file, and no more than so many bytes in memory: by default 100 times
  /// the file's, and 512 MiB where that is less. The user's mistakes: there is no such column, it
  /// is of a kind that is not read, or its pages are damaged.
  [[nodiscard]] Checked<Column> read(std::string_view column) const;
  [[nodiscard]] Checked<Column> read(std::string_view column, std::uint64_t most_bytes) const;

 private:
  File(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {}
  void read_metadata();
  [[nodiscard]] Column read_leaf(std::size_t leaf, std::uint64_t most_bytes) const;

  std::string name_;
  std::string_view bytes_;
  FileMetadata metadata_;
  std::vector<Leaf> leaves_;
  std::uint64_t rows_ = 0;
};

}  // namespace somnus::parquet
