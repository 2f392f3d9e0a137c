// The description of a figure of a run: a field of Summary that also says which way the figure is
// better, and what it is taken over. So neither is assumed: a plain field does not compile where
// figures are listed (experiment/results.cpp).
#pragma once

#include <cstdint>

#include "base/describe.hpp"

namespace somnus {

struct Summary;

/// Neither: of a utilisation, say, as the same work keeps a cluster busy for as long under any
/// scheduler.
enum class Better : std::uint8_t { less, more, neither };
/// A mean or a quantile over jobs exists for a batch of the run's jobs, too. Other figures are of
/// the whole run.
enum class Over : std::uint8_t { jobs, run };

struct FigureInfo : Field<Summary, double> {
  Better better;
  Over over;
};

template <Better better, Over over>
[[nodiscard]] constexpr FigureInfo figure(const char* name, double Summary::* member,
                                          const char* unit, const char* meaning) {
  return {field(name, member, unit, meaning), better, over};
}
[[nodiscard]] constexpr FigureInfo headline(FigureInfo info) {
  info.headline = true;
  return info;
}
[[nodiscard]] constexpr FigureInfo trivial_up_to(double most, FigureInfo info) {
  info.trivial_up_to = most;
  return info;
}

}  // namespace somnus
