// How pages are compressed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "parquet/metadata.hpp"

namespace somnus::parquet {

/// Whose `plain_bytes` the caller has found bearable; room for them is made only where the codec
/// could make as many of these. Throws FormatError for a codec that is not read, and for bytes that
/// do not unpack to exactly so many.
[[nodiscard]] std::string unpacked(Codec codec, std::string_view packed, std::size_t plain_bytes);

/// With Codec::uncompressed or Codec::snappy.
[[nodiscard]] std::string packed(Codec codec, std::string_view plain);

}  // namespace somnus::parquet
