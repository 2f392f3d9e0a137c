// One mechanism for everything that users set by name: keys of a config's tables, parameters of
// policies, of generators and of formats. A struct with fields() is made from a Table and a Table
// from it. Its members may be
//
//     bool, double, unsigned integers, std::string
//     an enum with EnumNames, or a Textual: a choice from a set that is open
//     a described struct (a table), std::vector of any of these (a list), std::map by std::string
//     or a std::vector of named values (a table with free keys, sorted or as written),
//     std::optional
//
// A field's range holds for each number in the member. Nested structs are described in turn.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "base/value.hpp"
#include "base/value_reader.hpp"

namespace somnus {

/// A named choice. parse() gives it, or what is wrong in words; name() is what parse() takes. A
/// type that has `static std::vector<std::string> choices()` lists all there are.
template <class T>
concept Textual = requires(std::string_view text, const T& chosen) {
  { T::parse(text) } -> std::same_as<tl::expected<T, std::string>>;
  { chosen.name() } -> std::convertible_to<std::string>;
};

template <class T>
concept ListsChoices = requires {
  { T::choices() } -> std::same_as<std::vector<std::string>>;
};

/// Values by name, such as the keys of [scheduler.cfq].
using Parameters = Table;

enum class ValueType { flag, whole, number, text, list, table, free_table };

/// One parameter, from its owner's description.
struct ParameterInfo {
  std::string name;
  std::string unit;
  std::string meaning;
  std::optional<Value> fallback;  // none: it has to be given, or may be left out
  bool required = false;
  Range range = {};
  ValueType type = ValueType::flag;
  ValueType element = ValueType::flag;     // of a list, or a table with free keys
  std::vector<std::string> choices = {};   // of a text, all that it may be; none: any
  std::vector<ParameterInfo> nested = {};  // of a table, or of each table in it
  bool files = false;                      // texts in it may name files beside the config
};

namespace detail {

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
/// Keys are free.
template <class T>
inline constexpr bool is_keyed = false;
template <class T>
inline constexpr bool is_keyed<std::map<std::string, T>> = true;
template <class T>
inline constexpr bool is_keyed<std::vector<std::pair<std::string, T>>> = true;

template <class T>
struct ElementOf {
  using type = typename T::value_type;
};
template <class T>
struct ElementOf<std::map<std::string, T>> {
  using type = T;
};
template <class T>
struct ElementOf<std::vector<std::pair<std::string, T>>> {
  using type = T;
};

template <NamedEnum Enum>
[[nodiscard]] std::vector<std::string> names_of_enum() {
  std::vector<std::string> names;
  for (const auto& [value, name] : EnumNames<Enum>::names) names.emplace_back(name);
  return names;
}

/// What a field says of each number in its member.
struct Limits {
  Range range;
  std::string_view unit;
};

}  // namespace detail

template <Described T>
[[nodiscard]] std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for_each_field<T>([&](const auto& field) { names.emplace_back(field.name); });
  return names;
}

template <Described T>
[[nodiscard]] Table to_value(const T& described);

/// Any member's value.
template <class T>
[[nodiscard]] Value value_of(const T& member) {
  if constexpr (NamedEnum<T>) {
    return name_of(member);
  } else if constexpr (Textual<T>) {
    return std::string(member.name());
  } else if constexpr (Described<T>) {
    return to_value(member);
  } else if constexpr (detail::is_keyed<T>) {
    Table table;
    for (const auto& [key, each] : member) table[key] = value_of(each);
    return table;
  } else if constexpr (detail::is_vector<T>) {
    List list;
    for (const auto& each : member) list.push_back(value_of(each));
    return list;
  } else {
    static_assert(std::is_arithmetic_v<T> || std::same_as<T, std::string>);
    return member;
  }
}

/// Every field in order, but for optional ones that are empty.
template <Described T>
Table to_value(const T& described) {
  Table table;
  for_each_field<T>([&](const auto& field) {
    const auto& member = described.*field.member;
    if constexpr (detail::is_optional<std::remove_cvref_t<decltype(member)>>) {
      if (member) table[field.name] = value_of(*member);
    } else {
      table[field.name] = value_of(member);
    }
  });
  return table;
}

/// The described keys that the table has; the others keep what they are. All that is wrong is
/// blamed; other keys of the table are nobody's business here.
template <Described T>
void read_fields(ValueReader& reader, const Table& table, std::string_view path, T& into);

/// The same of a table that has no other keys, and all that is required.
template <Described T>
void read_table(ValueReader& reader, const Table& table, const std::string& path, T& into) {
  const bool all_known = reader.refuse_unknown(table, path, names_of<T>());
  read_fields(reader, table, path, into);
  for_each_field<T>([&](const auto& field) {
    if (!field.required || !all_known || table.contains(field.name)) return;
    reader.add_error({.path = path, .what = fmt::format("expected {}, found none", field.name)});
  });
}

/// Keeps `into` where the value is wrong.
template <class T>
void read_value(ValueReader& reader, const Value& value, const std::string& path,
                const detail::Limits& limits, T& into) {
  if constexpr (std::same_as<T, bool>) {
    if (const auto flag = reader.flag(value, path)) into = *flag;
  } else if constexpr (std::same_as<T, std::string>) {
    if (auto text = reader.text(value, path)) into = std::move(*text);
  } else if constexpr (std::same_as<T, double>) {
    if (const auto number = reader.number(value, path, limits.range, limits.unit)) into = *number;
  } else if constexpr (NamedEnum<T>) {
    const auto index = reader.choice(value, path, detail::names_of_enum<T>());
    if (index) into = EnumNames<T>::names[*index].first;
  } else if constexpr (Textual<T>) {
    if constexpr (ListsChoices<T>) {
      if (!reader.choice(value, path, T::choices())) return;
    }
    const auto text = reader.text(value, path);
    if (!text) return;
    auto chosen = T::parse(*text);
    if (chosen) {
      into = std::move(*chosen);
    } else {
      reader.add_error({.path = path, .what = std::move(chosen.error())});
    }
  } else if constexpr (Described<T>) {
    if (const Table* const table = reader.table(value, path)) {
      read_table(reader, *table, path, into);
    }
  } else if constexpr (detail::is_optional<T>) {
    typename T::value_type one{};
    read_value(reader, value, path, limits, one);
    into = std::move(one);
  } else if constexpr (detail::is_keyed<T>) {
    const Table* const table = reader.table(value, path);
    if (table == nullptr) return;
    into.clear();
    for (const auto& [key, each] : *table) {
      typename detail::ElementOf<T>::type one{};
      read_value(reader, each, joined(path, key), limits, one);
      into.insert(into.end(), {key, std::move(one)});
    }
  } else if constexpr (detail::is_vector<T>) {
    using Element = typename T::value_type;
    const List* const list =
        Described<Element> ? reader.list_of_tables(value, path) : reader.list(value, path);
    if (list == nullptr) return;
    into.clear();
    for (const Value& each : *list) {
      Element one{};
      read_value(reader, each, fmt::format("{}[{}]", path, into.size()), limits, one);
      into.push_back(std::move(one));
    }
  } else {
    static_assert(std::unsigned_integral<T>, "no parameter can be of this type");
    constexpr bool narrow = sizeof(T) < sizeof(std::int64_t);
    constexpr std::int64_t most = narrow ? static_cast<std::int64_t>(std::numeric_limits<T>::max())
                                         : std::numeric_limits<std::int64_t>::max();
    const auto whole = reader.whole(value, path, limits.range, most);
    if (whole) into = static_cast<T>(*whole);
  }
}

template <Described T>
void read_fields(ValueReader& reader, const Table& table, std::string_view path, T& into) {
  for_each_field<T>([&](const auto& field) {
    const auto found = table.find(field.name);
    if (found == table.end()) return;
    read_value(reader, found->second, joined(path, field.name), {field.range, field.unit},
               into.*field.member);
  });
}

/// The struct, or all that is wrong with the table.
template <Described T>
[[nodiscard]] tl::expected<T, std::vector<ValueError>> from_value(const Table& table,
                                                                  T fallback = {}) {
  ValueReader reader;
  read_table(reader, table, "", fallback);
  if (reader.any()) return tl::unexpected(reader.errors());
  return fallback;
}

template <Described T>
[[nodiscard]] std::vector<ParameterInfo> infos_of(const T& fallback);

namespace detail {

template <class T>
void describe_type(ParameterInfo& info) {
  if constexpr (is_optional<T>) {
    describe_type<typename T::value_type>(info);
  } else if constexpr (is_keyed<T> || is_vector<T>) {
    describe_type<typename ElementOf<T>::type>(info);
    info.element = info.type;
    info.type = is_keyed<T> ? ValueType::free_table : ValueType::list;
  } else if constexpr (NamedEnum<T>) {
    info.type = ValueType::text;
    info.choices = names_of_enum<T>();
  } else if constexpr (std::same_as<T, std::string> || Textual<T>) {
    info.type = ValueType::text;
    if constexpr (ListsChoices<T>) info.choices = T::choices();
  } else if constexpr (Described<T>) {
    info.type = ValueType::table;
    info.nested = infos_of(T());
  } else if constexpr (std::same_as<T, bool>) {
    info.type = ValueType::flag;
  } else {
    info.type = std::integral<T> ? ValueType::whole : ValueType::number;
  }
}

}  // namespace detail

/// With the defaults of `fallback`.
template <Described T>
std::vector<ParameterInfo> infos_of(const T& fallback) {
  const Table defaults = to_value(fallback);
  std::vector<ParameterInfo> infos;
  for_each_field<T>([&](const auto& field) {
    ParameterInfo info{.name = field.name,
                       .unit = field.unit,
                       .meaning = field.meaning,
                       .fallback = {},
                       .required = field.required,
                       .range = field.range,
                       .files = field.files};
    const auto found = defaults.find(field.name);
    if (found != defaults.end() && !field.required) info.fallback = found->second;
    detail::describe_type<typename std::remove_cvref_t<decltype(field)>::member_type>(info);
    infos.push_back(std::move(info));
  });
  return infos;
}

/// The parameters of one part, generator or format, whose struct is known to it alone.
class ParameterSchema {
 public:
  using Read = std::function<Table(ValueReader&, const Table&, const std::string& path)>;

  ParameterSchema() = default;  // none
  ParameterSchema(std::vector<ParameterInfo> infos, Read read)
      : infos_(std::move(infos)), read_(std::move(read)) {}

  [[nodiscard]] auto begin() const { return infos_.begin(); }
  [[nodiscard]] auto end() const { return infos_.end(); }
  [[nodiscard]] bool empty() const { return infos_.empty(); }
  [[nodiscard]] std::size_t size() const { return infos_.size(); }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] Parameters defaults() const;

  /// Each of them, as `given` or else as its default. All that is wrong is blamed; other keys are
  /// not looked at.
  [[nodiscard]] Parameters read(ValueReader& reader, const Table& given,
                                const std::string& path) const;

 private:
  std::vector<ParameterInfo> infos_;
  Read read_;
};

/// With the defaults of `fallback`.
template <Described T>
[[nodiscard]] ParameterSchema parameters_of(const T& fallback) {
  return {infos_of(fallback),
          [fallback](ValueReader& reader, const Table& given, const std::string& path) {
            T read = fallback;
            read_fields(reader, given, path, read);
            return to_value(read);
          }};
}

/// Sets the members that are given, which have been checked by then.
template <Described T>
void apply_parameters(T& part, const Parameters& given) {
  ValueReader reader;
  read_table(reader, given, "", part);
  SOMNUS_CHECK(!reader.any(), "unchecked parameters: {}", reader.errors().front().text());
}

}  // namespace somnus
