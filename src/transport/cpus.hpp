// How many CPUs this process may use.
#pragma once

namespace somnus {

/// On how many CPUs this process may run: those of its cpuset and its binding, which on a large
/// node are fewer than the machine has. At least one.
[[nodiscard]] int usable_cpus();

}  // namespace somnus
