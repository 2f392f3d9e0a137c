// Whether a log is as the run wrote it: its seals, looked at while its rows are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hdf5/handles.hpp"
#include "log/layout.hpp"
#include "log/log.hpp"
#include "log/seal.hpp"

namespace somnus::hdf5 {

/// What is wrong with the file's seals, gathered while it is read.
class SealCheck {
 public:
  SealCheck(std::uint64_t salt, bool being_written) : salt_(salt), being_written_(being_written) {}

  /// What /seals says, to be called before rows are read. `seal`: of its own rows; 0: not known.
  void take(Dataset seals, std::uint64_t seal);
  /// The object's attributes; `what`: "/tasks attribute", say.
  void attributes(hid_t object, const std::string& what);
  /// How many of its rows count: all, or while it is written those that have a seal.
  [[nodiscard]] std::size_t rows_that_count(const Dataset& dataset, const std::string& path);
  /// Rows of a table from one on, as they lie in memory.
  void read(const Dataset& dataset, const std::string& path, const Layout& layout, std::size_t from,
            std::span<std::byte> in_memory);
  /// take(cells) of a dataset of plain ones, so many of its first, slice by slice.
  void read_cells(const Dataset& dataset, const std::string& path, std::size_t count,
                  const std::function<void(std::span<const std::byte>)>& take);

  void broken(std::string sentence);

  [[nodiscard]] SealAudit audit() && { return std::move(audit_); }

 private:
  /// In order, as far as they follow each other from row 0 on.
  [[nodiscard]] std::span<const SealRow> blocks_of(const std::string& path) const;
  /// take(first row, rows as they lie in the file), slice by slice; again from the block's first
  /// where one was written meanwhile.
  template <class Take>
  void read_blocks(const Dataset& dataset, const std::string& path, std::size_t from,
                   std::size_t end, const Take& take);
  template <class Take>
  [[nodiscard]] bool read_block(const Dataset& dataset, const std::string& path,
                                const Datatype& type, SealRow block, const Take& take);
  void load();

  std::uint64_t salt_;
  bool being_written_;
  Dataset seals_;
  std::vector<std::string> tables_;
  std::vector<SealRow> rows_;  // by table, then first row
  SealAudit audit_;
};

}  // namespace somnus::hdf5
