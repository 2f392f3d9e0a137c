// The datasets below /names: one fixed-length UTF-8 string a name, padded with NUL. Any bytes come
// back as they were: where a name itself ends in NUL, an attribute "lengths" holds all lengths.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hdf5/handles.hpp"
#include "log/seal.hpp"
#include "log/seal_check.hpp"

namespace somnus::hdf5 {

/// Deflated with level `compression`, 0 for not at all.
void write_names(hid_t file, const std::string& path, std::span<const std::string> texts,
                 Seals& seals, int compression);

/// nullopt: it is not one of names.
[[nodiscard]] std::optional<std::vector<std::string>> read_names(const Dataset& dataset,
                                                                 const std::string& path,
                                                                 SealCheck& seals);

}  // namespace somnus::hdf5
