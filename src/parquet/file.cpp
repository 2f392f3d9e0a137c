#include "parquet/file.hpp"

#include <algorithm>

#include "base/suggest.hpp"
#include "parquet/column_reader.hpp"
#include "parquet/format_error.hpp"

namespace somnus::parquet {
namespace {

constexpr std::uint64_t least_budget_bytes = std::uint64_t{512} << 20;
constexpr std::uint64_t most_expansion = 100;

tl::unexpected<Mistakes> refuse(const std::string& file, std::string_view column, std::string what,
                                std::string hint = "") {
  return mistake({.location = {.file = file},
                  .key = std::string(column),
                  .what = std::move(what),
                  .hint = std::move(hint)});
}

}  // namespace

bool looks_parquet(std::string_view bytes) { return bytes.starts_with(magic); }

Checked<File> File::open(std::string name, std::string_view bytes) {
  File file(std::move(name), bytes);
  try {
    file.read_metadata();
  } catch (const FormatError& error) {
    return refuse(file.name_, "", error.what());
  }
  return file;
}

void File::read_metadata() {
  metadata_ = read_footer(bytes_);
  leaves_ = leaves_of(metadata_.schema);
  require(metadata_.rows >= 0, "expected 0 rows or more, found {}", metadata_.rows);
  std::int64_t left = metadata_.rows;
  for (const GroupMetadata& group : metadata_.groups) {
    require(group.columns.size() == leaves_.size(),
            "expected {} columns in each row group, found {}", leaves_.size(),
            group.columns.size());
    require(group.rows >= 0 && group.rows <= left, "expected {} rows in all row groups, found more",
            metadata_.rows);
    left -= group.rows;
  }
  require(left == 0, "expected {} rows in all row groups, found {}", metadata_.rows,
          metadata_.rows - left);
  rows_ = static_cast<std::uint64_t>(metadata_.rows);
}

bool File::has(std::string_view column) const {
  return std::ranges::find(leaves_, column, &Leaf::name) != leaves_.end();
}

Checked<Column> File::read(std::string_view column) const {
  return read(column, std::max(least_budget_bytes, most_expansion * bytes_.size()));
}

Checked<Column> File::read(std::string_view column, std::uint64_t most_bytes) const {
  const auto found = std::ranges::find(leaves_, column, &Leaf::name);
  if (found == leaves_.end()) {
    std::vector<std::string> names;
    names.reserve(leaves_.size());
    for (const Leaf& leaf : leaves_) names.push_back(leaf.name);
    return refuse(name_, column, "there is no such column", suggest(column, names));
  }
  try {
    return read_leaf(static_cast<std::size_t>(found - leaves_.begin()), most_bytes);
  } catch (const FormatError& error) {
    return refuse(name_, column, error.what());
  }
}

Column File::read_leaf(std::size_t leaf, std::uint64_t most_bytes) const {
  Column column = empty_column(leaves_[leaf]);
  Budget budget(most_bytes);
  for (std::size_t group = 0; group < metadata_.groups.size(); ++group) {
    const GroupMetadata& one = metadata_.groups[group];
    try {
      read_chunk(bytes_, leaves_[leaf], one.columns[leaf], one.rows, budget, column);
    } catch (const FormatError& error) {
      throw FormatError(fmt::format("row group {}: {}", group, error.what()));
    }
  }
  return column;
}

}  // namespace somnus::parquet
