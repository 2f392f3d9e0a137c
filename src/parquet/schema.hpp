// The columns of a file: the leaves of its schema.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "parquet/metadata.hpp"

namespace somnus::parquet {

struct Leaf {
  std::string name;  // "runtime"; "place.rack" in a group; "parents" of parents.list.element
  Type type{};
  std::optional<ConvertedType> converted;
  std::optional<Timestamp> timestamp;  // its numbers are instants
  std::uint32_t definition = 0;        // level of a value that is there
  std::uint32_t repetition = 0;        // lists around it; read are none and one
};

/// In their order. Throws FormatError where the schema is no tree.
[[nodiscard]] std::vector<Leaf> leaves_of(std::span<const SchemaElement> schema);

}  // namespace somnus::parquet
