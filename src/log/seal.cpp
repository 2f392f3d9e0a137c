#include "log/seal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "log/attributes.hpp"
#include "log/guard.hpp"
#include "log/table.hpp"

namespace somnus::hdf5 {
namespace {

constexpr std::size_t chunk_rows = 256;

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string path_of(hid_t object) {
  const ssize_t length = checked(H5Iget_name(object, nullptr, 0), "see an object's name");
  std::string path(static_cast<std::size_t>(length), '\0');
  checked(H5Iget_name(object, path.data(), path.size() + 1), "see an object's name");
  return path;
}

/// Class and size of a type, with names and offsets of its members.
std::string words_of(hid_t type) {
  std::string words = fmt::format("{}:{}", static_cast<int>(H5Tget_class(type)), H5Tget_size(type));
  if (H5Tget_class(type) != H5T_COMPOUND) return words;
  const int members = checked(H5Tget_nmembers(type), "see a table's columns");
  for (unsigned at = 0; at < static_cast<unsigned>(members); ++at) {
    char* const name = H5Tget_member_name(type, at);
    const Datatype member(H5Tget_member_type(type, at), "see a table's columns");
    words += fmt::format(" {}@{}={}", name, H5Tget_member_offset(type, at), words_of(member.get()));
    H5free_memory(name);
  }
  return words;
}

herr_t keep_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  if (std::string_view(name) != attribute_seals) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  }
  return 0;
}

std::uint64_t attribute_seal(hid_t object, const std::string& name) {
  const Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open an attribute");
  const Datatype type(H5Aget_type(attribute.get()), "see an attribute's type");
  const bool lies_elsewhere =
      H5Tdetect_class(type.get(), H5T_VLEN) != 0 || H5Tis_variable_str(type.get()) != 0;
  if (lies_elsewhere) return 0;  // ours do not: its bytes are a pointer
  std::string bytes(bytes_of(attribute), '\0');
  if (!bytes.empty()) {
    checked(H5Aread(attribute.get(), type.get(), bytes.data()), "read an attribute");
  }
  const std::string what = path_of(object) + '\n' + name + '\n' + words_of(type.get());
  return hash64(bytes, hash64(what));
}

}  // namespace

std::uint64_t salt_of(const LogHeader& header) {
  return hash64(header.mode, hash64(header.workload_digest, header.seed));
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep_name, &names),
          "see an object's attributes");
  std::ranges::sort(names);
  return names;
}

std::vector<std::uint64_t> seals_of_attributes(hid_t object) {
  std::vector<std::uint64_t> seals;
  for (const std::string& name : attribute_names(object)) {
    seals.push_back(attribute_seal(object, name));
  }
  return seals;
}

void seal_attributes(hid_t object) {
  if (H5Aexists(object, attribute_seals) > 0) {
    checked(H5Adelete(object, attribute_seals), "replace an attribute");
  }
  write_numbers(object, attribute_seals, seals_of_attributes(object));
}

Sealer::Sealer(const Dataset& dataset, std::uint64_t salt) {
  const Datatype type(H5Dget_type(dataset.get()), "see a table's columns");
  seed_ = hash64(path_of(dataset.get()) + '\n' + words_of(type.get()), salt);
}

std::uint64_t Sealer::seed(std::uint64_t first_row) const {
  return hash64({reinterpret_cast<const char*>(&first_row), sizeof first_row}, seed_);
}

std::uint64_t Sealer::seal(std::uint64_t first_row, std::span<const std::byte> rows) const {
  return hash64(text_of(rows), seed(first_row));
}

std::uint64_t seal_of(std::span<const SealRow> rows, std::uint64_t salt) {
  return std::max<std::uint64_t>(hash64(text_of(std::as_bytes(rows)), salt), 1);
}

std::vector<SealRow> seals_of(std::uint32_t table, const Sealer& sealer,
                              std::span<const std::byte> in_file, std::size_t row_bytes) {
  std::vector<SealRow> seals;
  const std::size_t rows = in_file.size() / row_bytes;
  for (std::size_t first = 0; first < rows; first += Seals::block_rows) {
    const std::size_t count = std::min(Seals::block_rows, rows - first);
    const std::uint64_t seal =
        sealer.seal(first, in_file.subspan(first * row_bytes, count * row_bytes));
    seals.push_back({table, static_cast<std::uint32_t>(count), first, seal, seal});
  }
  return seals;
}

Seals Seals::create(hid_t file, std::uint64_t salt) {
  return {create_growing(file, seals_path, layout_of<SealRow>({}), chunk_rows, 0), salt};
}

Seals Seals::of(hid_t file, std::uint64_t salt) {
  Seals seals({H5Dopen2(file, seals_path, H5P_DEFAULT), "open a table"}, salt);
  seals.tables_ = read_texts(seals.dataset_.get(), tables_attribute).value();
  seals.rows_.resize(row_count(seals.dataset_));
  seals.written_ = seals.rows_.size();
  read_rows(seals.dataset_, compound_type(layout_of<SealRow>({})), 0, seals.written_,
            seals.rows_.data());
  return seals;
}

std::uint32_t Seals::table(const std::string& path) {
  const auto found = std::ranges::find(tables_, path);
  const auto place = static_cast<std::uint32_t>(found - tables_.begin());
  if (found == tables_.end()) tables_.push_back(path);
  return place;
}

void Seals::end_tables() {
  write_texts(dataset_.get(), tables_attribute, tables_);
  seal_attributes(dataset_.get());
}

std::size_t Seals::first_of(const std::string& path) {
  const auto found = std::ranges::find(rows_, table(path), &SealRow::table);
  return static_cast<std::size_t>(found - rows_.begin());
}

std::size_t Seals::add(const SealRow& row) {
  rows_.push_back(row);
  return rows_.size() - 1;
}

void Seals::set(std::size_t number, const SealRow& row) {
  rows_[number] = row;
  if (number < written_) changed_.push_back(number);
}

std::size_t Seals::put(std::optional<std::size_t> number, const SealRow& row) {
  if (!number) return add(row);
  set(*number, row);
  return *number;
}

std::vector<SealRow> Seals::replace(std::uint32_t table, std::span<const SealRow> rows) {
  std::vector<SealRow> others;
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    if (rows_[number].table != table) continue;
    const SealRow row = rows.empty() ? SealRow{.table = table} : rows.front();
    if (!rows.empty()) rows = rows.subspan(1);
    if (rows_[number] == row) continue;
    set(number, row);
    others.push_back(row);
  }
  for (const SealRow& row : rows) add(row);
  others.insert(others.end(), rows.begin(), rows.end());
  return others;
}

void Seals::flush() {
  if (written_ == rows_.size() && changed_.empty()) return;
  const Datatype type = compound_type(layout_of<SealRow>({}));
  if (written_ < rows_.size()) set_row_count(dataset_, rows_.size());
  write_rows(dataset_, type, written_, rows_.size() - written_, rows_.data() + written_);
  written_ = rows_.size();
  std::ranges::sort(changed_);
  const auto again = std::ranges::unique(changed_);
  changed_.erase(again.begin(), again.end());
  for (const std::size_t number : changed_) {
    write_rows(dataset_, type, number, 1, rows_.data() + number);
  }
  changed_.clear();
  checked(H5Dflush(dataset_.get()), "flush a table");
}

}  // namespace somnus::hdf5
