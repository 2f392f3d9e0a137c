#include "config/document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <string_view>
#include <tuple>
#include <utility>

namespace somnus {
namespace {

/// The names with dots between that the longest key of the line has.
int most_names_in(std::string_view line) {
  int most = 1;
  int names = 1;
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char sign = line[at];
    if (quote != 0) {
      if (sign == '\\' && quote == '"') ++at;
      if (sign == quote) quote = 0;
      continue;
    }
    if (sign == '#') break;
    if (sign == '"' || sign == '\'') quote = sign;
    if (sign == '.') most = std::max(most, ++names);
    if (std::string_view("=,[]{}").find(sign) != std::string_view::npos) names = 1;
  }
  return most;
}

/// The one place where TOML is parsed. toml++ bounds brackets in brackets, but frees the tables of
/// a dotted key one within the other, so a key of many names would use up the stack.
tl::expected<toml::table, Mistake> parse_toml(std::string_view toml, const std::string& origin) {
  constexpr int most_names = 32;
  int number = 0;
  for (const auto line : std::views::split(toml, '\n')) {
    ++number;
    if (most_names_in({line.begin(), line.end()}) <= most_names) continue;
    return tl::unexpected(
        Mistake{.location = {.file = origin, .line = number},
                .what = fmt::format("expected a key of at most {} names", most_names)});
  }
  try {
    return toml::parse(toml, origin);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return tl::unexpected(
        Mistake{.location = {origin, static_cast<int>(at.line), static_cast<int>(at.column)},
                .what = std::string(error.description())});
  }
}

/// As a document of its own: dotted key = value.
Checked<toml::table> parse_alone(const Override& one) {
  const Mistake wrong{.location = {.file = one.text()},
                      .what = "expected table.key=value, e.g. run.speed=2000"};
  const bool one_line = one.key.find('\n') == std::string::npos;
  if (!one_line || !parse_toml(one.key + " = 0", one.text())) return mistake(wrong);
  if (one.value.find('\n') == std::string::npos) {
    if (auto parsed = parse_toml(one.key + " = " + one.value, one.text())) {
      return std::move(*parsed);
    }
  }
  if (auto parsed = parse_toml(one.key + " = " + in_quotes(one.value), one.text())) {
    return std::move(*parsed);
  }
  return mistake(wrong);
}

void merge(toml::table&& from, toml::table& into) {
  for (auto&& [key, node] : from) {
    toml::table* const table = node.as_table();
    toml::table* const old = into[key.str()].as_table();
    if (table != nullptr && old != nullptr && !table->is_inline()) {
      merge(std::move(*table), *old);
      continue;
    }
    into.erase(key.str());  // its key too, which knows the old place
    node.visit([&](auto& value) { into.insert(key, std::move(value)); });
  }
}

/// Values out of nodes, and where they are.
class Conversion {
 public:
  explicit Conversion(const std::string& origin) : origin_(origin) {}

  Table table(const toml::table& nodes, const std::string& path) {
    struct Entry {
      const toml::key* key;
      const toml::node* node;
    };
    std::vector<Entry> entries;  // toml++ sorts them by name
    for (auto&& [key, node] : nodes) entries.push_back({&key, &node});
    std::ranges::stable_sort(entries, {}, [&](const Entry& entry) {
      const toml::source_region& where = entry.key->source();
      return std::tuple(file_of(where) != file_of(nodes.source()), where.begin.line,
                        where.begin.column);
    });
    Table values;
    for (const auto& [key, node] : entries) {
      const std::string own = joined(path, key->str());
      locations_[own] = {.key = location(key->source()), .value = location(node->source())};
      values.add_new(std::string(key->str())) = value(*node, own);
    }
    return values;
  }

  [[nodiscard]] std::map<std::string, Document::Locations> locations() && {
    return std::move(locations_);
  }

 private:
  static std::string_view file_of(const toml::source_region& where) {
    return where.path ? std::string_view(*where.path) : std::string_view();
  }

  [[nodiscard]] SourceLocation location(const toml::source_region& where) const {
    const std::string file = where.path ? *where.path : origin_;
    if (file != origin_) return {.file = file};
    return {file, static_cast<int>(where.begin.line), static_cast<int>(where.begin.column)};
  }

  Value value(const toml::node& node, const std::string& path) {
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* nodes = node.as_table()) return table(*nodes, path);
    if (const auto* nodes = node.as_array()) return list(*nodes, path);
    if (node.is_date()) return Value::Other{"a date"};
    return Value::Other{node.is_time() ? "a time of day" : "a date and time"};
  }

  List list(const toml::array& nodes, const std::string& path) {
    List values;
    for (const toml::node& node : nodes) {
      const std::string own = fmt::format("{}[{}]", path, values.size());
      const SourceLocation here = location(node.source());
      locations_[own] = {.key = here, .value = here};
      values.push_back(value(node, own));
    }
    return values;
  }

  const std::string& origin_;
  std::map<std::string, Document::Locations> locations_;
};

}  // namespace

SourceLocation Document::location(const std::string& path) const {
  for (std::string near = path; !near.empty();) {
    const auto found = locations_.find(near);
    if (found != locations_.end()) return found->second.value;
    const std::size_t step = near.find_last_of(".[");
    near.resize(step == std::string::npos ? 0 : step);
  }
  return {.file = origin_};
}

Mistakes Document::mistakes(const ValueReader& reader) const {
  std::vector<Mistake> list;
  for (const ValueError& error : reader.errors()) {
    const bool of_key = error.at == ValueError::At::key && locations_.contains(error.path);
    const std::string& where = error.where.empty() ? error.path : error.where;
    list.push_back({.location = of_key ? locations_.at(error.path).key : location(where),
                    .key = error.path,
                    .what = error.what,
                    .hint = error.hint,
                    .ignored = error.ignored});
  }
  std::ranges::stable_sort(list, {}, [&](const Mistake& mistake) {
    const SourceLocation& at = mistake.location;
    const int group = at.file != origin_ ? 2 : at.line == 0 ? 1 : 0;
    return std::tuple(group, at.line, at.column);
  });
  Mistakes sorted;
  for (Mistake& mistake : list) sorted.add(std::move(mistake));
  return sorted;
}

Checked<Document> parse_document(std::string_view toml, const std::string& origin,
                                 std::span<const Override> overrides) {
  Mistakes mistakes;
  toml::table document;
  if (auto parsed = parse_toml(toml, origin)) {
    document = std::move(*parsed);
  } else {
    mistakes.add(std::move(parsed.error()));
  }
  for (const Override& one : overrides) {
    if (auto parsed = parse_alone(one)) {
      merge(std::move(*parsed), document);
    } else {
      mistakes.append(std::move(parsed.error()));
    }
  }
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  Conversion conversion(origin);
  Table values = conversion.table(document, "");
  return Document(origin, std::move(values), std::move(conversion).locations());
}

}  // namespace somnus
