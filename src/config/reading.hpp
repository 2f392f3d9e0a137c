// One reading of a document: typed values out of its nodes, and all that was wrong on the way.
#pragma once

#include <toml++/toml.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "base/parameters.hpp"

namespace somnus {

class Reading {
 public:
  explicit Reading(std::string origin) : origin_(std::move(origin)) {}

  void blame(const toml::source_region& where, std::string key, std::string what,
             std::string hint = {});
  /// "expected ..., found ...".
  void blame_value(const toml::node& node, const std::string& key, std::string_view expected);
  /// What is not there has no place but the file.
  void blame_missing(std::string key, std::string what, std::string hint = {});
  [[nodiscard]] bool blamed(std::string_view key) const;
  [[nodiscard]] bool any() const { return mistakes_.any(); }
  /// The file's in the order of the file, then those of overrides.
  [[nodiscard]] Mistakes mistakes() const;

  // Each gives the value, or blames the node. `unit` as in Field; times must be ones that the
  // emulated clock can keep.
  std::optional<double> number(const toml::node& node, const std::string& key, const Range& range,
                               std::string_view unit);
  std::optional<std::int64_t> whole(const toml::node& node, const std::string& key,
                                    std::int64_t low, std::int64_t high);
  std::optional<bool> boolean(const toml::node& node, const std::string& key);
  std::optional<std::string> text(const toml::node& node, const std::string& key);
  /// The index of the choice.
  std::optional<std::size_t> choice(const toml::node& node, const std::string& key,
                                    std::span<const std::string> choices);
  const toml::table* table(const toml::node& node, const std::string& key);
  /// The tables of [[key]]; empty where anything else stands.
  std::vector<const toml::table*> tables(const toml::node& node, const std::string& key);

  [[nodiscard]] Place place(const toml::node& node) const;

  /// Blames each key of the table that is not among the known. True if there is none: only then
  /// is it sure that something else is missing, not misspelt.
  bool refuse_unknown(const toml::table& table, std::string_view path,
                      std::span<const std::string> known);

 private:
  [[nodiscard]] bool from_file(const Place& place) const { return place.file == origin_; }

  std::string origin_;
  Mistakes mistakes_;
};

struct Entry {
  const toml::key* key;
  const toml::node* node;
};
/// toml++ sorts keys by name; this is how the user wrote them, overrides last.
[[nodiscard]] std::vector<Entry> in_written_order(const toml::table& table);

template <NamedEnum Enum>
[[nodiscard]] std::vector<std::string> choices_of() {
  std::vector<std::string> choices;
  for (const auto& [value, name] : EnumNames<Enum>::names) choices.emplace_back(name);
  return choices;
}

/// Keeps `into` where the node is wrong.
template <class Field>
void read_field(Reading& reading, const toml::node& node, const std::string& key,
                const Field& field, typename Field::member_type& into) {
  using T = typename Field::member_type;
  if constexpr (std::same_as<T, bool>) {
    if (const auto value = reading.boolean(node, key)) into = *value;
  } else if constexpr (std::same_as<T, std::string>) {
    if (auto value = reading.text(node, key)) into = std::move(*value);
  } else if constexpr (std::same_as<T, double>) {
    if (const auto value = reading.number(node, key, field.range, field.unit)) into = *value;
  } else if constexpr (NamedEnum<T>) {
    const auto index = reading.choice(node, key, choices_of<T>());
    if (index) into = EnumNames<T>::names[*index].first;
  } else {
    static_assert(std::unsigned_integral<T>);
    constexpr auto most = std::numeric_limits<std::int64_t>::max();  // a TOML integer is signed
    constexpr bool narrow = sizeof(T) < sizeof(most);
    std::int64_t low = 0;
    std::int64_t high = narrow ? static_cast<std::int64_t>(std::numeric_limits<T>::max()) : most;
    if (field.range.low > 0) low = static_cast<std::int64_t>(field.range.low);
    if (field.range.high < static_cast<double>(high)) {
      high = static_cast<std::int64_t>(field.range.high);
    }
    if (const auto value = reading.whole(node, key, low, high)) into = static_cast<T>(*value);
  }
}

/// Reads the described keys that the table has; the others keep their defaults.
template <Described S>
void read_fields(Reading& reading, const toml::table& table, std::string_view path, S& into) {
  for_each_field<S>([&](const auto& field) {
    const toml::node* const node = table.get(field.name);
    if (node == nullptr) return;
    read_field(reading, *node, joined(path, field.name), field, into.*field.member);
  });
}

}  // namespace somnus
