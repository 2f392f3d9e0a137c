// One description per struct: each member's name, unit and meaning are written down once, and
// config loading, log columns, `somnus policies` and printers all walk that list.
//
//   struct Heartbeat {
//     double interval_s = 3;
//     static constexpr auto fields() {
//       return in_order(field("interval_s", &Heartbeat::interval_s, "s", "time between two"));
//     }
//   };
#pragma once

#include <limits>
#include <tuple>
#include <utility>

#include "base/enum_names.hpp"  // IWYU pragma: export

namespace somnus {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// What a number may be: low <= x <= high, or low < x where `open`.
struct Range {
  double low = -infinity;
  double high = infinity;
  bool open = false;      // low itself is excluded
  bool infinite = false;  // +inf is a value, too

  [[nodiscard]] constexpr bool holds(double x) const {
    return (open ? x > low : x >= low) && x <= high;  // false for NaN
  }
};
inline constexpr Range not_negative{.low = 0};
inline constexpr Range positive{.low = 0, .open = true};
inline constexpr Range at_least_one{.low = 1};
inline constexpr Range zero_to_infinity{.low = 0, .infinite = true};
inline constexpr Range probability{.low = 0, .high = 1};

/// One member of a described struct. Texts are literals.
template <class Struct, class Member>
struct Field {
  using struct_type = Struct;
  using member_type = Member;

  const char* name;
  Member Struct::* member;
  const char* unit;     // "s", "1" for a plain number, "" where a unit makes no sense
  const char* meaning;  // one sentence without a full stop
  Range range;          // for numbers
  bool required = false;
  bool headline = false;  // also in a table that is kept short
  double trivial_up_to = -infinity;
  bool files = false;  // its texts may name files beside the config
};

template <class Struct, class Member>
[[nodiscard]] constexpr Field<Struct, Member> field(const char* name, Member Struct::* member,
                                                    const char* unit, const char* meaning,
                                                    Range range = {}) {
  return {name, member, unit, meaning, range};
}

/// The struct has to declare it.
template <class Struct, class Member>
[[nodiscard]] constexpr Field<Struct, Member> required(Field<Struct, Member> field) {
  field.required = true;
  return field;
}

/// One of the few that a table that is kept short has, too.
template <class Struct, class Member>
[[nodiscard]] constexpr Field<Struct, Member> headline(Field<Struct, Member> field) {
  field.headline = true;
  return field;
}

/// Its texts, if they name files beside the config, are made complete paths.
template <class Struct, class Member>
[[nodiscard]] constexpr Field<Struct, Member> names_files(Field<Struct, Member> field) {
  field.files = true;
  return field;
}

/// Tables leave it out where all that it says lies between -most and most.
template <class Struct, class Member>
[[nodiscard]] constexpr Field<Struct, Member> trivial_up_to(double most,
                                                            Field<Struct, Member> field) {
  field.trivial_up_to = most;
  return field;
}

/// The fields of a struct, in their order: called with a function, it calls that with all of them.
/// (A std::tuple of so many is slow to compile.)
template <class... Each>
[[nodiscard]] constexpr auto in_order(Each... each) {
  return [=](auto&& take) { return take(each...); };
}

/// A struct's own fields after those of its bases: one row of several.
template <class Fields>
[[nodiscard]] constexpr auto together(Fields fields) {
  return fields;
}
template <class First, class... Rest>
[[nodiscard]] constexpr auto together(First first, Rest... rest) {
  return [=](auto&& take) {
    return first([&](const auto&... front) {
      return together(rest...)([&](const auto&... back) { return take(front..., back...); });
    });
  };
}

template <class T>
concept Described = requires { T::fields(); };

/// Calls visit(field) for each field of T, in order.
template <Described T, class Visit>
constexpr void for_each_field(Visit&& visit) {
  T::fields()([&](const auto&... each) { (visit(each), ...); });
}

}  // namespace somnus
