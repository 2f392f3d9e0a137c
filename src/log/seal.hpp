// Seals: hashes by which a reader knows that a file is as the run wrote it, and where it is not.
//
// The table /seals has a row for each block of rows of each other table and list of names: the
// XXH3 of these rows' bytes under a seed made of the run's salt, the table's path, its columns and
// the block's first row. So a block in which a row was changed, exchanged, doubled or removed no
// longer fits. Rows count once their seal is written: a killed run may leave others behind them,
// which were never finished. A block whose rows change while others read it has two seals then, of
// what stood there and of what is to stand there. At the run's end the rows of /seals are sealed by
// a root attribute. Attributes are sealed by an attribute `seal` of the same object: a hash each,
// in order of their names.
//
// A seal is no signature: with this code a forged log can be sealed. What rows say is therefore
// also recomputed, as far as it can be (src/audit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "hdf5/handles.hpp"
#include "log/layout.hpp"
#include "log/log.hpp"

namespace somnus::hdf5 {

/// Of mode, workload and seed: a row of another run does not fit, and equal runs give equal bytes.
[[nodiscard]] std::uint64_t salt_of(const LogHeader& header);

/// The attributes of an object in order of their names, without that of the seals.
[[nodiscard]] std::vector<std::string> attribute_names(hid_t object);
/// A hash of each.
[[nodiscard]] std::vector<std::uint64_t> seals_of_attributes(hid_t object);
/// Seals all that the object has now, instead of those that it had.
void seal_attributes(hid_t object);

/// /seals, one row a block.
struct SealRow {
  std::uint32_t table = 0;
  std::uint32_t rows = 0;
  std::uint64_t first = 0;
  std::uint64_t seal = 0;
  std::uint64_t next = 0;

  friend bool operator==(const SealRow&, const SealRow&) = default;
  static constexpr auto fields() {
    using R = SealRow;
    return in_order(
        field("table", &R::table, "1", "place of its path in the attribute `tables`"),
        field("rows", &R::rows, "1", "how many rows the block has"),
        field("first", &R::first, "1", "the first of them"),
        field("seal", &R::seal, "", "hash of the rows"),
        field("next", &R::next, "", "of those that are to take their place; else as `seal`"));
  }
};

inline constexpr const char* attribute_seals = "seal";
inline constexpr const char* seals_path = "/seals";
inline constexpr const char* tables_attribute = "tables";

/// What goes into each seal of a dataset beside the rows.
class Sealer {
 public:
  Sealer(const Dataset& dataset, std::uint64_t salt);

  [[nodiscard]] std::uint64_t seed(std::uint64_t first_row) const;
  [[nodiscard]] std::uint64_t seal(std::uint64_t first_row, std::span<const std::byte> rows) const;

 private:
  std::uint64_t seed_;
};

/// An attribute of the root: 0 until the log ends.
inline constexpr const char* seal_of_seals = "seals";
/// Of the rows of /seals themselves. Never 0.
[[nodiscard]] std::uint64_t seal_of(std::span<const SealRow> rows, std::uint64_t salt);

/// The table /seals of a file that is being written.
class Seals {
 public:
  /// A fixed table's rows are sealed by blocks of so many.
  static constexpr std::size_t block_rows = 1024;

  /// An empty one.
  static Seals create(hid_t file, std::uint64_t salt);
  /// That of a file that is open for changes.
  static Seals of(hid_t file, std::uint64_t salt);

  [[nodiscard]] std::uint64_t salt() const { return salt_; }
  /// The table's place among those that have seals; one more if it is new.
  std::uint32_t table(const std::string& path);
  /// Writes their paths, and seals the attributes. No table is new after this.
  void end_tables();

  [[nodiscard]] const SealRow& row(std::size_t number) const { return rows_[number]; }
  /// The number of the row of the table's first block, behind which are those of its others.
  [[nodiscard]] std::size_t first_of(const std::string& path);
  /// Appends a row, and returns its number.
  std::size_t add(const SealRow& row);
  void set(std::size_t number, const SealRow& row);
  /// Sets the row with that number, or appends one. Returns its number.
  std::size_t put(std::optional<std::size_t> number, const SealRow& row);
  /// Of a table that is rewritten: the rows of its blocks, instead of those that it had. Returns
  /// those that are not the same.
  std::vector<SealRow> replace(std::uint32_t table, std::span<const SealRow> rows);
  [[nodiscard]] std::uint64_t seal() const { return seal_of(rows_, salt_); }
  void flush();
  void close() { dataset_.close("close a table"); }
  void abandon() { dataset_.abandon(); }

 private:
  Seals(Dataset dataset, std::uint64_t salt) : dataset_(std::move(dataset)), salt_(salt) {}

  Dataset dataset_;
  std::uint64_t salt_;
  std::vector<std::string> tables_;
  std::vector<SealRow> rows_;
  std::size_t written_ = 0;           // rows in the file
  std::vector<std::size_t> changed_;  // of these
};

/// Of each block of a table's rows, as they lie in the file.
[[nodiscard]] std::vector<SealRow> seals_of(std::uint32_t table, const Sealer& sealer,
                                            std::span<const std::byte> in_file,
                                            std::size_t row_bytes);

}  // namespace somnus::hdf5
