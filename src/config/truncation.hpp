// Which jobs of a run figures leave out, because the cluster began empty: the transient.
#pragma once

#include <cstdint>
#include <utility>

#include "base/describe.hpp"

namespace somnus {

enum class TruncationRule { none, mser_5 };
template <>
struct EnumNames<TruncationRule> {
  static constexpr std::pair<TruncationRule, const char*> names[] = {
      {TruncationRule::none, "none"}, {TruncationRule::mser_5, "mser-5"}};
};

struct Truncation {
  TruncationRule rule = TruncationRule::none;
  std::uint32_t jobs = 0;  // the first so many, by submission

  [[nodiscard]] bool any() const { return rule != TruncationRule::none || jobs > 0; }
};

}  // namespace somnus
