// Stable 64-bit hashes (XXH3), for random stream names and digests of inputs.
#pragma once

#include <cstdint>
#include <string_view>

namespace somnus {

/// The same on every machine and in every version.
[[nodiscard]] std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

}  // namespace somnus
