// must not compile: no matching function for call to 'somnus::RandomStream::RandomStream\(const
// somnus::PolicySeed&, const char \[15\]\)'|could not convert|cannot convert 'const
// somnus::PolicySeed'
#include "policy/surroundings.hpp"

// When nodes will fail.
double peek(const somnus::Surroundings& surroundings) {
  return somnus::RandomStream(surroundings.seed, "node lifetimes").uniform();
}
