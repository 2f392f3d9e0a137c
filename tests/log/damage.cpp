#include "log/damage.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <span>

#include "hdf5/handles.hpp"
#include "log/table.hpp"

namespace somnus::testing {
namespace {

using hdf5::Attribute;
using hdf5::checked;
using hdf5::Dataset;
using hdf5::Dataspace;
using hdf5::Datatype;
using hdf5::Properties;
using Bytes = std::vector<std::byte>;

hdf5::File open(const std::filesystem::path& log) {
  return {H5Fopen(log.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), "open the log"};
}

herr_t keep_dataset(hid_t, const char* name, const H5O_info_t* info, void* paths) {
  if (info->type == H5O_TYPE_DATASET) {
    static_cast<std::vector<std::string>*>(paths)->push_back(fmt::format("/{}", name));
  }
  return 0;
}

std::vector<std::string> datasets(hid_t file) {
  std::vector<std::string> paths;
  checked(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, keep_dataset, &paths), "walk");
  return paths;
}

herr_t keep_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> attributes(hid_t object) {
  std::vector<std::string> names;
  checked(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep_name, &names), "walk");
  return names;
}

/// A dataset in memory.
struct Content {
  Datatype type;
  std::size_t rows;
  Bytes bytes;

  [[nodiscard]] std::size_t row_bytes() const { return H5Tget_size(type.get()); }
  [[nodiscard]] std::span<std::byte> row(std::size_t at) {
    return std::span(bytes).subspan(at * row_bytes(), row_bytes());
  }
};

Content content_of(const Dataset& dataset) {
  Content content{{H5Dget_type(dataset.get()), "type"}, hdf5::row_count(dataset), {}};
  content.bytes.resize(content.rows * content.row_bytes());
  hdf5::read_rows(dataset, content.type, 0, content.rows, content.bytes.data());
  return content;
}

void copy_attribute(hid_t from, hid_t to, const std::string& name) {
  const Attribute source(H5Aopen(from, name.c_str(), H5P_DEFAULT), "open");
  const Datatype type(H5Aget_type(source.get()), "type");
  const Dataspace space(H5Aget_space(source.get()), "space");
  Bytes bytes(H5Tget_size(type.get()) *
              static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  bytes.reserve(1);
  checked(H5Aread(source.get(), type.get(), bytes.data()), "read");
  const Attribute copy(
      H5Acreate2(to, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), "create");
  checked(H5Awrite(copy.get(), type.get(), bytes.data()), "write");
}

/// Puts a dataset of the same attributes in its place.
void replace(hid_t file, const std::string& path, const Content& content) {
  const Dataset old(H5Dopen2(file, path.c_str(), H5P_DEFAULT), "open");
  checked(H5Ldelete(file, path.c_str(), H5P_DEFAULT), "delete");
  const hsize_t rows = content.bytes.size() / content.row_bytes();
  const Dataspace space(H5Screate_simple(1, &rows, nullptr), "space");
  const Dataset made(H5Dcreate2(file, path.c_str(), content.type.get(), space.get(), H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT),
                     "create");
  for (const std::string& name : attributes(old.get())) {
    copy_attribute(old.get(), made.get(), name);
  }
  hdf5::write_rows(made, content.type, 0, rows, content.bytes.data());
}

std::vector<std::string> columns(const Content& content) {
  if (H5Tget_class(content.type.get()) != H5T_COMPOUND) return {""};
  std::vector<std::string> names;
  const auto count = static_cast<unsigned>(H5Tget_nmembers(content.type.get()));
  for (unsigned at = 0; at < count; ++at) {
    char* const name = H5Tget_member_name(content.type.get(), at);
    names.emplace_back(name);
    H5free_memory(name);
  }
  return names;
}

void harm_rows(Content& content, const Damage& damage) {
  const auto row = content.row(damage.row);
  const auto begin =
      content.bytes.begin() + static_cast<std::ptrdiff_t>(damage.row * content.row_bytes());
  const auto end = begin + static_cast<std::ptrdiff_t>(content.row_bytes());
  switch (damage.harm) {
    case Harm::value: {
      std::size_t offset = 0;
      if (!damage.name.empty()) {
        const int member = H5Tget_member_index(content.type.get(), damage.name.c_str());
        offset = H5Tget_member_offset(content.type.get(), static_cast<unsigned>(member));
      }
      row[offset] ^= std::byte{1};
      break;
    }
    case Harm::row_gone:
      content.bytes.erase(begin, end);
      break;
    case Harm::row_twice: {
      const Bytes copy(begin, end);
      content.bytes.insert(end, copy.begin(), copy.end());
      break;
    }
    case Harm::rows_exchanged:
      std::ranges::swap_ranges(row, content.row(damage.row + 1));
      break;
    case Harm::attribute:
      break;
  }
}

void harm_attribute(hid_t object, const std::string& name) {
  const Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open");
  const Datatype type(H5Aget_type(attribute.get()), "type");
  const Dataspace space(H5Aget_space(attribute.get()), "space");
  Bytes bytes(H5Tget_size(type.get()) *
              static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  checked(H5Aread(attribute.get(), type.get(), bytes.data()), "read");
  bytes.front() ^= std::byte{1};
  checked(H5Awrite(attribute.get(), type.get(), bytes.data()), "write");
}

}  // namespace

std::string Damage::text() const {
  switch (harm) {
    case Harm::value:
      return fmt::format("{} row {}: another {}", dataset, row, name);
    case Harm::row_gone:
      return fmt::format("{} row {} is gone", dataset, row);
    case Harm::row_twice:
      return fmt::format("{} row {} twice", dataset, row);
    case Harm::rows_exchanged:
      return fmt::format("{} rows {} and {} exchanged", dataset, row, row + 1);
    case Harm::attribute:
      return fmt::format("attribute {} of {}", name, dataset);
  }
  return {};
}

std::vector<std::string> Damage::clues() const {
  if (harm != Harm::attribute) return {dataset};
  return {name == "seal" ? "attribute" : name};
}

std::vector<Damage> damages_of(const std::filesystem::path& log) {
  const hdf5::File file = open(log);
  std::vector<Damage> all;
  const auto spoil_attributes = [&](hid_t object, const std::string& path) {
    for (const std::string& name : attributes(object)) {
      const Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open");
      const Dataspace space(H5Aget_space(attribute.get()), "space");
      const bool empty = H5Sget_simple_extent_npoints(space.get()) == 0;
      if (!empty) all.push_back({Harm::attribute, path, name});
    }
  };
  spoil_attributes(file.get(), "/");
  for (const std::string& path : datasets(file.get())) {
    const Dataset dataset(H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT), "open");
    const Content content = content_of(dataset);
    spoil_attributes(dataset.get(), path);
    if (content.rows == 0) continue;
    const std::size_t row = (content.rows - 1) / 2;
    for (const std::string& column : columns(content)) {
      all.push_back({Harm::value, path, column, row});
    }
    all.push_back({Harm::row_gone, path, "", row});
    all.push_back({Harm::row_gone, path, "", content.rows - 1});
    all.push_back({Harm::row_twice, path, "", row});
    all.push_back({Harm::row_twice, path, "", content.rows - 1});
    if (content.rows > 1) all.push_back({Harm::rows_exchanged, path, "", row});
  }
  return all;
}

std::vector<std::string> columns_of(const std::filesystem::path& log) {
  const hdf5::File file = open(log);
  std::vector<std::string> all;
  for (const std::string& path : datasets(file.get())) {
    const Dataset dataset(H5Dopen2(file.get(), path.c_str(), H5P_DEFAULT), "open");
    for (const std::string& column : columns(content_of(dataset))) {
      all.push_back(column.empty() ? path : fmt::format("{}.{}", path, column));
    }
  }
  return all;
}

void apply(const Damage& damage, const std::filesystem::path& log) {
  const hdf5::File file = open(log);
  if (damage.dataset == "/") return harm_attribute(file.get(), damage.name);
  Dataset dataset(H5Dopen2(file.get(), damage.dataset.c_str(), H5P_DEFAULT), "open");
  if (damage.harm == Harm::attribute) return harm_attribute(dataset.get(), damage.name);
  Content content = content_of(dataset);
  harm_rows(content, damage);
  replace(file.get(), damage.dataset, content);
}

void repack(const std::filesystem::path& log) {
  std::filesystem::path small = log;
  small += ".small";
  {
    const hdf5::File from = open(log);
    const Properties newest(H5Pcreate(H5P_FILE_ACCESS), "make properties");  // long attributes
    checked(H5Pset_libver_bounds(newest.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "choose");
    const hdf5::File to(H5Fcreate(small.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, newest.get()), "make");
    for (const std::string& name : attributes(from.get())) {
      copy_attribute(from.get(), to.get(), name);
    }
    const Properties links(H5Pcreate(H5P_LINK_CREATE), "make properties");
    checked(H5Pset_create_intermediate_group(links.get(), 1), "make groups");
    for (const std::string& path : datasets(from.get())) {
      const Dataset old(H5Dopen2(from.get(), path.c_str(), H5P_DEFAULT), "open");
      const Content content = content_of(old);
      const hsize_t rows = content.rows;
      const Dataspace space(H5Screate_simple(1, &rows, nullptr), "space");
      const Dataset made(H5Dcreate2(to.get(), path.c_str(), content.type.get(), space.get(),
                                    links.get(), H5P_DEFAULT, H5P_DEFAULT),
                         "create");
      for (const std::string& name : attributes(old.get())) {
        copy_attribute(old.get(), made.get(), name);
      }
      hdf5::write_rows(made, content.type, 0, rows, content.bytes.data());
    }
  }
  std::filesystem::rename(small, log);
}

}  // namespace somnus::testing
