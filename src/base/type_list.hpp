// A closed list of types, written down once, from which tables and overloads are derived.
#pragma once

#include <cstddef>
#include <type_traits>

namespace somnus {

template <class... Types>
struct TypeList {
  static constexpr std::size_t size = sizeof...(Types);

  template <class T>
  static constexpr bool has = (std::is_same_v<T, Types> || ...);

  /// Of a type in the list, from 0.
  template <class T>
  static constexpr std::size_t place = [] {
    static_assert(has<T>, "the list does not have that type");
    std::size_t at = 0;
    static_cast<void>(((std::is_same_v<T, Types> || (++at, false)) || ...));
    return at;
  }();

  template <template <class...> class Holder>
  using in = Holder<Types...>;
  template <template <class> class Wrapper>
  using wrapped = TypeList<Wrapper<Types>...>;

  /// Calls visit(std::type_identity<T>()) for each type, in order.
  template <class Visit>
  static constexpr void for_each(Visit&& visit) {
    (visit(std::type_identity<Types>()), ...);
  }

  /// The same for the type at that place alone; false if there is none.
  template <class Visit>
  static constexpr bool visit_at(std::size_t place, Visit&& visit) {
    std::size_t at = 0;
    return ((at++ == place && (visit(std::type_identity<Types>()), true)) || ...);
  }
};

namespace detail {
template <class... Lists>
struct Join;
template <class... Types>
struct Join<TypeList<Types...>> {
  using type = TypeList<Types...>;
};
template <class... A, class... B, class... Rest>
struct Join<TypeList<A...>, TypeList<B...>, Rest...> {
  using type = typename Join<TypeList<A..., B...>, Rest...>::type;
};
}  // namespace detail

/// The types of several lists, one list after the other.
template <class... Lists>
using Joined = typename detail::Join<Lists...>::type;

}  // namespace somnus
