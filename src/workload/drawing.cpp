#include "workload/drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace somnus {
namespace {

constexpr std::size_t parts_shown = 30;
constexpr std::array<std::string_view, 9> heights = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

}  // namespace

std::string bars(std::span<const double> values, Distribution along) {
  std::array<std::uint64_t, parts_shown> counts{};
  const auto place = [&](double value) {
    return along == Distribution::logarithmic ? std::log(value) : value;
  };
  if (!values.empty()) {
    const auto [least, most] = std::ranges::minmax(values);
    const double low = place(least);
    const double span = place(most) - low;
    for (const double value : values) {
      const double part = span > 0 ? (place(value) - low) / span : 0;
      ++counts[std::min(parts_shown - 1, static_cast<std::size_t>(part * parts_shown))];
    }
  }
  const std::uint64_t highest = *std::ranges::max_element(counts);
  std::string line;
  for (const std::uint64_t count : counts) {
    const std::uint64_t tallest = heights.size() - 1;
    const std::uint64_t height =
        highest == 0 ? 0 : (count * tallest + highest - 1) / highest;  // rounded up: none is lost
    line += heights[height];
  }
  return line;
}

}  // namespace somnus
