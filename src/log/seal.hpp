// Seals: hashes by which a reader knows that a file is as the run wrote it, and where it is not.
//
// Each row of each table ends in a column `seal`: the XXH3 of its other bytes under a seed made of
// the run's salt, the table's path, its columns and the row's number. So a row that was changed,
// that is missing before others, doubled or exchanged no longer fits, and is known by its number;
// rows can be sealed and changed one by one, and those of a killed run are sealed as far as they
// were written. A row that was never written has seal 0, which no written one has. Rows that are
// missing at the end are missed by the attribute `rows` of each table, written when its length is
// known. Attributes are sealed by an attribute `seal` of the same object: a hash each, in order of
// their names. Cells of /names have an attribute `row_seals`.
//
// A seal is no signature: with this code a forged log can be sealed. What rows say is therefore
// also recomputed, as far as it can be (src/audit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hdf5/handles.hpp"
#include "log/layout.hpp"
#include "log/log.hpp"

namespace somnus::hdf5 {

/// Of mode, workload and seed: a row of another run does not fit, and equal runs give equal bytes.
[[nodiscard]] std::uint64_t salt_of(const LogHeader& header);

/// Seals the rows of one dataset, whose path, columns and types go into each seal.
class Sealer {
 public:
  Sealer(const Dataset& dataset, std::uint64_t salt);

  /// Of a row's bytes without the seal. Never 0.
  [[nodiscard]] std::uint64_t seal(std::size_t row, std::span<const std::byte> bytes) const;
  /// Sets the last 8 bytes of a row.
  void close(std::size_t row, std::span<std::byte> bytes) const {
    const std::span<std::byte> rest = bytes.first(bytes.size() - sizeof(std::uint64_t));
    const std::uint64_t sealed = seal(row, rest);
    std::memcpy(rest.data() + rest.size(), &sealed, sizeof sealed);
  }

 private:
  std::uint64_t seed_;
};

/// Rows from memory as they lie in the file.
[[nodiscard]] std::vector<std::byte> sealed_rows(const Layout& layout, const Sealer& sealer,
                                                 std::span<const std::byte> in_memory);

/// Says with an attribute how many rows the dataset has, and seals its attributes.
void seal_dataset(const Dataset& dataset);
/// The opposite of its first half, while the dataset grows.
void forget_length(const Dataset& dataset);
/// Seals all attributes that the object has now, instead of those that it had.
void seal_attributes(hid_t object);

/// What is wrong with the file's seals, gathered while it is read.
class SealCheck {
 public:
  explicit SealCheck(std::uint64_t salt) : salt_(salt) {}

  /// The object's attributes; `what`: "/tasks attribute", say.
  void attributes(hid_t object, const std::string& what);
  /// `must`: the dataset's length must be sealed.
  void row_count(const Dataset& dataset, const std::string& path, bool must);
  /// Reads a table's rows from one on to its end, as they lie in memory. Returns how many there
  /// are: where a table `may_end_early`, none behind the last that has a seal.
  [[nodiscard]] std::size_t read(const Dataset& dataset, const std::string& path,
                                 const Layout& layout, std::size_t from, bool may_end_early,
                                 std::span<std::byte> in_memory);
  /// The cells of a dataset without columns, with their seals beside them.
  void cells(const Sealer& sealer, const std::string& path, std::size_t first,
             std::span<const std::byte> cells, std::span<const std::uint64_t> seals);

  void broken(std::string sentence);

  [[nodiscard]] std::uint64_t salt() const { return salt_; }
  [[nodiscard]] SealAudit audit() && { return std::move(audit_); }

 private:
  void row(const Sealer& sealer, const std::string& path, std::size_t row,
           std::span<const std::byte> bytes, std::uint64_t seal);

  std::uint64_t salt_;
  SealAudit audit_;
};

}  // namespace somnus::hdf5
