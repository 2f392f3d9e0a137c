// Memory that is about to be needed: to wait for it later would cost more than to ask now.
#pragma once

namespace somnus {

/// Brings the cache line of that address near. Any address will do, also one that is nowhere. A
/// function that does nothing else is always_inline, as this one: else g++ may take it for one
/// without an effect, and leave out its calls.
[[gnu::always_inline]] inline void fetch(const void* address) { __builtin_prefetch(address); }

}  // namespace somnus
