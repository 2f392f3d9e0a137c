// What /proc says of other processes of this machine.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace somnus {

struct ProcessFacts {
  pid_t parent = 0;
  bool stopped = false;  // by a signal or a debugger
};
/// None: it has ended, also if nobody has taken note of that yet.
[[nodiscard]] std::optional<ProcessFacts> facts_of(pid_t process);
/// Empty also where the system does not say.
[[nodiscard]] std::vector<pid_t> children_of(pid_t process);
/// The MPI rank of a process of the same user; none: it is no rank.
[[nodiscard]] std::optional<int> rank_of(pid_t process);

/// What of this machine keeps the ranks from starting, as far as this rank can see: who started
/// them is stopped, ranks of this host are stopped or missing, limits are low. The end of a
/// sentence: ": rank 2 (host n3, process 17) is stopped"; may be empty.
[[nodiscard]] std::string what_hinders_the_start();
/// "; the limits of this shell may be why (ulimit -n 24)", or nothing.
[[nodiscard]] std::string hint_at_low_limits();

}  // namespace somnus
