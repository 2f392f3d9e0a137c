// What a file may make its reader do: read that file only, and take no more memory than its rows
// could need.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "hdf5/handles.hpp"

namespace somnus::hdf5 {

/// Some part of the path leads elsewhere: it is a soft, external or user-defined link.
[[nodiscard]] bool is_link(hid_t file, const std::string& path);

/// Why the dataset is not to be read, as "is kept outside of this file"; nullopt if it may be. It
/// is a list of rows or cells in the file itself, with room in it for as many, packed by nothing
/// that HDF5 would have to load first.
[[nodiscard]] std::optional<std::string> objection_to(const Dataset& dataset);

/// The bytes of an attribute's value. Throws Failure if its file could not hold as many.
[[nodiscard]] std::size_t bytes_of(const Attribute& attribute);

}  // namespace somnus::hdf5
