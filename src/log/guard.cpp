#include "log/guard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "log/table.hpp"

namespace somnus::hdf5 {
namespace {

// Deflate makes at most 1032 bytes of one. Whoever is killed leaves a few chunks that were never
// written, and no chunk of ours is larger than this but for a name of that length.
constexpr double most_expansion = 1032;
constexpr double unwritten_bytes = 64 << 20;
constexpr hsize_t most_chunk_bytes = 256 << 20;

double file_bytes_of(hid_t object) {
  const File file(H5Iget_file_id(object), "see a file's length");
  hsize_t bytes = 0;
  checked(H5Fget_filesize(file.get(), &bytes), "see a file's length");
  return static_cast<double>(bytes);
}

bool is_known(H5Z_filter_t filter) {
  return filter == H5Z_FILTER_SHUFFLE || filter == H5Z_FILTER_DEFLATE ||
         filter == H5Z_FILTER_FLETCHER32;
}

bool is_list(const Dataset& dataset) {
  const Dataspace space(H5Dget_space(dataset.get()), "see a table's length");
  return H5Sis_simple(space.get()) > 0 && H5Sget_simple_extent_ndims(space.get()) == 1;
}

bool cells_lie_elsewhere(const Dataset& dataset) {
  const Datatype type(H5Dget_type(dataset.get()), "see a table's columns");
  return H5Tdetect_class(type.get(), H5T_VLEN) != 0 || H5Tis_variable_str(type.get()) > 0 ||
         H5Tdetect_class(type.get(), H5T_REFERENCE) != 0;
}

std::size_t cell_bytes(const Dataset& dataset) {
  const Datatype type(H5Dget_type(dataset.get()), "see a table's columns");
  return H5Tget_size(type.get());
}

std::optional<std::string> objection_to_filters(const Properties& properties) {
  const int filters = checked(H5Pget_nfilters(properties.get()), "see a table's compression");
  for (unsigned at = 0; at < static_cast<unsigned>(filters); ++at) {
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(properties.get(), at, nullptr, &values, nullptr, 0, nullptr, nullptr);
    if (!is_known(filter)) return fmt::format("is packed by filter {}, expected deflate", filter);
  }
  return std::nullopt;
}

}  // namespace

bool is_link(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(file, part.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t link{};
    checked(H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT), "see where a link leads");
    if (link.type != H5L_TYPE_HARD) return true;
    if (end == std::string::npos) return false;
  }
}

std::optional<std::string> objection_to(const Dataset& dataset) {
  const Properties properties(H5Dget_create_plist(dataset.get()), "see how a table is kept");
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  const bool outside = layout == H5D_VIRTUAL || H5Pget_external_count(properties.get()) != 0;
  if (outside) return "is kept outside of this file, expected it inside";
  if (!is_list(dataset)) return "is no list, expected one row after the other";
  if (cells_lie_elsewhere(dataset)) return "has cells of any length, expected numbers or names";
  if (auto objection = objection_to_filters(properties)) return objection;

  const double file_bytes = file_bytes_of(dataset.get());
  const auto rows = static_cast<double>(row_count(dataset));
  const auto cell = static_cast<double>(cell_bytes(dataset));
  double room = file_bytes;
  if (layout == H5D_CHUNKED) {
    hsize_t chunk_rows = 0;
    checked(H5Pget_chunk(properties.get(), 1, &chunk_rows), "see a table's chunks");
    const hsize_t chunk_bytes = chunk_rows * static_cast<hsize_t>(cell);
    if (chunk_bytes > most_chunk_bytes) {
      return fmt::format("has chunks of {} bytes, expected at most {}", chunk_bytes,
                         most_chunk_bytes);
    }
    const double kept =
        std::min(static_cast<double>(H5Dget_storage_size(dataset.get())), file_bytes);
    room = most_expansion * kept + unwritten_bytes;
  }
  if (rows * cell <= room) return std::nullopt;
  return fmt::format("says that it has {} rows of {} bytes, more than a file of {} bytes can hold",
                     rows, cell, file_bytes);
}

std::size_t bytes_of(const Attribute& attribute) {
  const Datatype type(H5Aget_type(attribute.get()), "see an attribute's type");
  const Dataspace space(H5Aget_space(attribute.get()), "see an attribute's length");
  const hssize_t length =
      checked(H5Sget_simple_extent_npoints(space.get()), "see an attribute's length");
  const double bytes = static_cast<double>(length) * static_cast<double>(H5Tget_size(type.get()));
  if (bytes > file_bytes_of(attribute.get())) fail("an attribute is larger than the file");
  return static_cast<std::size_t>(bytes);
}

}  // namespace somnus::hdf5
