#include "parquet/schema.hpp"

#include "parquet/format_error.hpp"

namespace somnus::parquet {
namespace {

// Names are those of groups and column, so many short columns could be many long names.
constexpr std::size_t most_depth = 32;
constexpr std::size_t most_leaves = 10'000;
constexpr std::size_t most_name = 1'000;

class Walk {
 public:
  explicit Walk(std::span<const SchemaElement> schema) : schema_(schema) {}

  std::vector<Leaf> operator()() {
    const SchemaElement& root = next();
    require(!root.type && root.children > 0, "expected a schema with columns, found none");
    children_of(root, Leaf(), 0, false);
    require(at_ == schema_.size(), "expected a schema of {} columns and groups, found {} more", at_,
            schema_.size() - at_);
    return std::move(leaves_);
  }

 private:
  const SchemaElement& next() {
    require(at_ < schema_.size(), "expected a schema with all its columns, found one cut off");
    return schema_[at_++];
  }

  void children_of(const SchemaElement& group, const Leaf& above, std::size_t depth,
                   bool is_nameless) {
    require(depth < most_depth, "expected a schema of at most {} groups within each other",
            most_depth);
    for (std::int32_t child = 0; child < group.children; ++child) {
      node(above, depth, group.children == 1, is_nameless);
    }
  }

  // The name of a list's only element is that of the list: what stands between is the writer's.
  void node(const Leaf& above, std::size_t depth, bool is_only, bool is_in_list) {
    const SchemaElement& element = next();
    Leaf here = above;
    const bool is_repeated = element.repetition == Repetition::repeated;
    const bool is_nameless = is_only && (is_in_list || (is_repeated && !above.name.empty()));
    if (!is_nameless) here.name += (here.name.empty() ? "" : ".") + element.name;
    require(here.name.size() <= most_name, "expected names of at most {} bytes, found a longer one",
            most_name);
    here.definition += element.repetition == Repetition::required ? 0U : 1U;
    here.repetition += is_repeated ? 1U : 0U;
    if (!element.type) {
      require(element.children > 0, "expected columns in the group '{}', found none", here.name);
      return children_of(element, here, depth + 1, is_repeated && is_nameless);
    }
    require(element.children == 0, "expected nothing below the column '{}'", here.name);
    require(leaves_.size() < most_leaves, "expected at most {} columns, found more", most_leaves);
    here.type = *element.type;
    here.converted = element.converted;
    here.timestamp = element.timestamp;
    leaves_.push_back(std::move(here));
  }

  std::span<const SchemaElement> schema_;
  std::size_t at_ = 0;
  std::vector<Leaf> leaves_;
};

}  // namespace

std::vector<Leaf> leaves_of(std::span<const SchemaElement> schema) { return Walk(schema)(); }

}  // namespace somnus::parquet
