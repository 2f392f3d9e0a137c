#include "log/names.hpp"

#include <algorithm>

#include "log/attributes.hpp"
#include "log/table.hpp"

namespace somnus::hdf5 {
namespace {

// One long name makes all cells wide, so names go through memory in slices of about this size.
constexpr std::size_t slice_bytes = std::size_t{1} << 20;

std::size_t names_per_slice(std::size_t width) {
  return std::max<std::size_t>(slice_bytes / width, 1);
}

bool ends_in_nul(const std::string& text) { return !text.empty() && text.back() == '\0'; }

}  // namespace

void write_names(hid_t file, const std::string& path, std::span<const std::string> texts,
                 Seals& seals, int compression) {
  const std::size_t width = width_of(texts);
  const std::size_t slice = names_per_slice(width);
  const Datatype type = text_type(width);
  const hsize_t extent = texts.size();
  const Dataspace space(H5Screate_simple(1, &extent, nullptr), "make a dataspace");
  const Properties properties = dataset_properties();
  if (compression > 0 && !texts.empty()) {
    const hsize_t chunk = std::min<std::size_t>(slice, texts.size());
    checked(H5Pset_chunk(properties.get(), 1, &chunk), "set the chunks of names");
    checked(H5Pset_deflate(properties.get(), static_cast<unsigned>(compression)),
            "set the compression of names");
  }
  const Dataset dataset(H5Dcreate2(file, path.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                   properties.get(), H5P_DEFAULT),
                        "create a dataset of names");
  const Sealer sealer(dataset, seals.salt());
  const std::uint32_t table = seals.table(path);
  for (std::size_t first = 0; first < texts.size(); first += slice) {
    const auto part = texts.subspan(first, std::min(slice, texts.size() - first));
    const std::string cells = padded(part, width);
    write_rows(dataset, type, first, part.size(), cells.data());
    const std::uint64_t seal = sealer.seal(first, std::as_bytes(std::span(cells)));
    seals.add({table, static_cast<std::uint32_t>(part.size()), first, seal, seal});
  }
  if (std::ranges::any_of(texts, ends_in_nul)) {
    std::vector<std::uint64_t> lengths;
    for (const std::string& text : texts) lengths.push_back(text.size());
    write_numbers(dataset.get(), "lengths", lengths);
  }
  seal_attributes(dataset.get());
}

std::optional<std::vector<std::string>> read_names(const Dataset& dataset, const std::string& path,
                                                   SealCheck& seals) {
  const Datatype type(H5Dget_type(dataset.get()), "see the type of names");
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0) {
    return std::nullopt;
  }
  const std::size_t width = H5Tget_size(type.get());
  const std::size_t rows = seals.rows_that_count(dataset, path);
  std::vector<std::string> texts;
  texts.reserve(rows);
  seals.attributes(dataset.get(), path + " attribute");
  seals.read_cells(dataset, path, rows, [&](std::span<const std::byte> cells) {
    const std::string_view bytes(reinterpret_cast<const char*>(cells.data()), cells.size());
    std::ranges::move(unpadded(bytes, width), std::back_inserter(texts));
  });
  if (const auto lengths = read_numbers(dataset.get(), "lengths")) {
    for (std::size_t row = 0; row < std::min(texts.size(), lengths->size()); ++row) {
      texts[row].resize(std::min<std::size_t>((*lengths)[row], width), '\0');
    }
  }
  return texts;
}

}  // namespace somnus::hdf5
