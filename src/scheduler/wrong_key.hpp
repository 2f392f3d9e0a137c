// What is wrong with a key that a ranking gives: it is no number, so that it compares with none, or
// it has moved and nobody was told.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "scheduler/unit.hpp"

namespace somnus {

/// A mistake of the order that it names.
class WrongKey : public Bug {
 public:
  WrongKey(std::string order, const std::string& what)
      : Bug("the order '" + order + "' " + what), order_(std::move(order)) {}
  [[nodiscard]] const std::string& order() const { return order_; }

 private:
  std::string order_;
};

[[noreturn]] void refuse_nan(const char* order, const Unit& unit, const std::string& key);
/// kept: the one that it has in the order; given: what key() gives.
[[noreturn]] void refuse_stale(const char* order, const Unit& unit, const std::string& kept,
                               const std::string& given);

namespace detail {

template <class T>
concept HasElements = requires { std::tuple_size<T>::value; };

template <class Key, class Does>
constexpr auto with_elements(Does&& does) {
  return [&]<std::size_t... at>(std::index_sequence<at...>) {
    return does.template operator()<std::tuple_element_t<at, Key>...>();
  }(std::make_index_sequence<std::tuple_size_v<Key>>());
}

template <class Key>
constexpr bool has_floats() {
  if constexpr (HasElements<Key>) {
    return with_elements<Key>([]<class... Each>() { return (has_floats<Each>() || ...); });
  }
  return std::is_floating_point_v<Key>;
}

}  // namespace detail

/// Numbers, and tuples of them; of any other key that it is one.
template <class Key>
[[nodiscard]] std::string key_in_words(const Key& key) {
  if constexpr (std::is_arithmetic_v<Key>) {
    return fmt::format("{}", key);
  } else if constexpr (std::same_as<Key, Duration>) {
    return fmt::format("{} s", in_seconds(key));
  } else if constexpr (detail::HasElements<Key>) {
    std::string words;
    std::apply(
        [&](const auto&... each) {
          ((words += (words.empty() ? "" : ", ") + key_in_words(each)), ...);
        },
        key);
    return "(" + words + ")";
  } else {
    return "one";
  }
}

/// The key itself. Costs nothing where it can't be NaN.
template <class Key>
[[nodiscard]] Key a_number(Key key, const char* order, const Unit& unit) {
  if constexpr (detail::has_floats<Key>()) {
    if (!(key == key)) [[unlikely]]
      refuse_nan(order, unit, key_in_words(key));
  }
  return key;
}

}  // namespace somnus
