// One table in an HDF5 file of its own, for other programs:
// pandas.DataFrame(file["name"][:]).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace somnus {

struct PlainColumn {
  std::string name;
  std::string unit;  // as in descriptions
  std::variant<std::vector<std::string>, std::vector<std::uint64_t>, std::vector<double>> cells;
};

/// A dataset of compound rows; texts are UTF-8, all of a column as wide as its widest. All columns
/// have as many cells. Equal tables give equal bytes. What stands there is lost. Throws WorldError.
void write_plain_table(const std::filesystem::path& file, const std::string& name,
                       std::span<const PlainColumn> columns);

}  // namespace somnus
