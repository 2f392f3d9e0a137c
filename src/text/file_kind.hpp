// What a file is that is no text, by its first bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace somnus {

struct FileKind {
  std::string name;  // "an HDF5 file"
  std::string hint;  // what to do to have its contents as text; may be empty
};

/// Of a file that begins with these bytes; nothing if they may be text, or Parquet.
[[nodiscard]] std::optional<FileKind> kind_of_binary(std::string_view beginning);

}  // namespace somnus
