// Datasets of rows: one-dimensional, of a compound type that lies as the row's struct lies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "hdf5/handles.hpp"
#include "log/layout.hpp"

namespace somnus::hdf5 {

[[nodiscard]] Datatype compound_type(const Layout& layout);

/// Dataset creation properties without object times, so that equal runs give equal bytes.
[[nodiscard]] Properties dataset_properties();

/// A table of a given number of rows, contiguous in the file, with unit and meaning of each column.
[[nodiscard]] Dataset create_fixed(hid_t file, const std::string& path, const Layout& layout,
                                   std::size_t rows);
/// A table without rows that can grow. compression: deflate level after shuffling, 0 for none.
[[nodiscard]] Dataset create_growing(hid_t file, const std::string& path, const Layout& layout,
                                     std::size_t chunk_rows, int compression);

/// nullopt: there is no such dataset, or a link to one.
[[nodiscard]] std::optional<Dataset> open_dataset(hid_t file, const std::string& path);
[[nodiscard]] std::size_t row_count(const Dataset& dataset);
/// Whether set_row_count() can give it so many.
[[nodiscard]] bool can_have_rows(const Dataset& dataset, std::size_t rows);
void set_row_count(const Dataset& dataset, std::size_t rows);

/// `type` is that of the rows in memory.
void write_rows(const Dataset& dataset, const Datatype& type, std::size_t first, std::size_t count,
                const void* rows);
void read_rows(const Dataset& dataset, const Datatype& type, std::size_t first, std::size_t count,
               void* rows);

/// The first column of the layout that the dataset lacks or has as something else than a number;
/// nullopt if it has them all.
[[nodiscard]] std::optional<std::string> missing_column(const Dataset& dataset,
                                                        const Layout& layout);

/// Where in the file the dataset's rows end, in bytes: a shorter file has lost some of them.
[[nodiscard]] std::size_t end_in_file(const Dataset& dataset);

}  // namespace somnus::hdf5
