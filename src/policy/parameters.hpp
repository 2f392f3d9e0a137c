// Between a part's described struct and the registry's named parameters.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "policy/registry.hpp"

namespace somnus {

/// Written as a text of its own form. parse() gives the value, or what is wrong in words; the empty
/// text is the value of a fresh one.
template <class T>
concept Textual = requires(std::string_view text) {
  { T::parse(text) } -> std::same_as<tl::expected<T, std::string>>;
};

/// The parameters of a described struct, with the defaults of `fallback`.
template <Described T>
[[nodiscard]] std::vector<ParameterInfo> parameters_of(const T& fallback) {
  std::vector<ParameterInfo> infos;
  for_each_field<T>([&](const auto& each) {
    using Member = typename std::remove_cvref_t<decltype(each)>::member_type;
    ParameterInfo info{.name = each.name,
                       .unit = each.unit,
                       .meaning = each.meaning,
                       .fallback = {},
                       .choices = {},
                       .fault = {},
                       .whole = false,
                       .range = each.range};
    const Member& value = fallback.*each.member;
    if constexpr (NamedEnum<Member>) {
      info.fallback = std::string(name_of(value));
      for (const auto& [choice, name] : EnumNames<Member>::names) info.choices.emplace_back(name);
    } else if constexpr (std::is_same_v<Member, bool>) {
      info.fallback = value;
    } else if constexpr (Textual<Member>) {
      info.fallback = std::string();
      info.fault = [](std::string_view text) {
        const auto parsed = Member::parse(text);
        return parsed ? std::string() : parsed.error();
      };
    } else {
      static_assert(std::is_arithmetic_v<Member>);
      info.fallback = static_cast<double>(value);
      info.whole = std::is_integral_v<Member>;
    }
    infos.push_back(std::move(info));
  });
  return infos;
}

/// Sets the members that are given. Names and types have been checked by then.
template <Described T>
void apply_parameters(T& part, const Parameters& given) {
  for_each_field<T>([&](const auto& each) {
    using Member = typename std::remove_cvref_t<decltype(each)>::member_type;
    const auto found = given.find(each.name);
    if (found == given.end()) return;
    if constexpr (NamedEnum<Member>) {
      const auto& text = std::get<std::string>(found->second);
      for (const auto& [choice, name] : EnumNames<Member>::names) {
        if (text == name) part.*each.member = choice;
      }
    } else if constexpr (std::is_same_v<Member, bool>) {
      part.*each.member = std::get<bool>(found->second);
    } else if constexpr (Textual<Member>) {
      part.*each.member = Member::parse(std::get<std::string>(found->second)).value();
    } else {
      part.*each.member = static_cast<Member>(std::get<double>(found->second));
    }
  });
}

}  // namespace somnus
