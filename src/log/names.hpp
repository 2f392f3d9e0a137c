// The datasets below /names: one fixed-length UTF-8 string a name, padded with NUL. Any bytes come
// back as they were: where a name itself ends in NUL, an attribute "lengths" holds all lengths. An
// attribute "row_seals" holds each name's seal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hdf5/handles.hpp"
#include "log/seal.hpp"

namespace somnus::hdf5 {

/// Sealed under `salt`, and deflated with level `compression`, 0 for not at all.
void write_names(hid_t group, const std::string& name, std::span<const std::string> texts,
                 std::uint64_t salt, int compression);

/// nullopt: it is not one of names.
[[nodiscard]] std::optional<std::vector<std::string>> read_names(const Dataset& dataset,
                                                                 const std::string& path,
                                                                 SealCheck& seals);

}  // namespace somnus::hdf5
