#include "log/plain_table.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/error.hpp"
#include "log/attributes.hpp"
#include "log/table.hpp"

namespace somnus {
namespace {

/// A column's place in a row, and its cells as they lie there.
struct PlacedColumn {
  hdf5::Datatype type;
  std::size_t offset;
  std::size_t width;
  std::string cells;  // side by side
};

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

PlacedColumn placed(const PlainColumn& column, std::size_t offset) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.cells)) {
    const std::size_t width = hdf5::width_of(*texts);
    return {hdf5::text_type(width), offset, width, hdf5::padded(*texts, width)};
  }
  const bool whole = std::holds_alternative<std::vector<std::uint64_t>>(column.cells);
  hdf5::Datatype type(H5Tcopy(whole ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE), "make a column type");
  return {std::move(type), offset, sizeof(double),
          whole ? bytes_of(std::get<std::vector<std::uint64_t>>(column.cells))
                : bytes_of(std::get<std::vector<double>>(column.cells))};
}

void write(const std::filesystem::path& path, const std::string& name,
           std::span<const PlainColumn> columns) {
  std::vector<PlacedColumn> all;
  std::size_t row_bytes = 0;
  for (const PlainColumn& column : columns) {
    all.push_back(placed(column, row_bytes));
    row_bytes += all.back().width;
  }
  const std::size_t rows = all.empty() ? 0 : all.front().cells.size() / all.front().width;
  const hdf5::Datatype type(H5Tcreate(H5T_COMPOUND, row_bytes), "make a row type");
  std::string bytes(rows * row_bytes, '\0');
  for (std::size_t at = 0; at < all.size(); ++at) {
    const PlacedColumn& column = all[at];
    hdf5::checked(H5Tinsert(type.get(), columns[at].name.c_str(), column.offset, column.type.get()),
                  "make a row type");
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(bytes.data() + row * row_bytes + column.offset,
                  column.cells.data() + row * column.width, column.width);
    }
  }
  const hdf5::Properties creation(H5Pcreate(H5P_FILE_CREATE), "make properties");
  hdf5::checked(H5Pset_obj_track_times(creation.get(), false), "switch object times off");
  hdf5::File file(
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), hdf5::access_without_locks().get()),
      "create the file");
  {
    const hsize_t extent = rows;
    const hdf5::Dataspace space(H5Screate_simple(1, &extent, nullptr), "make a dataspace");
    const hdf5::Dataset dataset(
        H5Dcreate2(file.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                   hdf5::dataset_properties().get(), H5P_DEFAULT),
        "create a table");
    for (const PlainColumn& column : columns) {
      if (!column.unit.empty()) {
        hdf5::write_text(dataset.get(), column.name + ".unit", column.unit);
      }
    }
    if (rows > 0) hdf5::write_rows(dataset, type, 0, rows, bytes.data());
  }
  file.close("close the file");
}

}  // namespace

void write_plain_table(const std::filesystem::path& file, const std::string& name,
                       std::span<const PlainColumn> columns) {
  hdf5::prepare_thread();
  try {
    write(file, name, columns);
  } catch (const std::exception& error) {
    throw WorldError(fmt::format("{}: cannot be written: {}", file.string(), error.what()));
  }
}

}  // namespace somnus
