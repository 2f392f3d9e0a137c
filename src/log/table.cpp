#include "log/table.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "log/attributes.hpp"
#include "log/guard.hpp"

namespace somnus::hdf5 {
namespace {

constexpr unsigned most_attributes = 200;

hid_t native_type(Number number) {
  switch (number) {
    case Number::u8:
      return H5T_NATIVE_UINT8;
    case Number::u16:
      return H5T_NATIVE_UINT16;
    case Number::u32:
      return H5T_NATIVE_UINT32;
    case Number::u64:
      return H5T_NATIVE_UINT64;
    case Number::f64:
      return H5T_NATIVE_DOUBLE;
  }
  return -1;
}

Dataset create(hid_t file, const std::string& path, const Layout& layout, const Dataspace& space,
               const Properties& properties) {
  Dataset dataset(H5Dcreate2(file, path.c_str(), compound_type(layout).get(), space.get(),
                             H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                  "create a table");
  for (const Column& column : layout.columns()) {
    write_text(dataset.get(), column.name + ".unit", column.unit);
    write_text(dataset.get(), column.name + ".meaning", column.meaning);
  }
  return dataset;
}

/// The dataset's space with the rows selected that are to be written or read.
Dataspace selected(const Dataset& dataset, std::size_t first, std::size_t count) {
  Dataspace space(H5Dget_space(dataset.get()), "see a table's length");
  const hsize_t start = first;
  const hsize_t rows = count;
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &rows, nullptr),
          "select rows");
  return space;
}

Dataspace memory_space(std::size_t count) {
  const hsize_t rows = count;
  return {H5Screate_simple(1, &rows, nullptr), "make a dataspace"};
}

std::size_t end_of_chunks(const Dataset& dataset, const Properties& properties) {
  hsize_t chunk_rows = 0;
  checked(H5Pget_chunk(properties.get(), 1, &chunk_rows), "see a table's chunks");
  const hsize_t rows = row_count(dataset);
  std::size_t end = 0;
  for (hsize_t row = 0; row < rows; row += chunk_rows) {
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    checked(H5Dget_chunk_info_by_coord(dataset.get(), &row, &filters, &address, &bytes),
            "see a table's chunks");
    if (address != HADDR_UNDEF) end = std::max<std::size_t>(end, address + bytes);
  }
  return end;
}

}  // namespace

Datatype compound_type(const Layout& layout) {
  Datatype type(H5Tcreate(H5T_COMPOUND, layout.row_bytes()), "make a row type");
  for (const Column& column : layout.columns()) {
    checked(H5Tinsert(type.get(), column.name.c_str(), column.offset, native_type(column.number)),
            "make a row type");
  }
  return type;
}

Properties dataset_properties() {
  Properties properties(H5Pcreate(H5P_DATASET_CREATE), "make properties");
  checked(H5Pset_obj_track_times(properties.get(), false), "switch object times off");
  // Attributes beside the object itself: a heap and a tree for a dozen cost more than they do.
  checked(H5Pset_attr_phase_change(properties.get(), most_attributes, most_attributes),
          "choose how attributes are kept");
  return properties;
}

Dataset create_fixed(hid_t file, const std::string& path, const Layout& layout, std::size_t rows) {
  return create(file, path, layout, memory_space(rows), dataset_properties());
}

Dataset create_growing(hid_t file, const std::string& path, const Layout& layout,
                       std::size_t chunk_rows, int compression) {
  const Properties properties = dataset_properties();
  const hsize_t chunk = chunk_rows;
  checked(H5Pset_chunk(properties.get(), 1, &chunk), "set a table's chunks");
  if (compression > 0) {
    checked(H5Pset_shuffle(properties.get()), "set a table's compression");
    checked(H5Pset_deflate(properties.get(), static_cast<unsigned>(compression)),
            "set a table's compression");
  }
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const Dataspace space(H5Screate_simple(1, &none, &unlimited), "make a dataspace");
  return create(file, path, layout, space, properties);
}

std::optional<Dataset> open_dataset(hid_t file, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash != 0 && H5Lexists(file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) {
    return std::nullopt;
  }
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return std::nullopt;
  if (is_link(file, path)) return std::nullopt;
  const hid_t id = H5Dopen2(file, path.c_str(), H5P_DEFAULT);
  if (id < 0) return std::nullopt;
  return Dataset(id, "open a table");
}

std::size_t row_count(const Dataset& dataset) {
  const Dataspace space(H5Dget_space(dataset.get()), "see a table's length");
  const hssize_t rows = checked(H5Sget_simple_extent_npoints(space.get()), "see a table's length");
  return static_cast<std::size_t>(rows);
}

bool can_have_rows(const Dataset& dataset, std::size_t rows) {
  const Properties properties(H5Dget_create_plist(dataset.get()), "see how a table is kept");
  const Dataspace space(H5Dget_space(dataset.get()), "see a table's length");
  hsize_t most = 0;
  checked(H5Sget_simple_extent_dims(space.get(), nullptr, &most), "see a table's length");
  return H5Pget_layout(properties.get()) == H5D_CHUNKED && rows <= most;
}

void set_row_count(const Dataset& dataset, std::size_t rows) {
  const hsize_t extent = rows;
  checked(H5Dset_extent(dataset.get(), &extent), "extend a table");
}

void write_rows(const Dataset& dataset, const Datatype& type, std::size_t first, std::size_t count,
                const void* rows) {
  if (count == 0) return;
  checked(H5Dwrite(dataset.get(), type.get(), memory_space(count).get(),
                   selected(dataset, first, count).get(), H5P_DEFAULT, rows),
          "write rows");
}

void read_rows(const Dataset& dataset, const Datatype& type, std::size_t first, std::size_t count,
               void* rows) {
  if (count == 0) return;
  checked(H5Dread(dataset.get(), type.get(), memory_space(count).get(),
                  selected(dataset, first, count).get(), H5P_DEFAULT, rows),
          "read rows");
}

std::optional<std::string> missing_column(const Dataset& dataset, const Layout& layout) {
  const Datatype type(H5Dget_type(dataset.get()), "see a table's columns");
  const bool rows = H5Tget_class(type.get()) == H5T_COMPOUND;
  for (const Column& column : layout.columns()) {
    const int index = rows ? H5Tget_member_index(type.get(), column.name.c_str()) : -1;
    if (index < 0) return column.name;
    const H5T_class_t kind = H5Tget_member_class(type.get(), static_cast<unsigned>(index));
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) return column.name;
  }
  return std::nullopt;
}

std::size_t end_in_file(const Dataset& dataset) {
  const Properties properties(H5Dget_create_plist(dataset.get()), "see a table's chunks");
  if (H5Pget_layout(properties.get()) == H5D_CHUNKED) return end_of_chunks(dataset, properties);
  const haddr_t address = H5Dget_offset(dataset.get());
  return address == HADDR_UNDEF ? 0 : address + H5Dget_storage_size(dataset.get());
}

}  // namespace somnus::hdf5
