// must not compile: no matching function for call to 'somnus::RandomStream::RandomStream\(const
// somnus::PolicySeed&, const char \[15\]\)'|could not convert|cannot convert 'const
// somnus::PolicySeed'
#include "scheduler/environment.hpp"

// When nodes will fail.
double peek(const somnus::Environment& environment) {
  return somnus::RandomStream(environment.seed, "node lifetimes").uniform();
}
