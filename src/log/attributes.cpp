#include "log/attributes.hpp"

#include <algorithm>

#include "log/guard.hpp"

namespace somnus::hdf5 {
namespace {

Dataspace scalar() { return {H5Screate(H5S_SCALAR), "make a dataspace"}; }

Dataspace list(std::size_t length) {
  const hsize_t extent = length;
  return {H5Screate_simple(1, &extent, nullptr), "make a dataspace"};
}

void write(hid_t object, const std::string& name, hid_t type, const Dataspace& space,
           const void* data) {
  const Attribute attribute(
      H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT),
      "create an attribute");
  checked(H5Awrite(attribute.get(), type, data), "write an attribute");
}

/// An existing attribute with its type and length.
struct Opened {
  Attribute attribute;
  Datatype type;
  H5T_class_t kind;
  std::size_t length;
};

std::optional<Opened> open(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
  Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open an attribute");
  Datatype type(H5Aget_type(attribute.get()), "see an attribute's type");
  const Dataspace space(H5Aget_space(attribute.get()), "see an attribute's length");
  const hssize_t length =
      checked(H5Sget_simple_extent_npoints(space.get()), "see an attribute's length");
  static_cast<void>(bytes_of(attribute));
  const H5T_class_t kind = H5Tget_class(type.get());
  return Opened{std::move(attribute), std::move(type), kind, static_cast<std::size_t>(length)};
}

bool is_number(const Opened& opened) {
  return opened.kind == H5T_INTEGER || opened.kind == H5T_FLOAT;
}

}  // namespace

Datatype text_type(std::size_t bytes) {
  Datatype type(H5Tcopy(H5T_C_S1), "make a string type");
  checked(H5Tset_size(type.get(), std::max<std::size_t>(bytes, 1)), "make a string type");
  checked(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), "make a string type");
  checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a string type");
  return type;
}

std::size_t width_of(std::span<const std::string> texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  return width;
}

std::string padded(std::span<const std::string> texts, std::size_t width) {
  std::string bytes;
  bytes.reserve(texts.size() * width);
  for (const std::string& text : texts) {
    bytes += text;
    bytes.append(width - text.size(), '\0');
  }
  return bytes;
}

std::vector<std::string> unpadded(std::string_view bytes, std::size_t width) {
  std::vector<std::string> texts;
  texts.reserve(bytes.size() / width);
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    const std::string_view cell = bytes.substr(at, width);
    texts.emplace_back(cell.substr(0, cell.find_last_not_of('\0') + 1));
  }
  return texts;
}

void write_text(hid_t object, const std::string& name, const std::string& text) {
  write(object, name, text_type(text.size()).get(), scalar(), text.c_str());
}

void write_texts(hid_t object, const std::string& name, std::span<const std::string> texts) {
  const std::size_t width = width_of(texts);
  write(object, name, text_type(width).get(), list(texts.size()), padded(texts, width).c_str());
}

void write_number(hid_t object, const std::string& name, std::int64_t number) {
  write(object, name, H5T_NATIVE_INT64, scalar(), &number);
}

void write_number(hid_t object, const std::string& name, std::uint64_t number) {
  write(object, name, H5T_NATIVE_UINT64, scalar(), &number);
}

void write_number(hid_t object, const std::string& name, double number) {
  write(object, name, H5T_NATIVE_DOUBLE, scalar(), &number);
}

void write_numbers(hid_t object, const std::string& name, std::span<const std::uint64_t> numbers) {
  constexpr std::uint64_t none = 0;  // HDF5 wants a place to read from, even for nothing
  const std::uint64_t* const data = numbers.empty() ? &none : numbers.data();
  write(object, name, H5T_NATIVE_UINT64, list(numbers.size()), data);
}

void overwrite_number(hid_t object, const std::string& name, std::uint64_t number) {
  const Attribute attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open an attribute");
  checked(H5Awrite(attribute.get(), H5T_NATIVE_UINT64, &number), "write an attribute");
}

std::optional<std::vector<std::string>> read_texts(hid_t object, const std::string& name) {
  const std::optional<Opened> opened = open(object, name);
  if (!opened || opened->kind != H5T_STRING) return std::nullopt;
  if (H5Tis_variable_str(opened->type.get()) != 0) return std::nullopt;
  const std::size_t width = H5Tget_size(opened->type.get());
  std::string bytes(width * opened->length, '\0');
  checked(H5Aread(opened->attribute.get(), opened->type.get(), bytes.data()), "read an attribute");
  return unpadded(bytes, width);
}

std::optional<std::string> read_text(hid_t object, const std::string& name) {
  std::optional<std::vector<std::string>> texts = read_texts(object, name);
  if (!texts || texts->size() != 1) return std::nullopt;
  return std::move(texts->front());
}

std::optional<std::vector<std::uint64_t>> read_numbers(hid_t object, const std::string& name) {
  const std::optional<Opened> opened = open(object, name);
  if (!opened || !is_number(*opened)) return std::nullopt;
  std::vector<std::uint64_t> numbers(opened->length);
  if (numbers.empty()) return numbers;
  checked(H5Aread(opened->attribute.get(), H5T_NATIVE_UINT64, numbers.data()), "read an attribute");
  return numbers;
}

std::optional<std::uint64_t> read_number(hid_t object, const std::string& name) {
  const std::optional<std::vector<std::uint64_t>> numbers = read_numbers(object, name);
  if (!numbers || numbers->size() != 1) return std::nullopt;
  return numbers->front();
}

std::optional<double> read_real(hid_t object, const std::string& name) {
  const std::optional<Opened> opened = open(object, name);
  if (!opened || !is_number(*opened) || opened->length != 1) return std::nullopt;
  double number = 0;
  checked(H5Aread(opened->attribute.get(), H5T_NATIVE_DOUBLE, &number), "read an attribute");
  return number;
}

}  // namespace somnus::hdf5
