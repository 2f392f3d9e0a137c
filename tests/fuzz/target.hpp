// What a fuzz target is: a reader that is given any bytes, and real ones to begin with. Each target
// is one file that defines both functions; target.cpp has what libFuzzer asks for.
#pragma once

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

}  // namespace somnus::fuzz
