// What a fuzz target is: a reader that is given any bytes, and real ones to begin with. Each target
// is one file that defines both functions; target.cpp has what libFuzzer asks for.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace somnus::fuzz {

struct Seed {
  std::string name;
  std::string bytes;
};

/// Reads the bytes as the program does. A UserError or WorldError is a good end; whatever else it
/// throws, does to memory or takes too long for is a finding.
void read(std::string_view bytes);

/// Real files, or what real programs say: made, so that they are never of an older format.
[[nodiscard]] std::vector<Seed> seeds();

/// From the front of `left`; of bytes that there are no more of, 0.
template <class T>
T take_number(std::string_view& left) {
  T value{};
  const std::size_t size = std::min(sizeof(T), left.size());
  std::memcpy(&value, left.data(), size);
  left.remove_prefix(size);
  return value;
}

}  // namespace somnus::fuzz
